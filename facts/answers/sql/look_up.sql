-- The answer in force for a question and what its fact says, by the fact's unique index and the
-- index of answers in force. Parameters: account, key.
SELECT
    answer.id,
    answer.query,
    answer.dialect,
    answer.params,
    answer.analysis,
    answer.schema,
    answer.rejected_at IS NOT NULL,
    answer.schema_changed_at IS NOT NULL,
    fact.digest = answer.value_digest,
    fact.support,
    fact.refute,
    date_part('epoch', fact.evidence_at),
    date_part('epoch', fact.confirmed_at),
    date_part('epoch', fact.refuted_at),
    fact.verified_at IS NOT NULL
FROM facts_fact AS fact
JOIN facts_answer AS answer ON answer.fact_id = fact.id AND answer.state = 'proposed'
WHERE fact.account_id = %(account)s
    AND fact.person_id IS NULL
    AND fact.namespace = 'answer'
    AND fact.kind = 'question'
    AND fact.key = %(key)s
