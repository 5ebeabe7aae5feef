package import Billing
package import Foundation

/// The adapter of one store: it recognises the store's messages and translates them (product.md, decision 14).
///
/// A message is received (verified and kept), resolved (its event is known) and applied. Most stores' messages are complete; if the store
/// has to be asked first, `verify` returns `.unresolved` and `resolve` asks.
package protocol StoreGateway: Sendable {
    var store: Store { get }
    /// The store's name for an app's id, and the field of a message that holds it: "bundle id", `bundleId`.
    var identifier: (name: String, field: String) { get }
    /// True if the store can be asked for a test notification.
    var sendsTestNotifications: Bool { get }
    /// The answers that the store wants to its notifications; nil where their statuses say enough.
    var deliveryAnswers: DeliveryAnswers? { get }
    /// True if the store sends a message again until it is taken, whatever it is: one that cannot be read, and one for an app that is not
    /// here, are answered as taken, because they would come for ever.
    var resendsWhatIsNotOurs: Bool { get }
    /// The keys that an account may have, each named in the app's catalogue or uploaded by staff.
    var keys: [StoreKeyShape] { get }

    /// Rejects an account that the gateway cannot work with, before the first message finds out.
    ///
    /// - Throws: `.misconfigured`.
    func check(_ account: StoreAccount) throws(GatewayError)

    /// Rejects a key that is not one of the store's, before it is kept.
    ///
    /// - Throws: `.misconfigured`, with the setting's name.
    func check(_ key: StoreKey) throws(GatewayError)

    /// True if the store reports purchases of an app here; false of one that only signs people in there.
    func takesNotifications(for account: StoreAccount) -> Bool

    /// The certificates that an account has, for people to look at.
    ///
    /// - Throws: `.misconfigured`.
    func certificates(of account: StoreAccount) throws(GatewayError) -> [StoreCertificate]

    /// Finds out whether the store can be asked for an app, and whether what it sends would be believed: key, rights, clocks, connection.
    /// Nothing is changed by it.
    ///
    /// - Returns: what was found, a line each; none for a store about which its other services tell.
    func probe(_ account: StoreAccount, at now: Date) async -> [StoreFinding]

    /// Parses a delivery; nothing is verified yet.
    ///
    /// - Throws: `.malformed` for a delivery that no account would accept.
    func open(_ delivery: StoreDelivery) throws(GatewayError) -> any UnverifiedMessage

    /// Our number of the order that a customer comes back from, by the query of the page that the store's own page leads to. It says which
    /// order to ask about, and nothing of its payment.
    ///
    /// - Returns: nil where the store's page says nothing.
    /// - Throws: the first failure: form, signature, account.
    func returnedOrder(_ query: String, for account: StoreAccount, at now: Date) throws(GatewayError) -> String?

    /// Asks the store for the meaning of a kept message.
    ///
    /// - Throws: `.refused` leaves the message to staff, also one that the store has signed and nobody can read.
    func resolve(_ signedPayload: String, for account: StoreAccount) async throws(StoreFailure) -> MessageContent

    /// The source for reconciling an app with the store.
    ///
    /// - Returns: nil if the store cannot be asked, or the account lacks the settings for it.
    /// - Throws: `.misconfigured`.
    func reconciliation(of account: StoreAccount) throws(GatewayError) -> (any ReconciliationSource)?

    /// The verifier of the purchases that an app sends.
    ///
    /// - Returns: nil if apps send nothing of this store.
    /// - Throws: `.misconfigured`.
    func purchases(of account: StoreAccount) throws(GatewayError) -> (any PurchaseSource)?

    /// The store's server API for an app.
    ///
    /// - Returns: nil if the store has none, or the account lacks the settings for it.
    /// - Throws: `.misconfigured`.
    func server(of account: StoreAccount) throws(GatewayError) -> (any StoreServer)?

    /// The service that hands out the seats of groups.
    ///
    /// - Returns: nil if the store sells none, or the account lacks the settings for it.
    /// - Throws: `.misconfigured`.
    func seats(of account: StoreAccount) throws(GatewayError) -> (any SeatServer)?

    /// The provider that signs people in to an app.
    ///
    /// - Returns: nil if the store signs nobody in, or the account lacks the settings for it.
    /// - Throws: `.misconfigured`.
    func signIn(of account: StoreAccount) throws(GatewayError) -> (any SignInProvider)?

    /// The service that turns renewals off.
    ///
    /// - Returns: nil if only customers can do it, at the store, or if the account lacks the settings for it.
    /// - Throws: `.misconfigured`.
    func renewals(of account: StoreAccount) throws(GatewayError) -> (any RenewalServer)?

    /// The service at which our server opens the orders that customers pay.
    ///
    /// - Returns: nil if the store has none, or the account lacks the settings for it.
    /// - Throws: `.misconfigured`.
    func checkouts(of account: StoreAccount) throws(GatewayError) -> (any CheckoutServer)?

    /// The environment of the orders that are opened with an account.
    func checkoutEnvironment(of account: StoreAccount) -> StoreEnvironment

    /// The service that pays refunds for us.
    ///
    /// - Returns: nil if the store pays none that we approve, or the account lacks the settings for it.
    /// - Throws: `.misconfigured`.
    func refunds(of account: StoreAccount) throws(GatewayError) -> (any RefundServer)?

    /// The store's bills of a day.
    ///
    /// - Returns: nil if the store makes none, or the account lacks the settings for it.
    /// - Throws: `.misconfigured`.
    func bills(of account: StoreAccount) throws(GatewayError) -> (any BillSource)?

    /// The service that is told of purchases that were delivered.
    ///
    /// - Returns: nil if the store does not ask for it, or the account lacks the settings for it.
    /// - Throws: `.misconfigured`.
    func acknowledgements(of account: StoreAccount) throws(GatewayError) -> (any AcknowledgementServer)?
}

extension StoreGateway {
    package var sendsTestNotifications: Bool { true }

    package var deliveryAnswers: DeliveryAnswers? { nil }

    package func takesNotifications(for account: StoreAccount) -> Bool { true }

    package var resendsWhatIsNotOurs: Bool { false }

    package var keys: [StoreKeyShape] { [] }

    package func check(_ key: StoreKey) throws(GatewayError) {}

    package func certificates(of account: StoreAccount) throws(GatewayError) -> [StoreCertificate] { [] }

    package func probe(_ account: StoreAccount, at now: Date) async -> [StoreFinding] { [] }

    package func returnedOrder(
        _ query: String,
        for account: StoreAccount,
        at now: Date
    ) throws(GatewayError) -> String? {
        nil
    }

    /// The store's messages are complete.
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

    package func checkouts(of account: StoreAccount) throws(GatewayError) -> (any CheckoutServer)? { nil }

    package func checkoutEnvironment(of account: StoreAccount) -> StoreEnvironment { .production }

    package func refunds(of account: StoreAccount) throws(GatewayError) -> (any RefundServer)? { nil }

    package func bills(of account: StoreAccount) throws(GatewayError) -> (any BillSource)? { nil }

    package func acknowledgements(of account: StoreAccount) throws(GatewayError) -> (any AcknowledgementServer)? { nil }
}

/// A delivery to a webhook.
package struct StoreDelivery: Sendable {
    /// The signed text, kept as it came.
    package var payload: String
    /// By lower-case name, if the signature is in the headers.
    package var headers: [String: String]

    package init(_ payload: String, headers: [String: String] = [:]) {
        self.payload = payload
        self.headers = headers
    }
}

/// A delivery taken apart and not yet verified.
package protocol UnverifiedMessage: Sendable {
    /// The account's `identifier` that it claims to be for; to be used for nothing but the look-up. nil where only what is encrypted says
    /// so: such a message comes to the webhook of its app.
    var claimedIdentifier: String? { get throws(GatewayError) }
    /// The claims of seats that it is about, of a message that need not name an account; to be used for nothing but the look-up. nil of
    /// every other.
    var claimedSeats: [String]? { get }

    /// - Throws: the first failure: signature, account, date.
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
    /// The text to keep in the delivery's place: with what `resolve` could not read in it any more once a key is another one, and without
    /// what names a person and nobody reads. nil for the delivery as it came.
    package var keptText: String?

    package init(
        id: String,
        type: String,
        subtype: String? = nil,
        environment: StoreEnvironment,
        signedAt: Date,
        content: MessageContent,
        keptText: String? = nil
    ) {
        self.id = id
        self.type = type
        self.subtype = subtype
        self.environment = environment
        self.signedAt = signedAt
        self.content = content
        self.keptText = keptText
    }
}
