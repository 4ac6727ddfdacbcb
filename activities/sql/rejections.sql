-- How many of the people a verb was inferred for reject it, by account and verb.
--
-- Somebody it was inferred for has the activity now, or had it and says that it is not theirs. A
-- high share shows a wrong mapping. The ref of an activity spells the verb with %%, | and : encoded.
WITH standing AS (
    SELECT account_id, person_id, verb_id, kind FROM activities_feedback
    WHERE withdrawn_at IS NULL AND (kind = 'not-mine' OR at > %(hidden_since)s)
),
inferred AS (
    SELECT said.account_id, said.verb_id, fact.person_id
    FROM (SELECT DISTINCT account_id, verb_id FROM standing) AS said
    JOIN activities_verb AS verb ON verb.id = said.verb_id
    JOIN facts_fact AS fact
        ON fact.account_id = said.account_id
        AND fact.namespace = 'user' AND fact.kind = 'activity'
        AND fact.key = replace(replace(replace(verb.name, '%%', '%%25'), '|', '%%7C'), ':', '%%3A')
    WHERE fact.value IS NOT NULL AND NOT fact.value ? 'absent'
    UNION
    SELECT account_id, verb_id, person_id FROM standing
),
counted AS (
    SELECT account_id, verb_id,
        count(DISTINCT person_id) AS people,
        count(DISTINCT person_id) FILTER (WHERE standing.kind = 'not-mine') AS rejecting,
        count(DISTINCT person_id) FILTER (WHERE standing.kind = 'hide') AS hiding
    FROM inferred LEFT JOIN standing USING (account_id, person_id, verb_id)
    GROUP BY account_id, verb_id
)
SELECT account.external_id, verb.id, verb.title, people, rejecting, hiding
FROM counted
JOIN facts_account AS account ON account.id = account_id
JOIN activities_verb AS verb ON verb.id = verb_id
ORDER BY rejecting::numeric / people DESC, rejecting DESC, account.external_id, verb.title
LIMIT %(limit)s
