import Billing
import Foundation
import Gateways
import Jobs
import Operations
import Postgres
import Storage
import StoreSimulator
import TestSupport
import Testing

/// What an app does with a customer's purchase: one subscription of the simulated store, signed as often as it takes.
struct Purchase: Sendable {
    let notification: SimulatedNotification
    let transaction: SimulatedTransaction

    /// The first purchase, which runs at the tests' date, of another customer for each number; as if the app gave no account token.
    static func number(_ number: Int, token: UUID? = nil) throws -> Purchase {
        let lives = SimulatedSubscribers(seed: 40, customers: 60, months: 2, endingAt: TestOffice.start)
        let running = lives.notifications().filter { notification in
            guard let transaction = notification.transaction else { return false }
            return notification.type == "SUBSCRIBED" && notification.environment == .production
                && !transaction.isFamilyShared
                && transaction.expiresDate > TestOffice.start.addingTimeInterval(3 * 86_400)
        }
        var notification = try #require(running.dropFirst(number).first)
        notification.transaction?.appAccountToken = token
        notification.renewal?.appAccountToken = token
        notification.customer = token
        return Purchase(notification: notification, transaction: try #require(notification.transaction))
    }

    /// The first of those that run which is of another product.
    static func withAnotherProduct(than one: Purchase) throws -> Purchase {
        let others = try (1..<12).map { try number($0) }
        return try #require(others.first { $0.transaction.product.id != one.transaction.product.id })
    }

    /// What Apple says when it has given the money back, an hour before the tests' date.
    func refunded() throws -> SimulatedNotification {
        let lives = SimulatedSubscribers(seed: 41, customers: 200, months: 6, endingAt: TestOffice.start)
        let example = lives.notifications().first {
            $0.type == "REFUND" && $0.transaction?.revocation?.type == "REFUND_FULL"
        }
        var refund = notification
        refund.notificationUUID = UUID()
        (refund.type, refund.subtype, refund.status) = ("REFUND", nil, 5)
        refund.signedDate = TestOffice.start.addingTimeInterval(-3_600)
        refund.transaction?.revocation = try #require(example?.transaction?.revocation)
        refund.transaction?.revocation?.date = refund.signedDate
        return refund
    }

    /// The receipt of the device that bought it, signed by the authority of the tests, or by another.
    func receipt(by authority: ReceiptAuthority? = nil) throws -> String {
        let made = try #require(SimulatedReceipt(of: [notification], at: TestOffice.start.addingTimeInterval(-600)))
        return try ReceiptSigner(authority: try authority ?? ConnectedOffice.receiptAuthority.get()).sign(made)
    }

    /// `jwsRepresentation`, signed at a date.
    func signed(at date: Date = TestOffice.start) throws -> String {
        var notification = notification
        notification.signedDate = date
        let told = try AppleSigner(authority: try TestOffice.authority.get()).sign(notification)
        let body = try #require(told.split(separator: ".").dropFirst().first)
        let json = try JSON(parsing: Base64.decode(url: body.utf8) ?? [])
        return try #require(json["data"]?["signedTransactionInfo"]?.string)
    }

    /// What Apple's notification of it says.
    func told() throws -> String { try AppleSigner(authority: try TestOffice.authority.get()).sign(notification) }
}

extension ConnectedOffice {
    @discardableResult
    func verify(
        _ proof: PurchaseProof,
        for customer: String,
        isAnonymous: Bool = false,
        token: UUID? = nil
    ) async throws -> PurchaseVerification {
        try await backOffice.verifyPurchase(
            try PurchaseRequest(
                customer: CustomerIdentity(externalID: customer, isAnonymous: isAnonymous, accountToken: token),
                proof: proof
            ),
            of: try await office.app()
        )
    }

    /// Has the app's receipts verified at the store, too.
    func takeReceipts() async throws {
        _ = try await backOffice.applyCatalog(try receiptCatalog())
    }

    func receiptCatalog() throws -> Catalog {
        var catalog = try catalog()
        catalog.accounts[.apple]?.settings[AppleSetting.productionVerifyReceipt] = store.url()
        catalog.accounts[.apple]?.settings[AppleSetting.sandboxVerifyReceipt] = store.url(of: .sandbox)
        catalog.accounts[.apple]?.secrets[AppleSetting.sharedSecret] = Secret(Self.sharedSecret)
        return catalog
    }

    /// StoreKit's `AppTransaction` of a device of the account at Apple that has this id.
    func appTransaction(_ id: String) throws -> String {
        let payload: JSON = [
            "receiptType": "Production", "bundleId": .string(store.bundleID), "appAppleId": 1_600_000_001,
            "appTransactionId": .string(id),
            "receiptCreationDate": .integer(Int64(TestOffice.start.timeIntervalSince1970 * 1_000)),
        ]
        return try AppleSigner(authority: try TestOffice.authority.get()).sign(payload)
    }

    /// By the app's own id; nil for whose record does not say.
    func owner(of purchase: Purchase) async throws -> String? {
        try await lines(
            """
            SELECT coalesce(c.external_id, c.key)
            FROM subscriptions s
            JOIN customers c ON c.id = s.customer_id
            WHERE s.original_transaction_id = \(purchase.transaction.originalID) AND c.merged_into IS NULL
            """
        ).first
    }

    func hasAccess(_ verification: PurchaseVerification) async throws -> Bool {
        try await office.entitlement(verification.customer) != nil
    }

    func state(of verification: PurchaseVerification) async throws -> PurchaseVerification.State? {
        try await details(of: verification)?.verification.state
    }

    func details(of verification: PurchaseVerification) async throws -> PurchaseVerificationDetails? {
        let app = try await office.app()
        return try await office.database.readPrimary {
            try await $0.screens.purchaseVerification(verification.id, app: app)
        }
    }

    /// Who are not somebody else.
    func customers() async throws -> [String] {
        try await lines("SELECT coalesce(external_id, key) FROM customers WHERE merged_into IS NULL ORDER BY 1")
    }

    func signals(of customer: Customer.ID) async throws -> [FraudSignal] {
        let app = try await office.app()
        return try await office.database.readPrimary { reader in
            try await reader.screens.customer(id: customer, app: app, seesPersonalData: true)?.fraud.signals ?? []
        }
    }

    func workOffJobs() async throws {
        _ = try await JobWorker(backOffice: backOffice).drain()
    }
}
