"""A person at the dashboard over HTTP, who fills in the forms of its pages."""

import http.cookiejar
import urllib.error
import urllib.parse
import urllib.request

import html5lib


class Form:
    """A form of a page with its preset fields."""

    def __init__(self, element):
        self.action = element.get("action")
        self.has_file = element.get("enctype") == "multipart/form-data"
        self.values = {
            field.get("name"): field.get("value") or ""
            for field in element.iter("input") if field.get("type") == "hidden"}

    def body(self, fields):
        """Returns the media type and the bytes of a POST."""
        values = self.values | fields
        if not self.has_file:
            return "application/x-www-form-urlencoded", urllib.parse.urlencode(values).encode()
        boundary = "perennial-form"
        parts = [
            f'--{boundary}\r\nContent-Disposition: form-data; name="{name}"\r\n\r\n{value}\r\n'
            for name, value in values.items()]
        return f"multipart/form-data; boundary={boundary}", ("".join(parts) + f"--{boundary}--\r\n").encode()


class Desk:
    """The browser of one member of staff; it outlives the server."""

    def __init__(self, installation, email, password):
        self._installation = installation
        self._cookies = http.cookiejar.CookieJar()
        self._opener = urllib.request.build_opener(urllib.request.HTTPCookieProcessor(self._cookies))
        self.send("/dashboard/sign-in", "/dashboard/sign-in", email=email, password=password)

    @property
    def cookie(self):
        """The browser's `Cookie` header."""
        return "; ".join(f"{cookie.name}={cookie.value}" for cookie in self._cookies)

    def send(self, page, action, **fields):
        """Fills in and sends the form of a page with this `action`; returns the address that it leads to."""
        answer = self.submit(page, action, **fields)
        assert answer.url != self._installation.server.url + action, f"{action} was answered with the form again"
        return urllib.parse.urlsplit(answer.url).path

    def submit(self, page, action, **fields):
        """Fills in and sends the form of a page with this `action`; returns the answer."""
        document = html5lib.parse(self._open(page).read(), namespaceHTMLElements=False)
        forms = [Form(element) for element in document.iter("form") if (element.get("action") or page) == action]
        assert len(forms) == 1, f"{len(forms)} forms of {page} go to {action}"
        media_type, body = forms[0].body(fields)
        return self._open(action, body, {"Content-Type": media_type})

    def page(self, path):
        """Returns the HTML of a page."""
        return self._open(path).read().decode()

    def _open(self, path, body=None, headers=None):
        url = self._installation.server.url
        request = urllib.request.Request(url + path, body, {"Origin": url, **(headers or {})})
        try:
            return self._opener.open(request, timeout=300)
        except urllib.error.HTTPError as error:
            raise AssertionError(f"{path}: {error.code} {error.read().decode()[-2000:]}") from error
