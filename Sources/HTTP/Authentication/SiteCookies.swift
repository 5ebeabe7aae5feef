import HTTPTypes
package import Hummingbird
package import Operations

/// The cookies that browsers keep for us.
package struct SiteCookies: Sendable {
    /// Names the session.
    package let session: String
    /// Names a browser before anybody signs in, so that a forged sign-in form can be recognised.
    package let visitor: String
    /// Holds the pending MFA challenge of a browser.
    package let half: String
    /// Names a browser from which somebody has signed in before, or set their password with a link.
    package let device: String
    /// Names the audit entry of what was just done, for the page that follows.
    package let done: String
    /// The colours that a person chose, for pages before sign-in.
    package static let theme = "perennial-theme"

    private let attributes: String

    /// - Parameter isSecure: over TLS the prefix `__Host-` keeps other hosts from setting them (RFC 6265bis 4.1.3.2); a
    ///   browser takes it with `Secure` only, which plain HTTP on the machine itself cannot have.
    package init(isSecure: Bool) {
        let prefix = isSecure ? "__Host-" : ""
        session = "\(prefix)perennial"
        visitor = "\(prefix)perennial-visitor"
        half = "\(prefix)perennial-half"
        device = "\(prefix)perennial-device"
        done = "\(prefix)perennial-done"
        attributes = "; Path=/; HttpOnly; SameSite=Lax\(isSecure ? "; Secure" : "")"
    }

    package func set(_ name: String, _ value: String, maxAge: Int? = nil) -> String {
        "\(name)=\(value)\(maxAge.map { "; Max-Age=\($0)" } ?? "")\(attributes)"
    }

    package func remove(_ name: String) -> String {
        set(name, "", maxAge: 0)
    }

    /// The cookie of a browser that is known from now on.
    package func keep(_ known: SignInDevice) -> String {
        set(device, known.fresh.description, maxAge: Int(BackOffice.deviceMemory))
    }

    package func sessionToken(in request: Request) -> SecretToken? {
        request.cookie(session).flatMap { SecretToken($0) }
    }

    package func mfaToken(in request: Request) -> SecretToken? {
        request.cookie(half).flatMap { SecretToken($0) }
    }

    package func deviceToken(in request: Request) -> SecretToken? {
        request.cookie(device).flatMap { SecretToken($0) }
    }

    package func visitorToken(in request: Request) -> SecretToken? {
        request.cookie(visitor).flatMap { SecretToken($0) }
    }
}

extension Request {
    /// The first cookie of that name. Compares bytes, as text would be compared letter by letter in Unicode's ways.
    package func cookie(_ name: String) -> Substring? {
        for field in headers[values: .cookie] {
            for pair in field.utf8.split(separator: UInt8(ascii: ";")) {
                let trimmed = pair.drop { $0 == UInt8(ascii: " ") }
                guard trimmed.starts(with: name.utf8) else { continue }
                let rest = trimmed.dropFirst(name.utf8.count)
                if rest.first == UInt8(ascii: "=") { return Substring(rest.dropFirst()) }
            }
        }
        return nil
    }
}

extension Response {
    package mutating func addCookie(_ cookie: String) {
        headers.append(HTTPField(name: .setCookie, value: cookie))
    }
}
