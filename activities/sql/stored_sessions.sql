-- The sessions of an account that exist at a moment, as they are stored: a part of tallies.sql.
--
-- No event at or after the moment exists. A session that goes on beyond it is cut there and
-- labelled anew from its votes; at the present there is none, and this costs nothing. Of a vote
-- that began before the moment and ended after it only the beginning is known to exist.
open_session AS (
    SELECT account_id, person_id, first, last FROM activities_session
    WHERE account_id = %(account)s AND first >= %(opens)s AND first < %(as_of)s
        AND last >= %(as_of)s
),
verb_vote AS (
    SELECT vote.account_id, vote.person_id, vote.minute, verb.id AS verb_id, verb.rank,
        vote.first, CASE WHEN vote.last < %(as_of)s THEN vote.last ELSE vote.first END AS last
    FROM open_session CROSS JOIN LATERAL (
        SELECT * FROM activities_vote AS vote
        WHERE vote.account_id = open_session.account_id
            AND vote.person_id = open_session.person_id
            AND vote.minute BETWEEN open_session.first / %(minute)s - 1 AND %(as_of)s / %(minute)s
            AND vote.first >= open_session.first AND vote.first < %(as_of)s
        OFFSET 0
    ) AS vote
    JOIN activities_action AS action ON action.id = vote.action_id
    JOIN activities_verb AS verb ON verb.id = action.verb_id
),
$sessions_of_votes,
existing AS (
    SELECT person_id, verb_id, first, last FROM activities_session
    WHERE account_id = %(account)s AND first >= %(opens)s AND first < %(as_of)s
        AND last < %(as_of)s
    UNION ALL
    SELECT person_id, verb_id, first, last FROM session
)
