"""Codes of an authenticator app (RFC 6238), computed independently of the product."""

import base64
import hashlib
import hmac
import struct
import time


def step(now=None):
    return int((time.time() if now is None else now) // 30)


def code(secret, at):
    key = base64.b32decode(secret + "=" * (-len(secret) % 8))
    digest = hmac.new(key, struct.pack(">Q", at), hashlib.sha1).digest()
    offset = digest[-1] & 15
    return f"{(struct.unpack('>I', digest[offset:offset + 4])[0] & 0x7FFFFFFF) % 1_000_000:06d}"


class App:
    """An authenticator app, which never gives the same code twice.

    The last step's code and the next one's are accepted as well, so three codes need no wait.
    """

    def __init__(self, secret):
        self._secret = secret.replace(" ", "")
        self._last = 0

    def code(self):
        # Close to the end of a step, the last step's code would be too old when it arrives.
        first = step() - (1 if time.time() % 30 < 26 else 0)
        self._last = max(first, self._last + 1)
        # A code of at most one step ahead is accepted; for later ones the clock has to catch up.
        while self._last > step() + 1:
            time.sleep(0.5)
        return code(self._secret, self._last)
