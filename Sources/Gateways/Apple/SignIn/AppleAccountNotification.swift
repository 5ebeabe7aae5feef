package import Foundation

/// Apple's message about a person who signed in: their relay address changed, or their consent or account is gone.
package struct AppleAccountNotification: Hashable, Sendable {
    /// `jti`: the same on every delivery.
    package let id: String?
    package let clientID: String
    /// nil for a type that is not known here.
    package let type: EventType?
    package let rawType: String
    package let subject: String
    package let happenedAt: Date?
    package let email: String?
    package let isPrivateEmail: Bool?

    /// The kind of message.
    package enum EventType: Hashable, Sendable, CaseIterable {
        /// Mail to the relay address is forwarded again.
        case emailEnabled
        case emailDisabled
        /// They stopped using their Apple Account with the app: its tokens are void.
        case consentRevoked
        /// The Apple Account was deleted.
        case accountDeleted

        init?(_ name: String) {
            switch name {
            case "email-enabled": self = .emailEnabled
            case "email-disabled": self = .emailDisabled
            case "consent-revoked": self = .consentRevoked
            // Apple's pages have both.
            case "account-delete", "account-deleted": self = .accountDeleted
            default: return nil
            }
        }
    }

    /// - Throws: `.malformed`, or `.missing` without an event, its type or whom it is about.
    init(_ claims: JWTClaims, clientID: String) throws(JWTError) {
        let fields = try JWTClaims(try Self.event(claims["events"]))
        guard let type = try fields.text("type"), let subject = try fields.text("sub") else {
            throw JWTError(.missing, "The event has no type, or is about nobody.", field: "events")
        }
        id = try claims.text("jti")
        self.clientID = clientID
        rawType = type
        self.type = EventType(type)
        self.subject = subject
        happenedAt = try Self.date(of: try fields.integer("event_time"))
        email = try fields.text("email")
        isPrivateEmail = try fields.flag("is_private_email")
    }

    /// `events`: a text of JSON as it is sent, an object as one would expect it.
    private static func event(_ value: JSON?) throws(JWTError) -> JSON {
        switch value {
        case .object(let members): return .object(members)
        case .string(let text):
            do {
                return try JSON(parsing: Array(text.utf8))
            } catch {
                throw JWTError(.malformed, "The events are not JSON.", field: "events", underlying: error)
            }
        default: throw JWTError(.missing, "The notification has no event.", field: "events")
        }
    }

    /// Seconds or milliseconds: no account is older than 1973, and none will be used in the year 5138.
    private static func date(of number: Int64?) throws(JWTError) -> Date? {
        guard let number else { return nil }
        let seconds = number.magnitude < 100_000_000_000 ? Double(number) : Double(number) / 1_000
        guard (0...253_402_300_799).contains(seconds) else {
            throw JWTError(.malformed, "The event's time is not of this era.", field: "events")
        }
        return Date(timeIntervalSince1970: seconds)
    }
}

extension AppleAccountNotification {
    /// The client ids that it claims to be for; to be used for nothing but finding the app.
    ///
    /// - Throws: `.malformed`, `.missing`, `.unsupportedAlgorithm`.
    package static func claimedClientIDs(in payload: String) throws(JWTError) -> [String] {
        try JWT(payload, longest: AppleIdentityVerifier.longestToken).claims.audiences()
    }
}

extension AppleIdentityVerifier {
    /// The event within the `payload` that Apple posts.
    ///
    /// - Parameter clientIDs: those of all apps that are kept here.
    package func verify(
        notification payload: String,
        clientIDs: Set<String>,
        at now: Date
    ) async throws(JWTError) -> AppleAccountNotification {
        let (claims, clientID) = try await verifiedClaims(of: payload, clientIDs: clientIDs, at: now)
        return try AppleAccountNotification(claims, clientID: clientID)
    }
}
