"""Seconds that a busy machine does not lengthen: those in which it had no time for this process are left out."""

import threading
import time

_TICK = 0.02


class _Pauses:
    """The seconds by which a thread that only sleeps has woken too late."""

    def __init__(self):
        self.seconds = 0.0
        self._asleep_since = time.monotonic()
        threading.Thread(target=self._tick, daemon=True).start()

    def now(self):
        # A pause that lasts until now has not been counted yet.
        return self.seconds + max(0.0, time.monotonic() - self._asleep_since - _TICK)

    def _tick(self):
        while True:
            self._asleep_since = time.monotonic()
            time.sleep(_TICK)
            self.seconds += max(0.0, time.monotonic() - self._asleep_since - _TICK)


_pauses = _Pauses()


class Stopwatch:
    """Runs from the moment at which it is made."""

    def __init__(self):
        self._began, self._paused = time.monotonic(), _pauses.now()

    @property
    def seconds(self):
        return time.monotonic() - self._began - (_pauses.now() - self._paused)
