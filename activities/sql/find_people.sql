-- The rows of people named by the product's ids of them and of their accounts.
--
-- They can't be deleted until the transaction ends: what is written about them stays theirs.
SELECT account.external_id, person.external_id, account.id, person.id
FROM unnest(%(accounts)s::text[], %(people)s::text[]) AS named (account, person)
JOIN facts_account AS account ON account.external_id = named.account
JOIN facts_person AS person
    ON person.account_id = account.id AND person.external_id = named.person
FOR KEY SHARE
