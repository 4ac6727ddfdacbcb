import json
import math
import random

import pytest
from django.conf import settings
from django.core.management import CommandError, call_command
from django.utils import timezone

from facts.models import AnswerOutcome
from tests.facts.answers.shop import learn, offer


@pytest.fixture
def outcomes(acme):
    """Makes outcomes whose readiness and trust are right by curves that are known."""
    learn(acme)
    answer = offer(acme).answer

    def made(number, *, reused=False, by_person=False, coverage=True, right=None):
        chance = random.Random(5)
        rows = []
        for _ in range(number):
            covered, trusted = chance.uniform(0, 100), chance.uniform(0.4, 1)
            share = 1 / (1 + math.exp(-0.1 * (covered - 50)))
            is_right = chance.random() < share if right is None else right
            rows.append(
                AnswerOutcome(
                    account=acme,
                    answer=answer,
                    outcome="confirmed" if is_right else "refuted",
                    by_person=by_person,
                    reused=reused,
                    at=timezone.now(),
                    trust="believed",
                    number=trusted,
                    lower_bound=trusted - 0.1,
                    level="ready" if coverage else "",
                    coverage=covered if coverage else None,
                )
            )
        AnswerOutcome.objects.bulk_create(rows)

    return made


def calibrated(capsys, *more):
    call_command("calibrate", *more)
    return capsys.readouterr().out


def test_too_few_outcomes_are_refused_with_how_many_there_are(outcomes, capsys):
    outcomes(49)
    with pytest.raises(CommandError, match="49 outcomes"):
        calibrated(capsys)


def test_the_right_cut_off_of_readiness_is_proposed_and_nothing_is_changed(outcomes, capsys):
    outcomes(800)
    before = (settings.READY_AT, settings.TRUST_CUT_OFFS, list(AnswerOutcome.objects.values()))

    found = json.loads(calibrated(capsys, "--json"))

    proposals = {proposal["setting"]: proposal for proposal in found["proposals"]}
    ready, not_ready = proposals["READY_AT"], proposals["NOT_READY_BELOW"]
    assert ready["proposed"] == pytest.approx(50 + 10 * math.log(9), abs=5)
    assert not_ready["proposed"] == pytest.approx(50 + 10 * math.log(1.5), abs=4)
    assert (ready["in_force"], ready["method"], ready["outcomes"]) == (80, "logistic", 800)
    assert proposals["TRUST_BELIEVED_AT"]["proposed"] == "never"  # trust told nothing here
    assert before == (
        settings.READY_AT,
        settings.TRUST_CUT_OFFS,
        list(AnswerOutcome.objects.values()),
    )


def test_what_was_said_by_reuse_says_nothing(outcomes, capsys):
    outcomes(60)
    alone = json.loads(calibrated(capsys, "--json"))
    outcomes(500, reused=True, right=True)

    found = json.loads(calibrated(capsys, "--json"))

    assert (found["outcomes"], found["left_out"]) == (60, 500)
    assert found["proposals"] == alone["proposals"]


def test_the_table_counts_every_bin_and_empty_ones_are_no_zero(outcomes, capsys):
    outcomes(300)

    found = json.loads(calibrated(capsys, "--json"))

    for table in found["tables"].values():
        assert len(table) == 10
        assert sum(one["count"] for one in table) == 300
    lowest = found["tables"]["number"][0]
    assert (lowest["count"], lowest["share"]) == (0, None)
    text = calibrated(capsys)
    assert "300 outcomes" in text
    assert text.count("█") > 20
    assert "READY_AT (90 % right): " in text
    assert "in force 80" in text


def test_outcomes_that_know_no_readiness_leave_its_cut_offs_alone(outcomes, capsys):
    outcomes(80, coverage=False)

    text = calibrated(capsys)

    assert "READY_AT (90 % right): fewer than 50 outcomes know this figure" in text
    assert "TRUST_BELIEVED_AT (80 % right): " in text


def test_what_a_level_promises_may_be_said(outcomes, capsys):
    outcomes(800)

    strict = json.loads(calibrated(capsys, "--json", "--ready", "95"))
    loose = json.loads(calibrated(capsys, "--json", "--ready", "70"))

    assert strict["proposals"][0]["proposed"] > loose["proposals"][0]["proposed"]
    for share in ("0", "100", "-5", "nan"):
        with pytest.raises(CommandError, match="between 0 and 100"):
            calibrated(capsys, "--ready", share)
