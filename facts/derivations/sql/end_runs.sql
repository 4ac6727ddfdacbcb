-- Writes what targets have become, whose rows are locked. What a run did not build stays as built; a
-- lease that is another's by now stays too. Parameters: now, and a column for each below.
UPDATE facts_check AS target
SET failures = ended.failures,
    due_at = ended.due_at,
    built_from = coalesce(ended.built_from, target.built_from),
    built_parts = coalesce(ended.built_parts::jsonb, target.built_parts),
    built_by = ended.built_by,
    wanted = ended.wanted,
    weight = 1 + ended.wanted + target.demand,
    last_checked = %(now)s,
    lease_until = CASE WHEN ended.is_ours THEN NULL ELSE target.lease_until END
FROM unnest(
    %(ids)s::bigint[], %(failures)s::int[], %(due_at)s::timestamptz[], %(built_from)s::text[],
    %(built_parts)s::text[], %(built_by)s::text[], %(wanted)s::float8[], %(is_ours)s::boolean[]
) AS ended (id, failures, due_at, built_from, built_parts, built_by, wanted, is_ours)
WHERE target.id = ended.id
