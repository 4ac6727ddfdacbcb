-- What the given targets rest on: the keys of the facts at each place they read, in the order that a
-- target reads them in. Facts of nobody, of somebody and of everybody are parts so that each finds
-- its rows by the unique index. Parameters: targets, most.
WITH reads AS (
    SELECT DISTINCT
        account_id, person_id, ref, split_part(ref, ':', 1) AS namespace,
        split_part(ref, ':', 2) AS kind, split_part(ref, ':', 3) AS key,
        right(ref, 1) IN (':', '|') AS is_prefix
    FROM facts_dependency
    WHERE dependent_id = ANY(%(targets)s::bigint[])
),
found AS (
    SELECT reads.account_id, reads.ref, reads.person_id, fact.id
    FROM reads
    JOIN facts_fact AS fact USING (account_id, namespace, kind, key)
    WHERE NOT reads.is_prefix AND reads.person_id IS NULL AND fact.person_id IS NULL
    UNION ALL
    SELECT reads.account_id, reads.ref, reads.person_id, fact.id
    FROM reads
    JOIN facts_fact AS fact USING (account_id, person_id, namespace, kind, key)
    WHERE NOT reads.is_prefix
    UNION ALL
    SELECT reads.account_id, reads.ref, reads.person_id, fact.id
    FROM reads
    JOIN facts_fact AS fact USING (account_id, namespace, kind)
    WHERE reads.is_prefix AND reads.person_id IS NULL AND fact.person_id IS NULL
        AND starts_with(fact.key, reads.key)
    UNION ALL
    SELECT reads.account_id, reads.ref, reads.person_id, fact.id
    FROM reads
    JOIN facts_fact AS fact USING (account_id, namespace, kind)
    WHERE reads.is_prefix AND reads.namespace = 'user' AND starts_with(fact.key, reads.key)
        AND coalesce(reads.person_id = fact.person_id, fact.person_id IS NOT NULL)
)
SELECT found.account_id, found.ref, found.person_id, found.id
FROM found
JOIN facts_fact AS fact USING (id)
ORDER BY fact.namespace, fact.kind, fact.key, fact.person_id
LIMIT %(most)s
