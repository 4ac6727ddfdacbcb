-- What staff may want to map: names over all accounts, by how often and from how many people.
CREATE VIEW activities_unmappedname AS
SELECT name, sum(count)::bigint AS times, count(DISTINCT person_id) AS people,
    count(DISTINCT account_id) AS accounts, max(last_at) AS last_at
FROM activities_unmappedaction
GROUP BY name
