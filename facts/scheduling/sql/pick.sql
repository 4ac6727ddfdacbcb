-- Picks and locks what is due of sources whose ledgers are locked, due longest first: as much as
-- each has room and budget for. What another process is picking is skipped. The last one picked may
-- cost more than is left: what is overspent is paid back before the next.
-- Parameters: now, until, sources, freely, limit.
WITH open AS (
    SELECT
        source.id,
        {credit} AS credit,
        CASE WHEN ledger.failures > 0 THEN 1 ELSE source.concurrency END - (
            SELECT count(*)
            FROM facts_check AS leased
            WHERE leased.source_id = source.id AND leased.lease_until IS NOT NULL
        ) AS room
    FROM facts_source AS source
    JOIN facts_ledger AS ledger ON ledger.source_id = source.id
    WHERE source.id = ANY(%(sources)s)
)
SELECT picked.id
FROM (
    SELECT
        due.id, due.due_at, open.credit,
        sum(due.cost) OVER (PARTITION BY open.id ORDER BY due.due_at, due.id) - due.cost AS before
    FROM open
    CROSS JOIN LATERAL (
        SELECT checks.id, checks.due_at, checks.cost
        FROM facts_check AS checks
        WHERE checks.source_id = open.id AND checks.lease_until IS NULL
            AND checks.due_at <= %(until)s
        ORDER BY checks.due_at
        LIMIT least(greatest(open.room, 0), %(limit)s)
        FOR NO KEY UPDATE SKIP LOCKED
    ) AS due
) AS picked
WHERE %(freely)s OR picked.before < picked.credit
ORDER BY picked.due_at
LIMIT %(limit)s
