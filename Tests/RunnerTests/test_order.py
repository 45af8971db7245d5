"""What may run beside what: a part of Scripts/check beside tests, but not beside another part."""

from types import SimpleNamespace

import main
import plan


def batch(kind, name, seconds, alone=False):
    return plan.Batch((plan.Item(kind, name, seconds),), alone)


def test_two_parts_of_the_checks_take_turns():
    play, api, suite = batch("check", "play", 9), batch("check", "api", 8), batch("swift", "A.One", 7)
    run = main.Run([suite, api, play], 3, None, None)
    assert run.next() is play
    run.waiting.remove(play)
    run.running[1] = SimpleNamespace(batch=play)
    assert run.next() is suite
    run.waiting.remove(suite)
    assert run.next() is None
    run.running.clear()
    assert run.next() is api


def test_what_runs_alone_waits_for_all_others():
    alone, suite = batch("swift", "A.Alone", 9, alone=True), batch("swift", "A.One", 1)
    run = main.Run([alone, suite], 3, None, None)
    assert run.next() is suite
    run.waiting.remove(suite)
    run.running[1] = SimpleNamespace(batch=suite)
    assert run.next() is None
    run.running.clear()
    assert run.next() is alone
    run.running[2] = SimpleNamespace(batch=alone)
    run.waiting = [suite]
    assert run.next() is None
