"""The time limits of a run and its steps, and the errors of steps that could not be measured."""
import signal
import time
from contextlib import contextmanager


class NotTaken(Exception):
    """Something cannot be measured, now and in every later round, for this reason."""


class TookTooLong(Exception):
    """A step was given up at its limit."""


class Stopped(BaseException):
    """A signal ended the run: no step goes on."""

    def __init__(self, number):
        super().__init__(signal.Signals(number).name)
        self.number = number


class Limits:
    """The time that a run has; none of its steps outlasts it."""

    def __init__(self, seconds):
        self.seconds, self.began = seconds, time.monotonic()

    def left(self):
        return self.seconds - (time.monotonic() - self.began)

    @contextmanager
    def step(self, seconds):
        """Gives up its body when the step's time is over, or the run's. Steps cannot be nested.

        Raises `TookTooLong`; a wait for another process or for an answer is interrupted.
        """
        # A step that begins when no time is left is given up at once.
        left = max(self.left(), 0.000_1)
        why = f"took more than {spoken(seconds)}" if seconds <= left else f"the run's {spoken(self.seconds)} were over"

        def given_up(*_):
            raise TookTooLong(why)
        before = signal.signal(signal.SIGALRM, given_up)
        signal.setitimer(signal.ITIMER_REAL, min(seconds, left))
        try:
            yield
        finally:
            signal.setitimer(signal.ITIMER_REAL, 0)
            signal.signal(signal.SIGALRM, before)


def stop_on_signals():
    """Ends the run in the usual way on a signal to stop: its children are ended, too."""
    def stopped(number, _):
        tidy_up()
        raise Stopped(number)
    for one in ENDING:
        signal.signal(one, stopped)


def tidy_up():
    """Ignores signals from here on, so that nothing interrupts the cleanup."""
    for one in ENDING:
        signal.signal(one, lambda *_: None)


ENDING = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)


def spoken(seconds):
    return f"{seconds:.0f} s" if seconds < 120 else f"{seconds / 60:.0f} min"
