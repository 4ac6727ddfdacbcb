-- Make the sessions of touched stretches anew, and leave all others alone.
--
-- A stretch that comes within the gap of a session renews that session: it goes, and its votes and
-- the stretch's are cut into sessions again. No other session can come near, because two sessions
-- of a person are further apart than the gap. Sessions don't overlap, so those near a stretch are
-- the ones that start around it and the last one that started earlier.
WITH touched AS (
    SELECT * FROM unnest(
        %(accounts)s::bigint[], %(people)s::bigint[], %(firsts)s::bigint[], %(lasts)s::bigint[]
    ) AS stretch (account_id, person_id, first, last)
),
near AS (
    SELECT session.id
    FROM touched CROSS JOIN LATERAL (
        SELECT id FROM activities_session AS session
        WHERE session.account_id = touched.account_id AND session.person_id = touched.person_id
            AND session.first BETWEEN touched.first - %(gap)s AND touched.last + %(gap)s
        OFFSET 0
    ) AS session
    UNION
    SELECT session.id
    FROM touched CROSS JOIN LATERAL (
        SELECT id, last FROM activities_session AS session
        WHERE session.account_id = touched.account_id AND session.person_id = touched.person_id
            AND session.first < touched.first - %(gap)s
        ORDER BY session.first DESC LIMIT 1
    ) AS session
    WHERE session.last >= touched.first - %(gap)s
),
gone AS (
    DELETE FROM activities_session AS session
    WHERE id = ANY (ARRAY(SELECT id FROM near))
    RETURNING account_id, person_id, first, last
),
renewed AS (
    SELECT *, max(last) OVER (
        PARTITION BY account_id, person_id ORDER BY first
        GROUPS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING
    ) AS before
    FROM (SELECT * FROM touched UNION ALL SELECT * FROM gone) AS both_kinds
),
placed_stretch AS (
    SELECT *, max(first) FILTER (WHERE before IS NULL OR first - before > %(gap)s) OVER (
        PARTITION BY account_id, person_id ORDER BY first RANGE UNBOUNDED PRECEDING
    ) AS opening
    FROM renewed
),
stretch AS (
    SELECT account_id, person_id, opening AS first, max(last) AS last
    FROM placed_stretch GROUP BY account_id, person_id, opening
),
verb_vote AS (
    SELECT vote.account_id, vote.person_id, vote.minute, verb.id AS verb_id, verb.rank,
        vote.first, vote.last
    FROM stretch CROSS JOIN LATERAL (  -- OFFSET 0: one index scan a stretch, whatever its size
        SELECT * FROM activities_vote AS vote
        WHERE vote.account_id = stretch.account_id AND vote.person_id = stretch.person_id
            AND vote.minute BETWEEN stretch.first / %(minute)s - 1 AND stretch.last / %(minute)s
            AND vote.first >= stretch.first AND vote.last <= stretch.last
        OFFSET 0
    ) AS vote
    JOIN activities_action AS action ON action.id = vote.action_id
    JOIN activities_verb AS verb ON verb.id = action.verb_id
),
$sessions_of_votes
INSERT INTO activities_session (account_id, person_id, verb_id, first, last)
SELECT account_id, person_id, verb_id, first, last FROM session
