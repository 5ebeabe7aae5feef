package import Billing
import Crypto
import CryptoExtras
import Foundation

/// A service account's key, as Google Cloud gives it out in a JSON file. It signs, and cannot be printed.
package struct GoogleServiceAccount: Sendable, CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable
{
    /// Its e-mail address, which the Play Console invites.
    package let email: String
    let keyID: String
    /// The endpoint that gives out tokens.
    let tokenURL: String
    private let key: _RSA.Signing.PrivateKey

    /// Google's own token endpoint.
    package static let tokenURL = "https://oauth2.googleapis.com/token"

    /// - Parameter isSimulated: whether the app is of a test store; only then may tokens come from elsewhere than Google.
    /// - Throws: `.misconfigured`, in one line, with the setting's name.
    package init(json: Secret, isSimulated: Bool) throws(GatewayError) {
        guard json.revealed.utf8.count <= Self.longest else { throw Self.wrong("is longer than 10,000 bytes") }
        let file: JSON
        do {
            file = try JSON(parsing: Array(json.revealed.utf8))
        } catch {
            // Not with its cause: it would quote what was read.
            throw Self.wrong("is no JSON: paste the whole file that Google Cloud gave you")
        }
        guard case .object = file else { throw Self.wrong("is no JSON object") }
        guard file["web"] == nil, file["installed"] == nil else {
            throw Self.wrong(
                "is an OAuth client; create a key of a service account instead (IAM, Service accounts, Keys)"
            )
        }
        let type = file["type"]?.string ?? ""
        guard type == "service_account" else {
            throw Self.wrong("is of the type \"\(type.prefix(40))\", and has to be \"service_account\"")
        }
        email = try Self.text("client_email", of: file)
        guard email.contains("@"), email.utf8.count <= 255, email.utf8.allSatisfy({ (0x21...0x7E).contains($0) }) else {
            throw Self.wrong("has a client_email that is no address")
        }
        keyID = try Self.text("private_key_id", of: file)
        let pem = try Self.text("private_key", of: file)
        guard let key = try? _RSA.Signing.PrivateKey(pemRepresentation: pem) else {
            throw Self.wrong("has a private_key that is no RSA key of 2,048 bits or more in PEM")
        }
        self.key = key
        tokenURL = try Self.text("token_uri", of: file)
        guard isSimulated ? Origin(of: tokenURL) != nil : tokenURL == Self.tokenURL else {
            throw Self.wrong("has a token_uri that is not \(Self.tokenURL)")
        }
    }

    /// Signs a question for a token (RFC 7523, 2.1).
    func assertion(at now: Date) throws(GatewayError) -> String {
        guard let start = Int64(exactly: now.timeIntervalSince1970.rounded(.down)) else {
            throw GatewayError(.misconfigured, "The clock says no date that can be signed.")
        }
        let header: JSON = ["alg": "RS256", "kid": .string(keyID), "typ": "JWT"]
        let claims: JSON = [
            "iss": .string(email), "scope": .string(Self.scope), "aud": .string(tokenURL), "iat": .integer(start),
            "exp": .integer(start.addingReportingOverflow(3_600).partialValue),
        ]
        let input = Base64.encode(url: header.bytes) + [UInt8(ascii: ".")] + Base64.encode(url: claims.bytes)
        do {
            let signature = try key.signature(for: SHA256.hash(data: input), padding: .insecurePKCS1v1_5)
            let token = input + [UInt8(ascii: ".")] + Base64.encode(url: Array(signature.rawRepresentation))
            return String(decoding: token, as: UTF8.self)
        } catch {
            throw Self.wrong("has a key that cannot sign")
        }
    }

    private static let scope = "https://www.googleapis.com/auth/androidpublisher"
    private static let longest = 10_000

    private static func text(_ name: String, of file: JSON) throws(GatewayError) -> String {
        guard let text = file[name]?.string, !text.isEmpty else { throw wrong("has no \(name)") }
        return text
    }

    private static func wrong(_ what: String) -> GatewayError {
        GatewayError(.misconfigured, "The service account's file \(what).", field: GoogleSetting.serviceAccount)
    }

    package var description: String { "GoogleServiceAccount" }
    package var debugDescription: String { description }
    package var customMirror: Mirror { Mirror(self, children: []) }
}
