-- Files requests: each fact keeps its newest request's time, a fact nobody measured yet gets its
-- row, and an asker's requests of one UTC day are one line of its history.
WITH wanted AS (
    SELECT DISTINCT namespace, kind, key
    FROM unnest(%(namespaces)s::text[], %(kinds)s::text[], %(keys)s::text[])
        AS line (namespace, kind, key)
),
asked AS (
    INSERT INTO facts_fact AS fact (
        account_id, person_id, namespace, kind, key, digest, version, requested_at, failure,
        refuted, support, refute, built_from, built_by
    )
    SELECT
        %(account)s, %(person)s::bigint, namespace, kind, key, '', 0, %(now)s, '', false, 0, 0,
        '', ''
    FROM wanted
    ORDER BY namespace, kind, key
    ON CONFLICT (account_id, person_id, namespace, kind, key) DO UPDATE
        SET requested_at = greatest(fact.requested_at, excluded.requested_at)
    RETURNING fact.id
),
noted AS (
    INSERT INTO facts_observation AS line (
        account_id, fact_id, by, day, outcome, counted, count, first_at, last_at, digest, failure
    )
    SELECT
        %(account)s, id, %(asker)s, %(day)s, 'requested', false, 1, %(now)s, %(now)s, '', ''
    FROM asked
    ON CONFLICT (fact_id, by, day, outcome) WHERE outcome IN ('requested', 'used') DO UPDATE
        SET count = line.count + 1,
            first_at = least(line.first_at, excluded.first_at),
            last_at = greatest(line.last_at, excluded.last_at)
)
SELECT id FROM asked
