"""Ctrl-C and a polite end (SIGTERM) as a KeyboardInterrupt in the main thread, and one that arrives.

Python throws away what is raised in a finalizer, in a weak reference's callback (its import machinery has one) and in a
callback from C; all it does then is to call `sys.unraisablehook`. A library that tries an import and takes any failure
for an absence throws it away without a word. And a child process whose start is cut short is nobody's: it runs, and its
parent does not know of it. So nothing is raised while something is imported or a process started, and what was thrown
away comes again a moment later, by an alarm, until it lands in code that can be unwound.
"""

from __future__ import annotations

import math
import signal
import sys
import time
from collections.abc import Callable
from types import FrameType

from hdictl.errors import EXIT_INTERRUPTED

_MOMENT = 0.02  # seconds until it comes again
_BURST = 0.5  # seconds in which an impatient person's key presses are one: cleaning up begins undisturbed
_PATIENCE = 10.0  # seconds; an import, or a start, that takes longer hangs


def obeyed(program: Callable[[], int]) -> int:
    """The exit code of a program that may be interrupted at any time, also while it tells how it ended."""
    listen()
    try:
        code = program()
        _rest()
    except KeyboardInterrupt:
        sys.stderr.write("\ninterrupted\n")
        code = EXIT_INTERRUPTED
        _rest()
    return code


def listen() -> None:
    """From now on. Once a process, from its main thread."""
    listener = Listener()
    signal.signal(signal.SIGALRM, listener.come_again)
    signal.signal(signal.SIGINT, listener.arrive)
    signal.signal(signal.SIGTERM, listener.arrive)  # a polite end cleans up as Ctrl-C does
    sys.unraisablehook = listener.see_lost


def came_of_interrupt(error: BaseException) -> bool:
    """Whether it was raised while an interrupt was under way: cleaning up failed, but a person asked for the end."""
    cause: BaseException | None = error
    while cause is not None and not isinstance(cause, KeyboardInterrupt):
        cause = cause.__context__
    return cause is not None


class Listener:
    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._asked = -math.inf

    def arrive(self, _number: int, frame: FrameType | None) -> None:
        now = self._clock()
        if now - self._asked >= _BURST:
            self._asked = now
            self._interrupt(frame)

    def come_again(self, _number: int, frame: FrameType | None) -> None:
        if signal.getsignal(signal.SIGINT) == self.arrive:  # else somebody cleans up and is not to be disturbed
            self._interrupt(frame)

    def see_lost(self, told: sys.UnraisableHookArgs) -> None:
        if issubclass(told.exc_type, KeyboardInterrupt):
            _ring()
        else:
            sys.__unraisablehook__(told)

    def _interrupt(self, frame: FrameType | None) -> None:
        if _is_delicate(frame) and self._clock() - self._asked < _PATIENCE:
            _ring()
            return
        raise KeyboardInterrupt


def _rest() -> None:
    """What is left is Python's own end, in which neither an alarm nor a handler would do any good."""
    signal.setitimer(signal.ITIMER_REAL, 0)
    sys.stdout.flush()
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, signal.SIG_DFL)
    # CPython notes that an interrupt went through an `eval` of text (Typer has some), and would end by a signal instead
    # of our exit code. The next such `eval` wipes the note out.
    eval("0")  # noqa: S307


def _ring() -> None:
    """An alarm rather than a thread: a thread cannot be started from where a signal may find us."""
    signal.setitimer(signal.ITIMER_REAL, _MOMENT)


def _is_delicate(frame: FrameType | None) -> bool:
    subprocess = sys.modules.get("subprocess")  # whoever starts a process has it; the others need not load it
    start = subprocess and subprocess.Popen.__init__.__code__
    while frame is not None:
        if frame.f_code is start or frame.f_code.co_filename.startswith("<frozen importlib"):
            return True
        frame = frame.f_back
    return False
