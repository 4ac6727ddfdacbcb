from readiness.measures import use_shares


def test_use_is_shared_in_whole_percent_rounded_half_up():
    assert use_shares({"Order": 2, "Customer": 1}) == {"Order": 67, "Customer": 33}
    assert use_shares({"Order": 199, "Log": 1}) == {"Order": 100, "Log": 1}


def test_where_nothing_is_used_there_are_no_shares():
    assert use_shares({"Order": 0}) == {}
    assert use_shares({}) == {}
