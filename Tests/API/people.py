"""People with an account of their own, at the dashboard and with a token: what they revoke is their own."""

import html
import re
import secrets
import urllib.parse

import accounts
import site_map
from asking import ORIGIN, Asker
from demo_server import PASSWORD
from pages import FORM, JSON, Page
from totp import App


class Person(Asker):
    """The browser of a signed-in person."""

    def __init__(self, server, role):
        self.email, cookie = accounts.add_signed_in(server, role)
        super().__init__(server, {"Origin": ORIGIN}, {cookie["name"]: cookie["value"]})
        self.role, self.password, self._app, self._recovery_codes = role, PASSWORD, None, []
        self.id = server.sql(f"SELECT id FROM staff WHERE email = '{self.email}'")[0][0]

    @property
    def permissions(self):
        return site_map.permissions()[self.role]

    def send(self, method, target, body=None, headers=None):
        answer = super().send(method, target, body, headers)
        if answer.is_good and target == "/dashboard/account/password":
            self.password = dict(urllib.parse.parse_qsl(body.decode()))["password"]
        if found := re.search(r'id="secret"[^>]*>([^<]*)', answer.text):
            self._app = App(found[1].strip())
        if codes := re.findall(r"<li>([0-9a-z]{4,}(?:-[0-9a-z]{4,})+)</li>", answer.text):
            self._recovery_codes = [html.unescape(code) for code in codes]
        return answer

    def prove(self):
        """Confirms their identity again, which the dashboard asks for every ten minutes."""
        self.server.sql(f"UPDATE staff_sessions SET authenticated_at = now() WHERE staff_id = '{self.id}'")

    def forget_tests(self):
        """Forgets the last test notification, as if it was long ago."""
        self.server.sql("DELETE FROM test_notifications")

    def upload_key(self):
        """Uploads a key that nobody can open."""
        self.server.sql(
            "INSERT INTO store_keys (app_id, store, kind, sealed_secrets, uploaded_at) "
            "SELECT id, 'apple', 'shared_secret', '\\x00', now() FROM apps WHERE slug = 'readmigo' ON CONFLICT DO NOTHING")

    def add_login(self):
        """Adds an issuer of the app's own, which has room for one more secret."""
        self.server.sql(
            "INSERT INTO token_issuers (app_id, issuer, audience, algorithms, claim, leeway_seconds, longest_lifetime_seconds) "
            "SELECT id, 'https://login.example.com', slug, '{HS256}', 'sub', 60, 3600 FROM apps WHERE slug = 'readmigo' "
            "ON CONFLICT DO NOTHING; DELETE FROM token_issuer_secrets WHERE slot = 2")

    def upload_issuer_secret(self):
        """Uploads a secret of that issuer, which nobody can open."""
        self.add_login()
        self.server.sql(
            "INSERT INTO token_issuer_secrets (id, app_id, slot, sealed_secret, uploaded_at) "
            "SELECT '01920000-0000-7000-8000-0000000000f2', id, 2, '\\x00', now() FROM apps WHERE slug = 'readmigo'")

    def revoke_app_keys(self):
        """Revokes the app's keys, for an app has at most two live ones."""
        self.server.sql("UPDATE app_keys SET revoked_at = now(), revoked_as = 'nobody' WHERE revoked_at IS NULL")

    def code(self):
        """Returns a code of their second factor: a recovery code, which needs no wait, else one of the authenticator app."""
        return self._recovery_codes.pop() if self._recovery_codes else self._app.code() if self._app else "000000"

    def program(self):
        """Returns a program with a token of this person's."""
        token = self.server.run("staff", "token", self.email, "--name", secrets.token_hex(4)).split()[-1]
        return Asker(self.server, {"Authorization": f"Bearer {token}", "X-App": "readmigo", **JSON})

    def app_server(self):
        """Returns the app's own server, with a key that may do everything."""
        # At most two keys are live at a time.
        self.server.sql("UPDATE app_keys SET revoked_at = now(), revoked_as = 'a test' WHERE revoked_at IS NULL AND slot = 2")
        scopes = ("entitlements:read", "usage:write", "customers:read", "tokens:mint", "seats:write")
        words = [word for scope in scopes for word in ("--scope", scope)]
        key = self.server.run("app-key", "issue", "readmigo", "--name", secrets.token_hex(4), *words).split()[-1]
        return Asker(self.server, {"Authorization": f"Bearer {key}", **JSON})

    def customer(self, name):
        """Returns an app with a token of one of its customers."""
        token = self.server.run("token", "--app", "readmigo", "--customer", name).split()[-1]
        return Asker(self.server, {"Authorization": f"Bearer {token}", **JSON})


class Visitor(Asker):
    """The browser of a person with two factors who is not signed in yet."""

    def __init__(self, person):
        super().__init__(person.server, {"Origin": ORIGIN})
        self.id, self.email, self.password, self.code = person.id, person.email, person.password, person.code

    def forget(self):
        self.cookies.clear()

    def give_password(self):
        """Signs in with the password, up to the page for the code."""
        self.forget()
        form = Page(self.send("GET", "/dashboard/sign-in").text).form(lambda _: True)
        fields = form.fields | {"email": self.email, "password": self.password}
        self.send("POST", "/dashboard/sign-in", urllib.parse.urlencode(fields).encode(), FORM)
