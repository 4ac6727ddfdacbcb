-- The sessions an account would have with another registry: a part of tallies.sql.
--
-- The registry comes as arrays, and every session is made from the votes, the stored ones unread.
registry AS (
    SELECT * FROM unnest(%(actions)s::integer[], %(verbs)s::bigint[], %(ranks)s::integer[])
        AS registry (action_id, verb_id, rank)
),
verb_vote AS (
    SELECT vote.account_id, vote.person_id, vote.minute, registry.verb_id, registry.rank,
        vote.first, CASE WHEN vote.last < %(as_of)s THEN vote.last ELSE vote.first END AS last
    FROM activities_vote AS vote JOIN registry USING (action_id)
    WHERE vote.account_id = %(account)s AND vote.first < %(as_of)s
),
$sessions_of_votes,
existing AS (
    SELECT person_id, verb_id, first, last FROM session WHERE first >= %(opens)s
)
