-- What the thresholds of sources are solved over: each source's means and up to so many of its
-- checks, at random, with all of theirs summed up. Parameters: now, overdue (since when), solved
-- (sources solved after it wait), sample, limit.
WITH wanted AS (
    SELECT ledger.id, ledger.source_id, ledger.threshold, ledger.applied, source.seconds_per_hour,
        {credit} AS credit
    FROM facts_ledger AS ledger
    JOIN facts_source AS source ON source.id = ledger.source_id
    WHERE ledger.solved_at IS NULL OR ledger.solved_at <= %(solved)s
        OR ledger.solved_at > %(now)s
    ORDER BY ledger.solved_at NULLS FIRST
    LIMIT %(limit)s
)
SELECT
    wanted.id, wanted.source_id, wanted.threshold, wanted.applied, wanted.seconds_per_hour, wanted.credit,
    totals.count, totals.cost, totals.overdue, chosen.checks
FROM wanted
CROSS JOIN LATERAL (
    SELECT
        count(*) AS count,
        coalesce(sum(checks.cost), 0) AS cost,
        coalesce(sum(checks.cost) FILTER (WHERE checks.due_at < %(overdue)s), 0) AS overdue
    FROM facts_check AS checks
    WHERE checks.source_id = wanted.source_id
) AS totals
CROSS JOIN LATERAL (
    SELECT coalesce(array_agg(ARRAY[one.weight, one.cost, one.a, one.b]), '{{}}') AS checks
    FROM (
        SELECT checks.weight, checks.cost, checks.a, checks.b
        FROM facts_check AS checks
        WHERE checks.source_id = wanted.source_id
            AND random() * totals.count < 3 * %(sample)s
        ORDER BY random()
        LIMIT %(sample)s
    ) AS one
) AS chosen
