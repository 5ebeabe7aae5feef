"""Makes accounts and sessions as `perennial staff add` and the sign-in page would, without the second that they take."""

import secrets
import uuid

_ACCOUNT = """
    INSERT INTO staff (id, email, name, role, password_hash, created_at, updated_at)
    SELECT gen_random_uuid(), '{email}', 'Pat Example', '{role}', password_hash, now(), now()
    FROM staff WHERE email = 'admin@demo.test';
"""
_SESSION = """
    INSERT INTO staff_sessions (token_hash, staff_id, app_id, created_at, last_seen_at, expires_at)
    SELECT sha256('\\x{token}'), t.id, (SELECT id FROM apps ORDER BY name, slug LIMIT 1), now(), now(), now() + interval '1 day'
    FROM staff t WHERE email = '{email}';
"""


def add(server, role):
    """Adds a person with the demo's password; returns their e-mail address."""
    email = f"{uuid.uuid4().hex}@example.test"
    server.sql(_ACCOUNT.format(email=email, role=role))
    return email


def add_signed_in(server, role):
    """Adds a signed-in person; returns their e-mail address, and the cookie of their session."""
    email, token = f"{uuid.uuid4().hex}@example.test", secrets.token_hex(32)
    server.sql(_ACCOUNT.format(email=email, role=role) + _SESSION.format(email=email, token=token))
    return email, {"name": "perennial", "value": token, "url": server.url, "httpOnly": True, "sameSite": "Lax"}
