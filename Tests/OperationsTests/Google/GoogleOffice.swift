import Billing
import CryptoExtras
import Foundation
import Gateways
import Jobs
import Operations
import Postgres
import Storage
import StoreSimulator
import TestSupport
import Testing

/// A back office whose app sells at a simulated Google Play, which answers over HTTP.
struct GoogleOffice: Sendable {
    static let eur = Currency("EUR") ?? .unknown
    static let monthly = SimulatedPlan("pro", "monthly", Money(minorUnits: 999, currency: eur), days: 30)
    static let yearly = SimulatedPlan("pro", "yearly", Money(minorUnits: 9_999, currency: eur), days: 365)
    static let basic = SimulatedPlan("basic", "monthly", Money(minorUnits: 499, currency: eur), days: 30)
    static let extra = SimulatedPlan("extra", "monthly", Money(minorUnits: 199, currency: eur), days: 30)

    /// Made once, for RSA keys are slow to make.
    private static let serviceKey = Result { try _RSA.Signing.PrivateKey(keySize: .bits2048) }
    private static let googleKey = Result { try _RSA.Signing.PrivateKey(keySize: .bits2048) }

    let office: TestOffice
    let backOffice: BackOffice
    let google: SimulatedGoogle
    private let clock: SimulatedClock

    /// - Parameter unsold: the names of products that the catalogue lacks.
    static func run<Value: Sendable>(
        unsold: Set<String> = [],
        _ body: (GoogleOffice) async throws -> Value
    ) async throws -> Value {
        let clock = SimulatedClock(standingAt: TestOffice.start)
        let google = SimulatedGoogle(
            packageName: "com.readmigo.app",
            serviceKey: try serviceKey.get(),
            googleKey: try googleKey.get(),
            clock: clock
        )
        try await google.start()
        do {
            let value = try await TestOffice.run { office in
                let gateway = GoogleGateway(
                    policy: AppleRetryPolicy(pauses: [.milliseconds(1)], longestWait: .seconds(60)),
                    clock: AppleServerClock(now: { clock.now }, sleep: { _ in }, jitter: { 0 })
                )
                let connected = GoogleOffice(
                    office: office,
                    backOffice: office.anotherServer(
                        secret: TestOffice.secret,
                        gateways: StoreGateways([AppleGateway(), gateway])
                    ),
                    google: google,
                    clock: clock
                )
                _ = try await connected.backOffice.applyCatalog(try connected.catalog(without: unsold))
                return try await body(connected)
            }
            await google.stop()
            return value
        } catch {
            await google.stop()
            throw error
        }
    }

    func catalog(without unsold: Set<String> = []) throws -> Catalog {
        var catalog = try Catalog.readmigo()
        catalog.accounts[.google] = google.account
        let plans: [(SimulatedPlan, String, BillingPeriod?)] = [
            (Self.monthly, "PREMIUM", BillingPeriod(1, .month)), (Self.yearly, "PREMIUM", BillingPeriod(1, .year)),
            (Self.basic, "PRO", BillingPeriod(1, .month)), (Self.extra, "PRO", BillingPeriod(1, .month)),
        ]
        catalog.products = plans.map { plan, code, period in
            CatalogProduct(
                plan: code,
                store: .google,
                id: plan.catalogID,
                name: plan.catalogID,
                period: period,
                trial: nil,
                prices: [plan.price]
            )
        }
        catalog.products.append(
            CatalogProduct(
                plan: "PRO",
                store: .google,
                id: "coins",
                name: "coins",
                period: nil,
                trial: nil,
                prices: [Money(minorUnits: 299, currency: Self.eur)]
            )
        )
        catalog.products.removeAll { unsold.contains($0.id) }
        return catalog
    }

    // MARK: Time

    var now: Date { clock.now }

    /// Both clocks, Google's and ours.
    func days(_ count: Double) {
        clock.advance(by: count * 86_400)
        office.clock.advance(by: count * 86_400)
    }

    // MARK: Pushes

    /// Takes a push in, as Pub/Sub delivers it.
    @discardableResult
    func take(_ push: SimulatedPush, claims: [String: JSON] = [:]) async throws -> NotificationInbox.Outcome {
        let delivery = try google.delivery(of: push, claims: claims)
        return try await backOffice.receiveNotification(delivery.payload, headers: delivery.headers, from: .google)
    }

    /// Takes in all pushes after the first so many, and applies what is due.
    func hear(after count: Int = 0) async throws {
        for push in google.pushes.dropFirst(count) { try await take(push) }
        try await work()
    }

    /// Applies what is due.
    func work() async throws {
        _ = try await NotificationWorker(backOffice: backOffice).drain()
    }

    /// Runs all jobs that are due.
    func workOffJobs() async throws {
        _ = try await JobWorker(backOffice: backOffice).drain()
    }

    func reconcile() async throws -> Reconciliation? {
        let done = try await backOffice.reconcile(
            try await office.app(),
            at: .google,
            in: .production,
            trigger: .command
        ) { try await work() }
        try await work()
        return done
    }

    // MARK: Purchases

    @discardableResult
    func verify(
        _ token: String,
        for customer: String,
        isAnonymous: Bool = false,
        account: UUID? = nil
    ) async throws -> PurchaseVerification {
        try await backOffice.verifyPurchase(
            try PurchaseRequest(
                customer: CustomerIdentity(externalID: customer, isAnonymous: isAnonymous, accountToken: account),
                proof: .purchaseToken(token)
            ),
            of: try await office.app()
        )
    }

    /// By the app's own id; its key for whose record has none; nil where the purchase is not here.
    func owner(of token: String) async throws -> String? {
        let original = google.purchase(token)?.orders.first ?? ""
        return try await office.lines(
            """
            SELECT coalesce(c.external_id, c.key)
            FROM subscriptions s
            JOIN customers c ON c.id = s.customer_id
            WHERE s.original_transaction_id = \(original)
            """
        ).first
    }

    func hasAccess(_ verification: PurchaseVerification) async throws -> Bool {
        try await office.entitlement(verification.customer) != nil
    }

    func lines(_ query: Query) async throws -> [String] { try await office.lines(query) }

    func count(_ table: String) async throws -> Int { try await office.count(table) }

    /// The subscriptions, their states and ends, with their plans.
    func subscriptions() async throws -> [String] {
        try await lines(
            """
            SELECT concat_ws(' ', s.original_transaction_id, s.state, p.store_product_id)
            FROM subscriptions s LEFT JOIN products p ON p.id = s.product_id
            ORDER BY 1
            """
        )
    }

    /// The orders and what the ledger has of them.
    func books() async throws -> [String] {
        try await lines(
            """
            SELECT concat_ws(' ', o.transaction_id, o.status, coalesce(sum(t.amount), 0))
            FROM orders o LEFT JOIN ledger_entries t ON t.order_id = o.id
            WHERE o.joined_into IS NULL
            GROUP BY o.id
            ORDER BY 1
            """
        )
    }
}
