-- Counts the demand of the given checks anew and returns those that have another than before. A
-- target that reads several facts of a check wants it once. Parameter: checks, in the order of keys.
WITH locked AS (
    SELECT id, demand FROM facts_check WHERE id = ANY(%(checks)s::bigint[]) ORDER BY id
    FOR NO KEY UPDATE
),
places AS (
    SELECT
        fact.settled_by_id AS id, fact.account_id, fact.person_id,
        fact.namespace || ':' || fact.kind || ':' AS kind,
        fact.key
    FROM facts_fact AS fact
    WHERE fact.settled_by_id = ANY(%(checks)s::bigint[])
),
refs AS (
    SELECT id, account_id, person_id, kind || key AS ref FROM places
    UNION ALL
    SELECT DISTINCT id, account_id, person_id, kind FROM places
    UNION ALL
    SELECT DISTINCT id, account_id, person_id, kind || substr(key, 1, cut)
    FROM places, generate_series(1, length(key)) AS cut
    WHERE substr(key, cut, 1) = '|'
),
dependents AS (
    SELECT DISTINCT refs.id, dependency.dependent_id
    FROM refs
    JOIN facts_dependency AS dependency USING (account_id, ref)
    WHERE dependency.person_id IS NULL OR dependency.person_id = refs.person_id
),
sums AS (
    SELECT dependents.id, sum(dependent.wanted + dependent.demand) AS demand
    FROM dependents
    JOIN facts_check AS dependent ON dependent.id = dependents.dependent_id
    WHERE dependent.id <> dependents.id
    GROUP BY dependents.id
)
UPDATE facts_check AS counted
SET demand = coalesce(sums.demand, 0)
FROM locked
LEFT JOIN sums USING (id)
WHERE counted.id = locked.id AND locked.demand <> coalesce(sums.demand, 0)
RETURNING counted.id
