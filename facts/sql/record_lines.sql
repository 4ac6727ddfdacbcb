-- Notes what was said of facts that stand, each so many times. Uses of a day by one asker are one
-- line.
INSERT INTO facts_observation AS line (
    account_id, fact_id, by, day, outcome, counted, count, first_at, last_at, digest, failure
)
SELECT
    %(account)s, fact.id, %(asker)s, %(day)s, %(outcome)s, false, wanted.times, %(now)s, %(now)s, '', ''
FROM unnest(%(namespaces)s::text[], %(kinds)s::text[], %(keys)s::text[], %(times)s::int[])
    AS wanted (namespace, kind, key, times)
JOIN facts_fact AS fact
    ON fact.account_id = %(account)s
    AND fact.person_id IS NOT DISTINCT FROM %(person)s::bigint
    AND fact.namespace = wanted.namespace
    AND fact.kind = wanted.kind
    AND fact.key = wanted.key
ORDER BY fact.id
ON CONFLICT (fact_id, by, day, outcome) WHERE outcome IN ('requested', 'used') DO UPDATE
    SET count = line.count + excluded.count,
        first_at = least(line.first_at, excluded.first_at),
        last_at = greatest(line.last_at, excluded.last_at)
