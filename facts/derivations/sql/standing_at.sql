-- Where facts stand that a target did not build before: which of the given places, and the version.
-- One measured since the run began is left out. Parameters: accounts, namespaces, kinds, keys, began.
SELECT wanted.ordinal - 1, person.external_id, fact.version
FROM unnest(%(accounts)s::bigint[], %(namespaces)s::text[], %(kinds)s::text[], %(keys)s::text[])
    WITH ORDINALITY AS wanted (account_id, namespace, kind, key, ordinal)
JOIN facts_fact AS fact USING (account_id, namespace, kind, key)
LEFT JOIN facts_person AS person ON person.id = fact.person_id
WHERE fact.measured_at IS NULL OR fact.measured_at < %(began)s
