"""How long a run and each of its steps may take, and what a step is that could not be taken."""
import signal
import time
from contextlib import contextmanager


class NotTaken(Exception):
    """What is asked for cannot be measured, now and in every later round, and why."""


class TookTooLong(Exception):
    """A step was given up at its limit."""


class Stopped(BaseException):
    """Somebody ended the run: no step goes on."""

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
        """Gives up what is done meanwhile when its time is over, or the run's. Steps do not lie in each other.

        Raises `TookTooLong`; what waits for another process or for an answer is interrupted.
        """
        # A step that begins when nothing is left is given up at once.
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
    """Has the run end as it always does, its children ended, when it is told to stop."""
    def stopped(number, _):
        tidy_up()
        raise Stopped(number)
    for one in ENDING:
        signal.signal(one, stopped)


def tidy_up():
    """From here on the run ends as it is: what is tidied up is not interrupted."""
    for one in ENDING:
        signal.signal(one, lambda *_: None)


ENDING = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)


def spoken(seconds):
    return f"{seconds:.0f} s" if seconds < 120 else f"{seconds / 60:.0f} min"
