-- The checks whose facts the given targets read. Parameter: targets.
-- A dependency's ref is namespace:kind:key; a prefix has the start of a key, or nothing, there.
WITH reads AS (
    SELECT DISTINCT
        account_id, person_id, split_part(ref, ':', 1) AS namespace, split_part(ref, ':', 2) AS kind,
        split_part(ref, ':', 3) AS key
    FROM facts_dependency
    WHERE dependent_id = ANY(%(targets)s::bigint[])
)
SELECT fact.settled_by_id
FROM reads
JOIN facts_fact AS fact USING (account_id, namespace, kind, key)
WHERE reads.person_id IS NOT DISTINCT FROM fact.person_id AND fact.settled_by_id IS NOT NULL
UNION
SELECT fact.settled_by_id
FROM reads
JOIN facts_fact AS fact USING (account_id, namespace, kind)
WHERE (reads.key = '' OR reads.key LIKE '%%|')
    AND starts_with(fact.key, reads.key)
    AND (reads.person_id IS NULL OR reads.person_id = fact.person_id)
    AND fact.settled_by_id IS NOT NULL
