-- Locks the facts of the given targets and of whatever rests on them, in one order for everybody:
-- what is about to be written, and what will be asked for again where that changes. Parameter:
-- targets.
WITH places AS (
    SELECT account_id, person_id, namespace || ':' || kind || ':' AS kind, key
    FROM facts_fact
    WHERE settled_by_id = ANY(%(targets)s::bigint[])
),
refs AS (
    SELECT account_id, person_id, kind || key AS ref FROM places
    UNION ALL
    SELECT DISTINCT account_id, person_id, kind FROM places
    UNION ALL
    SELECT DISTINCT account_id, person_id, kind || substr(key, 1, cut)
    FROM places, generate_series(1, length(key)) AS cut
    WHERE substr(key, cut, 1) = '|'
),
touched AS (
    SELECT unnest(%(targets)s::bigint[]) AS id
    UNION
    SELECT dependency.dependent_id
    FROM refs
    JOIN facts_dependency AS dependency USING (account_id, ref)
    WHERE dependency.person_id IS NULL OR dependency.person_id = refs.person_id
)
SELECT id
FROM facts_fact
WHERE settled_by_id IN (SELECT id FROM touched)
ORDER BY id
FOR NO KEY UPDATE
