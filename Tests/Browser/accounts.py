"""Accounts of tests' own, as `perennial staff add` and the sign-in page would have made them, without their second of work."""

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
    """The address of somebody new, who has the password of the demo's people."""
    email = f"{uuid.uuid4().hex}@example.test"
    server.sql(_ACCOUNT.format(email=email, role=role))
    return email


def add_signed_in(server, role):
    """The address of somebody new, and the cookie of their session."""
    email, token = f"{uuid.uuid4().hex}@example.test", secrets.token_hex(32)
    server.sql(_ACCOUNT.format(email=email, role=role) + _SESSION.format(email=email, token=token))
    return email, {"name": "perennial", "value": token, "url": server.url, "httpOnly": True, "sameSite": "Lax"}
