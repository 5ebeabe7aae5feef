import Foundation

/// A JWT of an app's own issuer, taken apart and not yet believed.
package struct IssuerToken: Sendable {
    let algorithm: String
    let keyID: String?
    let payload: JSON
    /// What the signature is of.
    let signed: [UInt8]
    let signature: [UInt8]

    /// Longer ones are nobody's.
    package static let maximumLength = 8_192

    /// nil for what is no JWT, and for one that demands an extension: none is known here (RFC 7515, 4.1.11).
    package init?(_ text: String) {
        guard text.utf8.count <= Self.maximumLength, let jwt = CompactJWT(text),
            let header = try? JSON(parsing: jwt.header), let payload = try? JSON(parsing: jwt.payload),
            case .object = header, case .object = payload, header["crit"] == nil,
            let algorithm = header["alg"]?.string
        else { return nil }
        switch header["kid"] {
        case nil, .null: keyID = nil
        case .string(let id): keyID = id
        default: return nil
        }
        self.algorithm = algorithm
        self.payload = payload
        signed = jwt.signed
        signature = jwt.signature
    }

    /// Who claims to have issued it; to be used for nothing but the look-up of the app.
    package var issuer: String? { payload["iss"]?.string }

    /// Whom it is for: one text, or a list of them.
    package var audiences: [String] {
        switch payload["aud"] {
        case .string(let audience): [audience]
        case .array(let elements): elements.prefix(32).compactMap(\.string)
        default: []
        }
    }

    /// Seconds since 1970, whole or not; nil for anything else.
    func date(_ claim: String) -> Date? {
        let seconds: Double
        switch payload[claim] {
        case .integer(let integer): seconds = Double(integer)
        case .number(let number): seconds = number
        default: return nil
        }
        guard (0...253_402_300_799).contains(seconds) else { return nil }
        return Date(timeIntervalSince1970: seconds)
    }
}
