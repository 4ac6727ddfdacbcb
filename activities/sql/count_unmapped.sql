-- Count the names that the registry doesn't have, per account, person and name.
--
-- An account has room for a number of names; further ones are not written down, those that are
-- there count on. The account is locked, so nobody else takes the room meanwhile.
WITH strange AS (
    SELECT * FROM unnest(
        %(accounts)s::bigint[], %(people)s::bigint[], %(names)s::text[], %(counts)s::bigint[],
        %(lasts)s::timestamptz[]
    ) AS strange (account_id, person_id, name, count, last_at)
),
known AS (
    SELECT DISTINCT account_id, name FROM activities_unmappedaction
    WHERE account_id = ANY (%(accounts)s::bigint[])
),
newcomer AS (
    SELECT account_id, name,
        row_number() OVER (PARTITION BY account_id ORDER BY sum(count) DESC, name)
            + (SELECT count(*) FROM known WHERE known.account_id = strange.account_id) AS place
    FROM strange
    WHERE NOT EXISTS (
        SELECT FROM known
        WHERE known.account_id = strange.account_id AND known.name = strange.name
    )
    GROUP BY account_id, name
)
INSERT INTO activities_unmappedaction AS unmapped (account_id, person_id, name, count, last_at)
SELECT account_id, person_id, name, count, last_at FROM strange
WHERE NOT EXISTS (
    SELECT FROM newcomer
    WHERE newcomer.account_id = strange.account_id AND newcomer.name = strange.name
        AND place > %(room)s
)
ORDER BY account_id, name, person_id
ON CONFLICT (account_id, name, person_id) DO UPDATE
SET count = unmapped.count + excluded.count,
    last_at = greatest(unmapped.last_at, excluded.last_at)
