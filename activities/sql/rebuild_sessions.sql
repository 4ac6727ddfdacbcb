-- Make all sessions of an account anew from all its votes, after the old ones are deleted.
WITH verb_vote AS (
    SELECT vote.account_id, vote.person_id, vote.minute, verb.id AS verb_id, verb.rank,
        vote.first, vote.last
    FROM activities_vote AS vote
    JOIN activities_action AS action ON action.id = vote.action_id
    JOIN activities_verb AS verb ON verb.id = action.verb_id
    WHERE vote.account_id = %(account)s
),
$sessions_of_votes
INSERT INTO activities_session (account_id, person_id, verb_id, first, last)
SELECT account_id, person_id, verb_id, first, last FROM session
