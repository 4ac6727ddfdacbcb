-- What the due times of the given checks of sources follow from. A request is open from the moment
-- that the fact's newest measurement started. What was asked for or had lapsed before the last
-- check is no reason for another: that one could not measure it. A check that is due because trust
-- lapsed, or because of a question, stays so until it is made. Parameters: checks, own (patterns of
-- the names under which Ken itself asks), lapse (the one of them that asks for what lapsed), since
-- (the start of use), now.
SELECT
    checks.id, checks.cost, checks.a, checks.b, checks.last_checked, checks.failures,
    checks.demand, checks.due_at, checks.due_because,
    coalesce(ledger.threshold, 0) AS threshold,
    coalesce(ledger.longest_wait, 30) AS longest_wait,
    coalesce(said.askers, 0) AS askers,
    coalesce(said.uses, 0) AS uses,
    least(
        facts.lapses_at,
        said.lapsed_at,
        CASE WHEN checks.due_because = 'lapse' AND checks.due_at <= %(now)s THEN checks.due_at END
    ) AS lapses_at,
    least(
        facts.asked_at, CASE WHEN checks.due_because = 'asked' THEN checks.due_at END
    ) AS asked_at
FROM facts_check AS checks
LEFT JOIN facts_ledger AS ledger USING (source_id)
LEFT JOIN LATERAL (
    SELECT
        min(fact.trust_lapses_at) FILTER (
            WHERE fact.trust_lapses_at > checks.last_checked
        ) AS lapses_at,
        max(fact.requested_at) FILTER (
            WHERE fact.measured_from IS NULL AND fact.requested_at > checks.last_checked
        ) AS asked_at
    FROM facts_fact AS fact
    WHERE fact.settled_by_id = checks.id
) AS facts ON true
LEFT JOIN LATERAL (
    SELECT
        count(DISTINCT line.by) FILTER (
            WHERE line.outcome = 'requested' AND line.by NOT LIKE ALL(%(own)s)
                AND (fact.measured_from IS NULL OR line.last_at >= fact.measured_from)
        ) AS askers,
        sum(line.count) FILTER (WHERE line.outcome = 'used' AND line.last_at >= %(since)s) AS uses,
        min(line.last_at) FILTER (
            WHERE line.outcome = 'requested' AND line.by = %(lapse)s
                AND line.last_at > checks.last_checked
        ) AS lapsed_at
    FROM facts_fact AS fact
    JOIN facts_observation AS line ON line.fact_id = fact.id
    WHERE fact.settled_by_id = checks.id AND line.outcome IN ('requested', 'used')
) AS said ON true
WHERE checks.id = ANY(%(checks)s) AND checks.source_id IS NOT NULL
ORDER BY checks.id
