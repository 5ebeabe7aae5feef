import Billing
import Foundation
import Operations
import Postgres
import Storage
import StoreSimulator
import Testing

/// Checks the lightgallery document's properties of good purchases, each on many made-up ones at one simulated App Store. A failure
/// prints its seed.
@Suite("properties of the lightgallery document: purchases") struct PurchaseProperties {
    static let seeds: Range<UInt64> = 0..<100

    @Test("Property 11: Receipt Verification")
    func asksApple() async throws {
        try await ConnectedOffice.run { office in
            try await office.takeReceipts()
            for seed in Self.seeds {
                var random = SeededGenerator(seed: ~seed)
                // A bare id belongs to the account that Apple names.
                let account = UUID()
                let bought = try Purchase.madeUp(seed: seed, token: account)
                let form = try #require(ProofForm.allCases.randomElement(using: &random))
                // nil for a purchase that Apple does not know.
                var truths: [StoreChange?] = [StoreChange.unchanged, .refunded]
                if form == .id { truths.append(nil) }
                let truth = truths.randomElement(using: &random) ?? nil
                if let truth {
                    office.store.record([bought.notification, try bought.after(truth).notification], as: .arrived)
                }
                let asked = office.store.asked.count
                let customer = "customer \(seed)"
                // The device's proof says that it runs, whatever became of it.
                let verification = try? await office.verify(
                    try form.proof(of: bought),
                    for: customer,
                    token: account
                )
                #expect(office.store.asked.count > asked, "seed \(seed): \(form)")
                #expect((verification?.state == .verified) == (truth != nil), "seed \(seed): \(form)")
                let hasAccess = if let verification { try await office.hasAccess(verification) } else { false }
                #expect(
                    hasAccess == (truth == StoreChange.unchanged),
                    "seed \(seed): \(form), \(String(describing: truth))"
                )
            }
        }
    }

    @Test("Property 12: Payment Success Sync")
    func updates() async throws {
        try await ConnectedOffice.run { office in
            var expected: Set<String> = []
            for seed in Self.seeds {
                let bought = try Purchase.madeUp(seed: seed)
                let customer = "customer \(seed)"
                let proof = PurchaseProof.signedTransactions([try bought.signed()])
                let verification = try await office.verify(proof, for: customer)
                #expect(verification.state == .verified, "seed \(seed)")
                let entitlement = try await office.office.entitlement(verification.customer)
                let transaction = bought.transaction
                #expect(entitlement?.plan.code == bought.plan, "seed \(seed)")
                #expect(entitlement?.state == (transaction.isFreeTrial ? .trial : .active), "seed \(seed)")
                #expect(entitlement?.productID == transaction.product.id, "seed \(seed)")
                #expect(entitlement?.until == transaction.expiresDate.milliseconds, "seed \(seed)")
                expected.insert("\(transaction.id) \(customer) \(bought.plan) \(transaction.price / 10)")
            }
            let orders = try await office.lines(
                """
                SELECT concat_ws(' ', o.transaction_id, c.external_id, o.plan_code, o.amount)
                FROM orders o JOIN customers c ON c.id = o.customer_id
                """
            )
            #expect(orders.count == expected.count)
            #expect(Set(orders) == expected)
        }
    }

    @Test("Property 14: Auto-Renewal Handling")
    func renewals() async throws {
        try await ConnectedOffice.run { office in
            let stranger = AppleSigner(authority: try TestAuthority())
            let bought = try Self.seeds.map { try Purchase.madeUp(seed: $0, endingIn: 600) }
            try await office.receive(try bought.map { try $0.told() })
            for (seed, purchase) in zip(Self.seeds, bought) {
                var random = SeededGenerator(seed: ~seed)
                let renewal = try purchase.after(.renewed)
                let isGenuine = Bool.random(using: &random)
                let told = isGenuine ? try renewal.told() : try stranger.sign(renewal.notification)
                do {
                    _ = try await office.backOffice.receiveNotification(told, from: .apple)
                    #expect(isGenuine, "seed \(seed)")
                } catch let error as OperationsError {
                    #expect(!isGenuine && error.code == .notAuthentic, "seed \(seed): \(error)")
                }
            }
            try await office.receive([])
            for (seed, purchase) in zip(Self.seeds, bought) {
                var random = SeededGenerator(seed: ~seed)
                let last = Bool.random(using: &random) ? try purchase.after(.renewed) : purchase
                let ends = try await office.lines(
                    """
                    SELECT concat_ws(' ', transaction_id, extract(epoch FROM period_ends_at)::bigint)
                    FROM subscriptions WHERE original_transaction_id = \(purchase.transaction.originalID)
                    """
                )
                let end = Int64(last.transaction.expiresDate.timeIntervalSince1970.rounded(.down))
                #expect(ends == ["\(last.transaction.id) \(end)"], "seed \(seed)")
            }
        }
    }

    @Test("Property 25: Subscription Sync")
    func syncs() async throws {
        try await ConnectedOffice.run { office in
            let app = try await office.office.app()
            var cases: [(seed: UInt64, customer: Customer.ID, now: Purchase, change: StoreChange)] = []
            for seed in Self.seeds {
                var random = SeededGenerator(seed: ~seed)
                let change = try #require(StoreChange.allCases.randomElement(using: &random))
                let bought = try Purchase.madeUp(seed: seed, endingIn: change == .renewed ? 30 : nil)
                let proof = PurchaseProof.signedTransactions([try bought.signed()])
                let customer = try await office.verify(proof, for: "customer \(seed)").customer
                let now = try bought.after(change)
                office.store.record([bought.notification, now.notification], as: .arrived)
                cases.append((seed, customer, now, change))
            }
            office.clock.advance(by: 61)
            for (seed, customer, now, change) in cases {
                try await office.backOffice.syncPurchases(of: customer, app: app)
                let sources = try await office.office.entitlementSources(customer)
                let subscription = try #require(sources.subscriptions.first).subscription
                let hasAccess = sources.entitlement(at: office.clock.read()) != nil
                #expect(sources.subscriptions.count == 1, "seed \(seed)")
                #expect(hasAccess == (change != .refunded), "seed \(seed): \(change)")
                #expect(
                    subscription.periodEndsAt == now.transaction.expiresDate.milliseconds,
                    "seed \(seed): \(change)"
                )
                let renews = change == .unchanged || change == .renewed
                #expect(subscription.renewsAutomatically == renews || change == .refunded, "seed \(seed): \(change)")
            }
        }
    }

    @Test("Property 26: Payment Verification Routing")
    func routing() async throws {
        try await ConnectedOffice.run { office in
            try await office.takeReceipts()
            for seed in Self.seeds {
                var random = SeededGenerator(seed: ~seed)
                let form = try #require(ProofForm.allCases.randomElement(using: &random))
                let environment = try #require(StoreEnvironment.allCases.randomElement(using: &random))
                let account = UUID()
                let bought = try Purchase.madeUp(seed: seed, in: environment, token: account)
                office.store.record([bought.notification], as: .arrived)
                let before = office.store.asked.count
                let verification = try await office.verify(
                    try form.proof(of: bought),
                    for: "customer \(seed)",
                    token: account
                )
                #expect(verification.state == .verified, "seed \(seed): \(form), \(environment)")
                let asked = Array(office.store.asked.dropFirst(before))
                let expected = form.questions(about: bought.transaction, in: environment)
                #expect(asked == expected, "seed \(seed): \(form), \(environment)")
            }
        }
    }
}

/// A form of proof that does not suffice by itself: Apple has to be asked.
private enum ProofForm: CaseIterable {
    case id
    /// A transaction that was signed too long ago to be accepted as it is.
    case oldSignature
    case receipt

    func proof(of purchase: Purchase) throws -> PurchaseProof {
        switch self {
        case .id: .transactionID(purchase.transaction.id)
        case .oldSignature: .signedTransactions([try purchase.signed(at: TestOffice.start.addingTimeInterval(-7_200))])
        case .receipt: .receipt(try purchase.receipt())
        }
    }

    /// Returns the expected requests to Apple, by the document and by Apple: receipts at verifyReceipt, and production first unless
    /// the purchase is known to be of the sandbox.
    func questions(about transaction: SimulatedTransaction, in environment: StoreEnvironment) -> [String] {
        let isSandbox = environment == .sandbox
        let root = isSandbox ? "/sandbox" : ""
        let subscription = [
            "GET \(root)/inApps/v1/subscriptions/\(transaction.originalID)",
            "GET \(root)/inApps/v2/history/\(transaction.originalID)",
        ]
        switch self {
        case .id:
            let path = "/inApps/v1/transactions/\(transaction.id)"
            return (isSandbox ? ["GET \(path)", "GET /sandbox\(path)"] : ["GET \(path)"]) + subscription
        case .oldSignature: return subscription
        case .receipt:
            let path = "/verifyReceipt"
            return (isSandbox ? ["POST \(path)", "POST /sandbox\(path)"] : ["POST \(path)"]) + subscription
        }
    }
}

extension Date {
    /// The date in whole milliseconds, as stores send it.
    fileprivate var milliseconds: Date {
        Date(timeIntervalSince1970: (timeIntervalSince1970 * 1_000).rounded(.down) / 1_000)
    }
}
