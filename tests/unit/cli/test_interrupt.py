"""Ctrl-C arrives wherever it finds the program: each case is a process of its own that interrupts itself."""

from __future__ import annotations

import signal
import subprocess
import sys
import textwrap
from pathlib import Path

import pytest

from hdictl.errors import FileRefused
from hdictl.interrupt import Listener, came_of_interrupt
from hdictl.main import run

_BEGIN = """
import os, signal, sys, time, weakref
from hdictl import interrupt
from hdictl.drivers.local.processes import uninterrupted

def press(*_anything, number=signal.SIGINT):
    os.kill(os.getpid(), number)
    for _ in range(1000):  # here the signal is noticed, and what it raises thrown away
        pass

class Dying:
    def __del__(self):
        press()

interrupt.listen()
try:
"""
_END = """
    time.sleep(60)
except KeyboardInterrupt:
    print("arrived")
"""


def said(tmp_path: Path, steps: str) -> list[str]:
    """What the program prints: its steps run, then it waits to be interrupted."""
    program = _BEGIN + textwrap.indent(textwrap.dedent(steps), "    ") + _END
    done = subprocess.run(
        [sys.executable, "-c", program], cwd=tmp_path, capture_output=True, text=True, timeout=120, check=False
    )
    assert done.stderr == ""
    return done.stdout.splitlines()


@pytest.mark.parametrize(
    "steps",
    [
        "press()",
        "press(number=signal.SIGTERM)",
        "Dying()",
        "for _ in range(3): Dying()",
        "subject = {1}; reference = weakref.ref(subject, press); del subject",
    ],
    ids=["plain", "polite", "finalizer", "finalizers", "weak-reference"],
)
def test_it_arrives(tmp_path, steps):
    assert said(tmp_path, steps) == ["arrived"]


def test_a_library_that_swallows_every_failure_of_an_import_does_not_swallow_it(tmp_path):
    (tmp_path / "greedy.py").write_text(
        "from __main__ import press\ntry:\n    press()\nexcept:\n    pass\nwhole = True\n"
    )
    steps = "sys.path.insert(0, ''); import greedy; print(greedy.whole)"
    assert said(tmp_path, steps) == ["True", "arrived"]


def test_a_process_that_is_being_started_is_somebody_s(tmp_path):
    """The key is pressed when the child runs and its parent waits for it to say so."""
    steps = """
        import subprocess
        wait = os.read
        def read(*arguments):
            press()
            return wait(*arguments)
        os.read = read
        child = None
        try:
            child = subprocess.Popen([sys.executable, "-c", "pass"])
            time.sleep(60)
        finally:
            os.read = wait
            print(child and child.wait())
    """
    assert said(tmp_path, steps) == ["0", "arrived"]


def test_keys_pressed_in_a_burst_are_one_interrupt():
    times = iter([10.0, 10.1, 10.4, 10.6])
    listener = Listener(clock=lambda: next(times))
    with pytest.raises(KeyboardInterrupt):
        listener.arrive(signal.SIGINT, None)
    listener.arrive(signal.SIGINT, None)
    listener.arrive(signal.SIGINT, None)
    with pytest.raises(KeyboardInterrupt):
        listener.arrive(signal.SIGINT, None)


def test_one_that_comes_again_does_not_disturb_cleaning_up(tmp_path):
    steps = """
        with uninterrupted():
            press(number=signal.SIGALRM)
            press(number=signal.SIGTERM)
            print("cleaned")
        press()
    """
    assert said(tmp_path, steps) == ["cleaned", "arrived"]


@pytest.mark.parametrize("how", ["press()", "eval('press()')", "sys.exit(press())"])
def test_an_interrupted_program_ends_with_130_and_nothing_else(tmp_path, how):
    """Python notes an interrupt that went through an `eval`, as Typer's do, and would end by the signal itself."""
    done = ended(tmp_path, f"interrupt.obeyed(lambda: {how})")
    assert (done.returncode, done.stderr) == (130, "\ninterrupted\n")


def test_an_alarm_that_is_left_does_not_ring_when_all_is_done(tmp_path):
    program = "interrupt.obeyed(lambda: signal.setitimer(signal.ITIMER_REAL, 600) and 3)"
    done = ended(tmp_path, f"{program} + int(sum(signal.getitimer(signal.ITIMER_REAL)))")
    assert (done.returncode, done.stderr) == (3, "")


def ended(tmp_path: Path, program: str) -> subprocess.CompletedProcess[str]:
    text = f"{_BEGIN.partition('interrupt.listen()')[0]}\nsys.exit({program})"
    return subprocess.run(
        [sys.executable, "-c", text], cwd=tmp_path, capture_output=True, text=True, timeout=120, check=False
    )


def test_other_failures_in_a_finalizer_are_told_as_ever(tmp_path):
    program = "from hdictl import interrupt; interrupt.listen()\nclass A:\n def __del__(self): 1 / 0\nA()"
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert "ZeroDivisionError" in done.stderr


class Failing(list[str]):
    """Arguments of somebody who presses Ctrl-C; then cleaning up fails as told."""

    def __init__(self, failure: Exception) -> None:
        super().__init__(["plan"])
        self._failure = failure

    def __iter__(self):
        try:
            raise KeyboardInterrupt
        finally:
            raise self._failure


def test_an_interrupt_whose_cleaning_up_fails_is_still_an_interrupt(capsys):
    assert run(Failing(FileRefused("it is not yours", where="/data"))) == 130
    told = capsys.readouterr().err
    assert "it is not yours" in told
    assert told.endswith("interrupted\n")


def test_what_breaks_because_it_is_torn_down_is_no_traceback(capsys):
    assert run(Failing(RuntimeError("the connection is closed"))) == 130
    assert capsys.readouterr().err == "\ninterrupted\n"


def test_a_failure_of_its_own_came_of_no_interrupt():
    assert not came_of_interrupt(FileRefused("it is not yours"))
