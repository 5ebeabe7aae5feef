import Foundation

/// Reads the claims of a token: flags as true or "true", times as seconds.
struct AppleIDClaims {
    private let fields: LooseFields
    private let payload: JSON

    init(_ payload: JSON) throws(AppleSignInError) {
        self.payload = payload
        do {
            fields = try LooseFields(payload, of: "token")
        } catch {
            throw AppleSignInError(error)
        }
    }

    subscript(name: String) -> JSON? { payload[name] }

    func text(_ name: String) throws(AppleSignInError) -> String? {
        // What names somebody is a text; a number in its place is not Apple's.
        guard let value = payload[name], value != .null else { return nil }
        guard let text = value.string else {
            throw AppleSignInError(.malformed, "The claim \(name) is not a text.", field: name)
        }
        return text.isEmpty ? nil : text
    }

    func integer(_ name: String) throws(AppleSignInError) -> Int64? {
        do {
            return try fields.integer(name)
        } catch {
            throw AppleSignInError(.malformed, "The claim \(name) is not a whole number.", field: name)
        }
    }

    func flag(_ name: String) throws(AppleSignInError) -> Bool? {
        do {
            return try fields.flag(name)
        } catch {
            throw AppleSignInError(.malformed, "The claim \(name) is neither true nor false.", field: name)
        }
    }

    /// Seconds since 1970, whole or not.
    func seconds(_ name: String) throws(AppleSignInError) -> Date? {
        let seconds: Double
        switch payload[name] {
        case nil, .null: return nil
        case .integer(let integer): seconds = Double(integer)
        case .number(let number): seconds = number
        default: throw AppleSignInError(.malformed, "The claim \(name) is not a time.", field: name)
        }
        guard (0...253_402_300_799).contains(seconds) else {
            throw AppleSignInError(.malformed, "The claim \(name) is not a time of this era.", field: name)
        }
        return Date(timeIntervalSince1970: seconds)
    }

    /// `aud`: one text, or a list of them.
    func audiences() throws(AppleSignInError) -> [String] {
        switch payload["aud"] {
        case .string(let audience): return [audience]
        case .array(let elements):
            let audiences = elements.compactMap(\.string)
            if audiences.count == elements.count { return audiences }
            throw AppleSignInError(.malformed, "The claim aud is not a text.", field: "aud")
        default: throw AppleSignInError(.missing, "The token does not say whom it is for.", field: "aud")
        }
    }

    /// Issuer, audience and times: what all of Apple's tokens must say.
    ///
    /// - Returns: the client id that it is for.
    func require(clientIDs: Set<String>, at now: Date) throws(AppleSignInError) -> String {
        guard try text("iss") == AppleSignInConfiguration.apple else {
            throw AppleSignInError(.wrongIssuer, "The token was not issued by Apple.", field: "iss")
        }
        guard let clientID = try audiences().first(where: clientIDs.contains) else {
            throw AppleSignInError(.wrongAudience, "The token is for another app.", field: "aud")
        }
        if let end = try seconds("exp"), end <= now {
            throw AppleSignInError(.expired, "The token has expired.", field: "exp")
        }
        if let start = try seconds("iat"), start > now.addingTimeInterval(Self.clockTolerance) {
            throw AppleSignInError(.issuedInFuture, "The token was issued at a date in the future.", field: "iat")
        }
        return clientID
    }

    /// How far Apple's clock may be ahead of ours, in seconds.
    private static let clockTolerance: TimeInterval = 300
}
