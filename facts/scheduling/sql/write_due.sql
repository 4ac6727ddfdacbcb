-- Writes what was reckoned of checks; a last check that a clock which jumped back left in the future
-- is now. Parameters: now, and arrays with one entry a check.
UPDATE facts_check AS checks
SET askers = reckoned.askers,
    use = reckoned.use,
    weight = reckoned.weight,
    due_at = reckoned.due_at,
    due_because = reckoned.due_because,
    last_checked = least(checks.last_checked, %(now)s)
FROM unnest(
    %(ids)s::bigint[], %(askers)s::int[], %(uses)s::float8[], %(weights)s::float8[],
    %(due_at)s::timestamptz[], %(because)s::text[]
) AS reckoned (id, askers, use, weight, due_at, due_because)
WHERE checks.id = reckoned.id
