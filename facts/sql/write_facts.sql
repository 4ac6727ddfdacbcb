-- Writes what was decided: facts that stand are updated (their rows are locked), new ones are
-- inserted, and each that was written gets its line of history. A row somebody else inserted
-- meanwhile is not returned: that line lost its race.
WITH decided AS (
    SELECT *
    FROM unnest(
        %(ordinals)s::int[], %(accounts)s::bigint[], %(askers)s::text[], %(checks)s::bigint[],
        %(ids)s::bigint[], %(namespaces)s::text[], %(kinds)s::text[], %(keys)s::text[],
        %(people)s::bigint[], %(values)s::text[], %(keeps)s::boolean[],
        %(digests)s::text[], %(versions)s::bigint[], %(measured_from)s::timestamptz[],
        %(measured_at)s::timestamptz[], %(failures)s::text[], %(refuted)s::boolean[],
        %(supports)s::float8[], %(refutes)s::float8[], %(evidence_at)s::timestamptz[],
        %(confirmed_at)s::timestamptz[], %(refuted_at)s::timestamptz[], %(lapses)s::timestamptz[],
        %(built_from)s::text[], %(built_by)s::text[], %(outcomes)s::text[],
        %(counted)s::boolean[], %(line_digests)s::text[], %(figures)s::text[]
    ) AS line (
        ordinal, account_id, asker, check_id, id, namespace, kind, key, person_id, value, keeps,
        digest, version, measured_from, measured_at, failure, refuted, support, refute, evidence_at,
        confirmed_at, refuted_at, trust_lapses_at, built_from, built_by, outcome, counted,
        line_digest, figures
    )
),
updated AS (
    UPDATE facts_fact AS fact
    SET value = CASE WHEN decided.keeps THEN fact.value ELSE decided.value::jsonb END,
        digest = decided.digest,
        version = decided.version,
        measured_from = decided.measured_from,
        measured_at = decided.measured_at,
        failure = decided.failure,
        refuted = decided.refuted,
        support = decided.support,
        refute = decided.refute,
        evidence_at = decided.evidence_at,
        confirmed_at = decided.confirmed_at,
        refuted_at = decided.refuted_at,
        trust_lapses_at = decided.trust_lapses_at,
        built_from = CASE WHEN decided.keeps THEN fact.built_from ELSE decided.built_from END,
        built_by = CASE WHEN decided.keeps THEN fact.built_by ELSE decided.built_by END,
        settled_by_id = coalesce(decided.check_id, fact.settled_by_id)
    FROM decided
    WHERE fact.id = decided.id
    RETURNING fact.id, decided.ordinal
),
inserted AS (
    INSERT INTO facts_fact (
        account_id, person_id, namespace, kind, key, value, digest, version, measured_from,
        measured_at, failure, refuted, support, refute, evidence_at, confirmed_at, refuted_at,
        trust_lapses_at, built_from, built_by, settled_by_id
    )
    SELECT
        account_id, person_id, namespace, kind, key, value::jsonb, digest, version, measured_from,
        measured_at, failure, refuted, support, refute, evidence_at, confirmed_at, refuted_at,
        trust_lapses_at, built_from, built_by, check_id
    FROM decided
    WHERE id IS NULL
    ORDER BY account_id, person_id, namespace, kind, key
    ON CONFLICT (account_id, person_id, namespace, kind, key) DO NOTHING
    RETURNING id, account_id, person_id, namespace, kind, key
),
written AS (
    SELECT id, ordinal FROM updated
    UNION ALL
    SELECT inserted.id, decided.ordinal
    FROM inserted
    JOIN decided USING (account_id, namespace, kind, key)
    WHERE decided.id IS NULL AND decided.person_id IS NOT DISTINCT FROM inserted.person_id
),
noted AS (
    INSERT INTO facts_observation (
        account_id, fact_id, by, day, outcome, counted, count, first_at, last_at, digest, failure,
        figures
    )
    SELECT
        decided.account_id, written.id, decided.asker, %(day)s, decided.outcome, decided.counted, 1,
        %(now)s, %(now)s, decided.line_digest, decided.failure, decided.figures::jsonb
    FROM written
    JOIN decided USING (ordinal)
)
SELECT id, ordinal FROM written ORDER BY ordinal
