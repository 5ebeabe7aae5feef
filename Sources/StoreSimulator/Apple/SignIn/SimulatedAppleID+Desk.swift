import Foundation
import Gateways

/// Drives Sign in with Apple over HTTP by hand: signs people in, and sends notifications of their accounts.
extension SimulatedAppleID {
    /// Plays Apple for an app that signs its client secrets with the key of the simulated App Store.
    ///
    /// - Parameters:
    ///   - clientIDs: the bundle id, and the Services IDs of pages.
    ///   - keys: the keys that it signs with at first; nil for new ones.
    package convenience init(
        key: SimulatedAPIKey,
        clientIDs: Set<String> = [SimulatedCatalog.readmigo.bundleID],
        keys: SimulatedAppleKeys? = nil,
        clock: SimulatedClock = SimulatedClock()
    ) throws {
        try self.init(
            teamID: Self.simulatedTeam,
            keyID: key.keyID,
            clientKey: key.publicKey,
            clientIDs: clientIDs,
            keys: keys,
            now: { clock.now }
        )
    }

    /// The team that client secrets have to name.
    package static let simulatedTeam = "SIMTEAM001"

    /// The endpoints that drive it from another process, beside Apple's own.
    package var desk: [SimulatedEndpoint] {
        [
            SimulatedEndpoint("POST", "/simulator/sign-in") { [self] request in signIn(Self.json(request.body)) },
            SimulatedEndpoint("POST", "/simulator/account-notifications") { [self] request in
                tell(Self.json(request.body))
            },
        ]
    }

    /// Answers `{"clientId", "subject", "email", "isPrivateEmail", "nonce"}` with the authorization code and identity token for the
    /// app.
    private func signIn(_ body: JSON) -> StoreResponse {
        guard let (person, clientID) = Self.person(body) else { return Self.nobody }
        guard let given = try? signIn(person, to: clientID, nonce: body["nonce"]?.string) else {
            return StoreResponse(status: 500)
        }
        return .json(["code": .string(given.code), "identityToken": .string(given.identityToken)])
    }

    /// Answers `{"clientId", "subject", "type"}` with the body that Apple would post to the app.
    private func tell(_ body: JSON) -> StoreResponse {
        guard let (person, clientID) = Self.person(body), let type = body["type"]?.string else { return Self.nobody }
        guard let told = try? notification(type, of: person, for: clientID) else { return StoreResponse(status: 500) }
        return StoreResponse(status: 200, headers: ["content-type": "application/json"], body: told)
    }

    private static func person(_ body: JSON) -> (SimulatedAppleAccount, clientID: String)? {
        guard let subject = body["subject"]?.string, let clientID = body["clientId"]?.string else { return nil }
        let person = SimulatedAppleAccount(
            subject: subject,
            email: body["email"]?.string,
            isPrivateEmail: body["isPrivateEmail"]?.bool ?? false
        )
        return (person, clientID)
    }

    private static let nobody = StoreResponse.json(
        ["error": "subject and clientId are needed, and type for a notification."],
        status: 400
    )

    private static func json(_ body: Data) -> JSON {
        (try? JSON(parsing: Array(body))) ?? .object([])
    }
}
