-- The sessions that votes make: a part of other statements, after a CTE of the votes.
--
-- It wants verb_vote (account_id, person_id, minute, verb_id, rank, first, last), which holds every
-- vote of a known verb in the stretches it covers, and gives session (account_id, person_id,
-- verb_id, first, last). A verb counts once a minute whatever its actions. Gaps are between event
-- times: from the last instant of all minutes before to the first of this one (within a minute
-- nothing can split). The label is the verb with the most minutes, in a tie the better rank.
ballot AS (
    SELECT account_id, person_id, minute, verb_id, rank, min(first) AS first, max(last) AS last
    FROM verb_vote GROUP BY account_id, person_id, minute, verb_id, rank
),
framed AS (  -- GROUPS and RANGE: what shares a minute is never told apart
    SELECT *,
        min(first) OVER (PARTITION BY account_id, person_id, minute) AS opens,
        max(last) OVER (
            PARTITION BY account_id, person_id ORDER BY minute
            GROUPS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING
        ) AS before
    FROM ballot
),
placed AS (  -- a session is known by its opening minute
    SELECT *, max(minute) FILTER (WHERE before IS NULL OR opens - before > %(gap)s) OVER (
        PARTITION BY account_id, person_id ORDER BY minute RANGE UNBOUNDED PRECEDING
    ) AS opening
    FROM framed
),
tallied AS (
    SELECT account_id, person_id, opening, verb_id, rank,
        count(*) AS minutes, min(first) AS first, max(last) AS last
    FROM placed GROUP BY account_id, person_id, opening, verb_id, rank
),
session AS (
    SELECT account_id, person_id, min(first) AS first, max(last) AS last,
        (array_agg(verb_id ORDER BY minutes DESC, rank))[1] AS verb_id
    FROM tallied GROUP BY account_id, person_id, opening
)
