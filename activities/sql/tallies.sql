-- What the sessions in the window come to: one row per person and verb that may reach the bar.
--
-- The window holds the sessions that start inside it. Machines are neither judged nor compared
-- with. A session's day is the local date of its first event in the person's zone, else the
-- account's. The bar itself is applied by rules.py; here only what can't reach it is left out.
WITH $sessions,
counted AS (
    SELECT existing.*, coalesce(nullif(settings.zone, ''), home.zone, 'UTC') AS zone
    FROM existing
    LEFT JOIN activities_personsettings AS settings USING (person_id)
    LEFT JOIN activities_accountsettings AS home ON home.account_id = %(account)s
    WHERE settings.service IS NOT TRUE
),
tally AS (
    SELECT person_id, verb_id, zone, count(*) AS sessions, min(first) AS first, max(last) AS last,
        count(DISTINCT (
            (timestamptz 'epoch' + first * interval '1 microsecond') AT TIME ZONE zone
        )::date) AS days,
        sum(count(*)) OVER (PARTITION BY verb_id) AS everybody
    FROM counted GROUP BY person_id, verb_id, zone
)
SELECT person.external_id, verb_id, tally.sessions, tally.days,
    everybody - tally.sessions AS others,
    (SELECT count(*) FROM (SELECT FROM counted GROUP BY person_id) AS active) - 1 AS colleagues,
    tally.first, tally.last
FROM tally
JOIN facts_person AS person
    ON person.account_id = %(account)s AND person.id = tally.person_id
WHERE tally.sessions >= %(min_sessions)s AND tally.days >= %(min_days)s
ORDER BY person.external_id, verb_id
