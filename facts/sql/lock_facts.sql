-- Locks the facts at the given refs, in one order for everybody, and says what a decision needs. A
-- fact of somebody and a fact of nobody are two halves so that each finds its rows by the unique
-- index. Parameters: day, accounts, askers, namespaces, kinds, keys, people.
SELECT
    fact.id,
    wanted.ordinal,
    fact.version,
    fact.digest,
    date_part('epoch', fact.measured_from),
    date_part('epoch', fact.measured_at),
    fact.failure,
    fact.support,
    fact.refute,
    date_part('epoch', fact.evidence_at),
    date_part('epoch', fact.confirmed_at),
    date_part('epoch', fact.refuted_at),
    date_part('epoch', fact.verified_at),
    date_part('epoch', fact.requested_at),
    fact.settled_by_id,
    date_part('epoch', fact.trust_lapses_at),
    fact.verified_by_id,
    EXISTS (
        SELECT FROM facts_observation AS line
        WHERE line.fact_id = fact.id
            AND line.by = wanted.asker
            AND line.day = %(day)s
            AND line.outcome = 'confirmed'
            AND line.counted
    ) AS counted_today
FROM unnest(
    %(accounts)s::bigint[], %(askers)s::text[], %(namespaces)s::text[], %(kinds)s::text[],
    %(keys)s::text[], %(people)s::bigint[]
) WITH ORDINALITY AS wanted (account_id, asker, namespace, kind, key, person_id, ordinal)
JOIN facts_fact AS fact
    ON fact.account_id = wanted.account_id
    AND {whose}
    AND fact.namespace = wanted.namespace
    AND fact.kind = wanted.kind
    AND fact.key = wanted.key
ORDER BY fact.id
FOR NO KEY UPDATE OF fact
