-- The sources with something due that may be read now, the one whose check is due longest first:
-- budget is left, it answers or may be tried again, and fewer of its checks are under way than it
-- allows. Parameters: now, until (what is due by then), account (or NULL), freely (spend what is
-- not there, and try what is down), without (sources to leave out), limit.
SELECT source.id
FROM facts_source AS source
JOIN facts_ledger AS ledger ON ledger.source_id = source.id
CROSS JOIN LATERAL (
    SELECT checks.due_at
    FROM facts_check AS checks
    WHERE checks.source_id = source.id AND checks.lease_until IS NULL
        AND checks.due_at <= %(until)s
    ORDER BY checks.due_at
    LIMIT 1
) AS first
WHERE (%(account)s::bigint IS NULL OR source.account_id = %(account)s)
    AND source.id <> ALL(%(without)s::bigint[])
    AND (
        %(freely)s
        OR (
            {credit} > 0
            AND (ledger.retry_at IS NULL OR ledger.retry_at <= %(now)s)
        )
    )
    AND (
        SELECT count(*)
        FROM facts_check AS leased
        WHERE leased.source_id = source.id AND leased.lease_until IS NOT NULL
    ) < CASE WHEN ledger.failures > 0 THEN 1 ELSE source.concurrency END
ORDER BY first.due_at
LIMIT %(limit)s
