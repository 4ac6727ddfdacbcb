from datetime import date, timedelta

from readiness.demo import planted, schema, trade
from readiness.demo.company import Company

TODAY = date(2026, 3, 2)


def company(seed="larkspur", orders=700):
    return Company(seed=seed, today=TODAY, orders=orders)


def column(rows, table, name):
    place = schema.columns_of(table).index(name)
    return [row.values[place] for row in rows[table]]


def test_a_seed_and_a_day_make_the_same_rows_every_time():
    rows = trade.rows_of(company(), schema.TABLES)

    assert rows == trade.rows_of(company(), schema.TABLES)
    assert rows != trade.rows_of(company(seed="brasswick"), schema.TABLES)


def test_the_rows_of_a_table_do_not_hang_on_which_others_there_are():
    assert (
        trade.rows_of(company(), ["refunds"])["refunds"]
        == (trade.rows_of(company(), schema.TABLES)["refunds"])
    )


def test_a_row_has_a_value_for_every_column():
    for table, rows in trade.rows_of(company(), schema.TABLES).items():
        assert {len(row.values) for row in rows} == {len(schema.columns_of(table))}


def test_some_orders_are_late_and_some_fields_are_missing():
    rows = trade.rows_of(company(), schema.TABLES)
    promised, shipped = column(rows, "orders", "promised_at"), column(rows, "orders", "shipped_at")
    late = [p for p, s in zip(promised, shipped, strict=True) if p and s and s > p]

    assert len(promised) == 700
    assert promised.count(None) == 700 // 5
    assert 0.05 < len(late) / 700 < 0.4
    assert 0 < column(rows, "shipments", "tracking_number").count(None) < len(rows["shipments"])


def test_two_shipments_are_with_a_carrier_that_is_gone():
    rows = trade.rows_of(company(), schema.TABLES)

    gone = set(column(rows, "shipments", "carrier_id")) - set(column(rows, "carriers", "id"))
    assert gone == {trade.GONE_CARRIER}
    assert column(rows, "shipments", "carrier_id").count(trade.GONE_CARRIER) == 2


def test_declared_foreign_keys_hold_and_no_row_comes_before_those_it_leads_to():
    rows = trade.rows_of(company(), schema.TABLES)
    for hop in schema.HOPS:
        if not hop.is_declared:
            continue
        key = dict(
            zip(column(rows, hop.to, schema.columns_of(hop.to)[0]), rows[hop.to], strict=True)
        )
        for row, value in zip(rows[hop.table], column(rows, hop.table, hop.column), strict=True):
            if value is not None:
                since = key[value].since or date.min
                assert (row.since or date.min) >= since, hop


def test_nothing_happens_after_the_last_day():
    rows = trade.rows_of(company(), schema.TABLES)

    happened = [row.since for table in rows.values() for row in table if row.since]
    assert TODAY - timedelta(days=trade.DAYS) <= min(happened) <= max(happened) <= TODAY


def test_what_is_planted_stands_in_the_rows():
    text = str(trade.rows_of(company(), schema.TABLES))

    assert [value for value in planted.planted() if value not in text] == []
