-- Keep a batch of votes, and say which stretches of time they touch.
--
-- One row per person, action and minute: a new one is inserted, an earlier or later instant widens
-- the one there is, anything else changes nothing and touches nothing. The batch must hold a key
-- once only. Answers one row: how many votes are new, and per person the stretches in which votes
-- of known verbs came or grew, a pause of more than the gap apart.
WITH batch AS (
    SELECT * FROM unnest(
        %(accounts)s::bigint[], %(people)s::bigint[], %(actions)s::integer[],
        %(minutes)s::integer[], %(firsts)s::bigint[], %(lasts)s::bigint[]
    ) AS vote (account_id, person_id, action_id, minute, first, last)
),
kept AS (
    INSERT INTO activities_vote AS vote (account_id, person_id, action_id, minute, first, last)
    SELECT account_id, person_id, action_id, minute, first, last FROM batch
    ORDER BY account_id, person_id, minute, action_id
    ON CONFLICT (account_id, person_id, minute, action_id) DO UPDATE
    SET first = least(vote.first, excluded.first), last = greatest(vote.last, excluded.last)
    WHERE excluded.first < vote.first OR excluded.last > vote.last
    RETURNING account_id, person_id, action_id, minute, first, last, xmax = 0 AS is_new
),
voting AS (  -- beside each vote, the end of all that the person did before it
    SELECT kept.*, max(last) OVER (
        PARTITION BY account_id, person_id ORDER BY first
        GROUPS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING
    ) AS before
    FROM kept JOIN activities_action AS action ON action.id = action_id
    WHERE action.verb_id IS NOT NULL
),
placed AS (  -- a stretch is known by its opening instant
    SELECT *, max(first) FILTER (WHERE before IS NULL OR first - before > %(gap)s) OVER (
        PARTITION BY account_id, person_id ORDER BY first RANGE UNBOUNDED PRECEDING
    ) AS opening
    FROM voting
),
touched AS (
    SELECT account_id, person_id, opening AS first, max(last) AS last
    FROM placed GROUP BY account_id, person_id, opening
)
SELECT
    (SELECT count(*) FROM kept WHERE is_new),
    array_agg(account_id), array_agg(person_id), array_agg(first), array_agg(last)
FROM touched
