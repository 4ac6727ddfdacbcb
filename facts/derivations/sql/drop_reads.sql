-- Forgets that targets rest on places they read no longer. Parameters: targets, refs, people.
DELETE FROM facts_dependency AS dependency
USING unnest(%(targets)s::bigint[], %(refs)s::text[], %(people)s::bigint[])
    AS gone (dependent_id, ref, person_id)
WHERE dependency.dependent_id = gone.dependent_id
    AND dependency.ref = gone.ref
    AND dependency.person_id IS NOT DISTINCT FROM gone.person_id
