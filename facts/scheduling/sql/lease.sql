-- Leases picked checks, counts the claim, and takes what they are expected to cost from the credit
-- of their sources. Parameters: checks, lease_until, now.
WITH leased AS (
    UPDATE facts_check
    SET lease_until = %(lease_until)s, claims = claims + 1
    WHERE id = ANY(%(checks)s)
    RETURNING id, source_id, claims, cost
),
charged AS (
    UPDATE facts_ledger AS ledger
    SET credit = {credit} - costs.cost, credited_at = %(now)s
    FROM (SELECT source_id, sum(cost) AS cost FROM leased GROUP BY source_id) AS costs
    JOIN facts_source AS source ON source.id = costs.source_id
    WHERE ledger.source_id = costs.source_id
)
SELECT id, claims FROM leased
