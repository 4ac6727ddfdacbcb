import os
import signal
import sys
import threading
import time
from datetime import timedelta

import psutil
import pytest
from django.utils import timezone
from django_q.models import Schedule

from facts import heartbeat
from readiness.starting.processes import Child
from readiness.starting.supervisor import Supervisor
from tests.waiting import until

SLEEPER = [sys.executable, "-c", "import time; time.sleep(600)"]
FORKER = [
    sys.executable,
    "-c",
    """import subprocess, sys, time
subprocess.Popen([sys.executable, "-c", "import time; time.sleep(600)"])
time.sleep(600)""",
]


def members(group):
    found = []
    for process in psutil.process_iter():
        try:
            if os.getpgid(process.pid) == group and process.status() != psutil.STATUS_ZOMBIE:
                found.append(process)
        except (psutil.Error, ProcessLookupError):
            continue
    return found


@pytest.fixture
def supervised(transactional_db):
    """Run a supervisor in a thread; gives a function that starts one and what it said."""
    supervisors, said = [], []

    def supervise(workers, **options):
        supervisor = Supervisor([], workers, say=said.append, **options)
        thread = threading.Thread(target=supervisor.run)
        thread.start()
        supervisors.append((supervisor, thread))
        until(lambda: workers.is_running)
        return said

    yield supervise
    for supervisor, thread in supervisors:
        supervisor.stop()
        thread.join(timeout=30)


def test_a_child_that_runs_already_is_kept_and_stopped_with_the_others(transactional_db):
    web, workers = Child("site", SLEEPER, {}), Child("workers", SLEEPER, {})
    web.start()
    first = web.pid
    supervisor = Supervisor([web], workers, say=[].append)
    thread = threading.Thread(target=supervisor.run)
    thread.start()
    until(lambda: workers.is_running)
    kept = web.pid

    supervisor.stop()
    thread.join(timeout=30)

    assert kept == first
    assert (web.pid, workers.pid, members(first)) == (None, None, [])


def test_a_stopped_child_takes_its_whole_group_with_it():
    child = Child("sleepers", FORKER, {})
    child.start()
    group = child.pid
    until(lambda: len(members(group)) == 3)  # the head, the program and what it started

    child.stop()

    assert members(group) == []


def test_a_child_whose_head_is_killed_is_started_again_without_its_leftovers(supervised):
    child = Child("workers", FORKER, {})
    said = supervised(child)
    group = child.pid
    until(lambda: len(members(group)) == 3)
    os.kill(group, signal.SIGKILL)

    until(lambda: child.pid != group and child.is_running)

    assert said == ["the workers ended: starting it again"]
    assert members(group) == []


def test_a_child_that_ends_with_status_0_is_started_again(supervised):
    child = Child("workers", [sys.executable, "-c", "pass"], {})
    said = supervised(child)

    until(lambda: len(said) >= 2)


def test_workers_whose_heart_stands_still_are_started_again(supervised):
    heartbeat.beat(heartbeat.QUEUE, now=timezone.now() - timedelta(hours=1))
    child = Child("workers", SLEEPER, {})
    said = supervised(child, patience=timedelta(seconds=1.5))
    first = child.pid

    until(lambda: child.pid != first and child.is_running)

    assert said[0] == "the workers no longer answer and are started again"


def test_workers_whose_heart_beats_are_left_alone(supervised):
    child = Child("workers", SLEEPER, {})
    said = supervised(child, patience=timedelta(seconds=2))
    first = child.pid
    looked = time.monotonic()

    def beat_for_a_while():
        heartbeat.beat(heartbeat.QUEUE, now=timezone.now())
        return time.monotonic() - looked > 5  # many looks

    until(beat_for_a_while)

    assert (child.pid, said) == (first, [])


def test_a_beat_from_far_ahead_keeps_nobody_alive(supervised):
    heartbeat.beat(heartbeat.QUEUE, now=timezone.now() + timedelta(hours=1))
    child = Child("workers", SLEEPER, {})
    said = supervised(child, patience=timedelta(seconds=1.5))
    first = child.pid

    until(lambda: child.pid != first and child.is_running)

    assert said[0] == "the workers no longer answer and are started again"


def test_a_schedule_that_a_clock_left_far_ahead_is_brought_back(supervised):
    ahead = timezone.now() + timedelta(hours=1)
    Schedule.objects.create(func="facts.tasks.tick", next_run=ahead)
    supervised(Child("workers", SLEEPER, {}), patience=timedelta(seconds=30))

    until(lambda: Schedule.objects.get().next_run < ahead)
