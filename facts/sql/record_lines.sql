-- Notes what was said of facts that stand. Uses of a day by one asker are one line.
INSERT INTO facts_observation AS line (
    account_id, fact_id, by, day, outcome, counted, count, first_at, last_at, digest, failure
)
SELECT
    %(account)s, fact.id, %(asker)s, %(day)s, %(outcome)s, false, 1, %(now)s, %(now)s, '', ''
FROM unnest(%(namespaces)s::text[], %(kinds)s::text[], %(keys)s::text[])
    AS wanted (namespace, kind, key)
JOIN facts_fact AS fact
    ON fact.account_id = %(account)s
    AND fact.person_id IS NOT DISTINCT FROM %(person)s::bigint
    AND fact.namespace = wanted.namespace
    AND fact.kind = wanted.kind
    AND fact.key = wanted.key
ORDER BY fact.id
ON CONFLICT (fact_id, by, day, outcome) WHERE outcome IN ('requested', 'used') DO UPDATE
    SET count = line.count + 1,
        first_at = least(line.first_at, excluded.first_at),
        last_at = greatest(line.last_at, excluded.last_at)
