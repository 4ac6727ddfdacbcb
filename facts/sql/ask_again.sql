-- Files requests for facts that stand, whomever they are about. A fact that is open already stays as
-- it is: it will be measured anyway. Parameters: account, ids, asker, day, now.
WITH wanted AS (
    SELECT id
    FROM facts_fact
    WHERE account_id = %(account)s
        AND id = ANY(%(ids)s::bigint[])
        AND (requested_at IS NULL OR requested_at < measured_from)
    ORDER BY id
    FOR NO KEY UPDATE
),
asked AS (
    UPDATE facts_fact AS fact
    SET requested_at = %(now)s
    FROM wanted
    WHERE fact.id = wanted.id
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
