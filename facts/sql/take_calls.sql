-- Takes a lease of calls for a token, and notes its use. Returns nothing where all calls of the
-- window are taken. Parameters: token, now, before and after (one window away), lease, limit.
UPDATE facts_token
SET calls = least(
        CASE WHEN calls_from > %(before)s AND calls_from < %(after)s THEN calls ELSE 0 END
            + %(lease)s,
        %(limit)s
    ),
    calls_from = CASE
        WHEN calls_from > %(before)s AND calls_from < %(after)s THEN calls_from ELSE %(now)s
    END,
    last_used_at = greatest(last_used_at, %(now)s)
WHERE id = %(token)s
    AND (
        calls_from IS NULL
        OR calls < %(limit)s
        OR calls_from <= %(before)s
        OR calls_from >= %(after)s
    )
RETURNING calls, calls_from
