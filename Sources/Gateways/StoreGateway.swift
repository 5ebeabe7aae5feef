package import Billing
package import Foundation

/// What one store brings: how its messages are told from everybody else's, and what they mean (product.md, decision 14).
///
/// A message is received (verified and kept), resolved (its event is known) and applied. Most stores say all in the message;
/// where one has to be asked first, `verify` says `.unresolved` and `resolve` asks.
package protocol StoreGateway: Sendable {
    var store: Store { get }
    /// What the store calls an app's own id there, and the field of a message that has it: "bundle id", `bundleId`.
    var identifier: (name: String, field: String) { get }
    /// Whether the store tells of purchases here; where not, it signs people in and no more.
    var takesNotifications: Bool { get }
    /// The keys that an account may have, each named in the app's catalogue or uploaded by staff.
    var keys: [StoreKeyShape] { get }

    /// Refuses an account that the gateway could not work with, before the first message finds out.
    ///
    /// - Throws: `.misconfigured`.
    func check(_ account: StoreAccount) throws(GatewayError)

    /// Refuses a key that is none of the store's, before it is kept.
    ///
    /// - Throws: `.misconfigured`, with the setting's name.
    func check(_ key: StoreKey) throws(GatewayError)

    /// Takes a delivery apart; nothing is verified yet.
    ///
    /// - Throws: `.malformed` for what no account would accept.
    func open(_ delivery: StoreDelivery) throws(GatewayError) -> any UnverifiedMessage

    /// Asks the store what a kept message means.
    ///
    /// - Throws: `.refused`, also for a message that the store has signed and nobody can read, is left to people.
    func resolve(_ signedPayload: String, for account: StoreAccount) async throws(StoreFailure) -> MessageContent

    /// What the store can be asked about an app.
    ///
    /// - Returns: nil where the store cannot be asked, or the account lacks what that takes.
    /// - Throws: `.misconfigured`.
    func reconciliation(of account: StoreAccount) throws(GatewayError) -> (any ReconciliationSource)?

    /// What judges the purchases that an app sends.
    ///
    /// - Returns: nil where nothing of the store's is sent by apps.
    /// - Throws: `.misconfigured`.
    func purchases(of account: StoreAccount) throws(GatewayError) -> (any PurchaseSource)?

    /// What the store does for an app when it is asked.
    ///
    /// - Returns: nil where it does nothing, or the account lacks what that takes.
    /// - Throws: `.misconfigured`.
    func server(of account: StoreAccount) throws(GatewayError) -> (any StoreServer)?

    /// The service that hands out the seats of groups.
    ///
    /// - Returns: nil where the store sells none, or the account lacks what that takes.
    /// - Throws: `.misconfigured`.
    func seats(of account: StoreAccount) throws(GatewayError) -> (any SeatServer)?

    /// What signs people in to an app.
    ///
    /// - Returns: nil where the store signs nobody in, or the account lacks what that takes.
    /// - Throws: `.misconfigured`.
    func signIn(of account: StoreAccount) throws(GatewayError) -> (any SignInProvider)?

    /// What turns renewals off.
    ///
    /// - Returns: nil where only customers can, at the store, and where the account lacks what that takes.
    /// - Throws: `.misconfigured`.
    func renewals(of account: StoreAccount) throws(GatewayError) -> (any RenewalServer)?
}

extension StoreGateway {
    package var takesNotifications: Bool { true }

    package var keys: [StoreKeyShape] { [] }

    package func check(_ key: StoreKey) throws(GatewayError) {}

    /// The store says all in its messages.
    package func resolve(
        _ signedPayload: String,
        for account: StoreAccount
    ) async throws(StoreFailure) -> MessageContent {
        .ignored
    }

    package func reconciliation(of account: StoreAccount) throws(GatewayError) -> (any ReconciliationSource)? { nil }

    package func purchases(of account: StoreAccount) throws(GatewayError) -> (any PurchaseSource)? { nil }

    package func server(of account: StoreAccount) throws(GatewayError) -> (any StoreServer)? { nil }

    package func seats(of account: StoreAccount) throws(GatewayError) -> (any SeatServer)? { nil }

    package func signIn(of account: StoreAccount) throws(GatewayError) -> (any SignInProvider)? { nil }

    package func renewals(of account: StoreAccount) throws(GatewayError) -> (any RenewalServer)? { nil }
}

/// What arrived at a webhook.
package struct StoreDelivery: Sendable {
    /// Exactly what is kept: the signed text.
    package var payload: String
    /// By lower-case name, where the signature stands in the headers.
    package var headers: [String: String]

    package init(_ payload: String, headers: [String: String] = [:]) {
        self.payload = payload
        self.headers = headers
    }
}

/// A delivery taken apart and not yet verified.
package protocol UnverifiedMessage: Sendable {
    /// The account's `identifier` that it claims to be for; to be used for nothing but the look-up.
    var claimedIdentifier: String? { get throws(GatewayError) }
    /// The claims of seats that it is about, of a message that need not name an account; to be used for nothing but the look-up. nil of
    /// every other.
    var claimedSeats: [String]? { get }

    /// - Throws: what failed first: signature, account, date.
    func verify(for account: StoreAccount, at now: Date) async throws(GatewayError) -> StoreMessage
}

extension UnverifiedMessage {
    package var claimedSeats: [String]? { nil }
}

/// A message that its store has signed for this app.
package struct StoreMessage: Sendable {
    /// The store's own id of it, the same on every delivery.
    package var id: String
    /// In the store's own words.
    package var type: String
    package var subtype: String?
    package var environment: StoreEnvironment
    package var signedAt: Date
    package var content: MessageContent

    package init(
        id: String,
        type: String,
        subtype: String? = nil,
        environment: StoreEnvironment,
        signedAt: Date,
        content: MessageContent
    ) {
        self.id = id
        self.type = type
        self.subtype = subtype
        self.environment = environment
        self.signedAt = signedAt
        self.content = content
    }
}
