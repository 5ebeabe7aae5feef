import Billing
import Foundation
import Gateways
import Operations
import Postgres
import Storage
import StoreSimulator
import Testing

/// Checks the lightgallery document's properties of failed purchases, each on many made-up ones at one simulated App Store. A
/// failure
/// prints its seed.
@Suite("properties of the lightgallery document: failed purchases") struct FailedPurchaseProperties {
    static let seeds: Range<UInt64> = 0..<100

    @Test("Property 13: Failed Purchase Invariant")
    func unchanged() async throws {
        try await ConnectedOffice.run { office in
            for seed in Self.seeds {
                var random = SeededGenerator(seed: ~seed)
                let held = try Purchase.madeUp(seed: seed)
                let customer = "customer \(seed)"
                // A customer without a purchase, with one that runs, or with one that is over.
                let change = [nil, StoreChange.unchanged, .cancelled, .refunded].randomElement(using: &random) ?? nil
                if let change {
                    let proof = PurchaseProof.signedTransactions([try held.signed()])
                    let verification = try await office.verify(proof, for: customer)
                    if change != .unchanged { try await office.receive([try held.after(change).told()]) }
                    #expect(try await office.hasAccess(verification) == (change != .refunded), "seed \(seed)")
                } else {
                    try await office.identify(customer)
                }
                let before = try await office.status(of: customer)
                // The next purchase fails: Apple does not know it, does not answer, or did not sign it.
                let next = try Purchase.madeUp(seed: seed + 1_000)
                switch Int.random(in: 0..<3, using: &random) {
                case 0:
                    let proof = PurchaseProof.transactionID(next.transaction.id)
                    await #expect(throws: OperationsError.self, "seed \(seed)") {
                        try await office.verify(proof, for: customer)
                    }
                case 1:
                    office.store.fail(SimulatedFault(.status(500), times: 10))
                    let proof = PurchaseProof.transactionID(next.transaction.id)
                    #expect(try await office.verify(proof, for: customer).state == .pending, "seed \(seed)")
                    office.store.mend()
                default:
                    let forgery = try Forgery.made(from: next, and: held, using: &random)
                    await #expect(throws: OperationsError.self, "seed \(seed): \(forgery.kind)") {
                        try await office.verify(forgery.proof, for: customer)
                    }
                }
                #expect(try await office.status(of: customer) == before, "seed \(seed): \(String(describing: change))")
            }
        }
    }

    @Test("Property 27: Failed Verification Rejection")
    func rejected() async throws {
        try await ConnectedOffice.run { office in
            try await office.takeReceipts()
            let held = try Purchase.madeUp(seed: 9_999)
            try await office.verify(.signedTransactions([try held.signed()]), for: "mei")
            let books = try await office.purchased()
            for seed in Self.seeds {
                var random = SeededGenerator(seed: seed)
                let forgery = try Forgery.made(from: try Purchase.madeUp(seed: seed), and: held, using: &random)
                let customer = ["mei", "somebody \(seed)"].randomElement(using: &random) ?? "mei"
                do {
                    try await office.verify(forgery.proof, for: customer)
                    Issue.record("seed \(seed): \(forgery.kind) was taken")
                } catch let error as OperationsError {
                    #expect(
                        error.code == .invalid && error.reason == .verificationFailed,
                        "seed \(seed): \(forgery.kind), \(error)"
                    )
                    #expect(error.field == forgery.field, "seed \(seed): \(forgery.kind)")
                }
                #expect(try await office.purchased() == books, "seed \(seed): \(forgery.kind)")
            }
        }
    }

    @Test("Property 33: Network Error Distinction, of verifications")
    func unreachable() async throws {
        try await ConnectedOffice.run { office in
            let faults: [SimulatedFault.Kind] = [
                .status(500), .status(503), .hangUpAfterEffect, .cutAfterEffect,
                .tooManyRequests(retryAfter: .seconds(3_600)),
            ]
            var (away, refused): (Set<String>, Set<String>) = ([], [])
            for seed in Self.seeds {
                var random = SeededGenerator(seed: seed)
                let account = UUID()
                let bought = try Purchase.madeUp(seed: seed, token: account)
                let isKnown = Bool.random(using: &random)
                if isKnown { office.store.record([bought.notification], as: .arrived) }
                let fault = Bool.random(using: &random) ? faults.randomElement(using: &random) : nil
                if let fault { office.store.fail(SimulatedFault(fault, times: 10)) }
                do {
                    let proof = PurchaseProof.transactionID(bought.transaction.id)
                    let verification = try await office.verify(proof, for: "customer \(seed)", token: account)
                    #expect(verification.state == (fault == nil ? .verified : .pending), "seed \(seed)")
                    #expect(fault != nil || isKnown, "seed \(seed)")
                    if fault != nil { away.insert(try #require(verification.problem)) }
                } catch let error as OperationsError {
                    #expect(fault == nil && !isKnown, "seed \(seed): \(String(describing: fault)), \(error)")
                    refused.insert(error.message)
                }
                office.store.mend()
                // The time for which Apple asked for no requests is over.
                office.store.clock.advance(by: 3_600)
                office.clock.advance(by: 3_600)
            }
            // No text means both.
            #expect(!away.isEmpty && !refused.isEmpty)
            #expect(away.isDisjoint(with: refused), "\(away) \(refused)")
        }
    }
}

extension ConnectedOffice {
    fileprivate func identify(_ customer: String) async throws {
        let (app, identity) = (try await office.app(), CustomerIdentity(externalID: customer, isAnonymous: false))
        _ = try await office.database.write { try await $0.customers.identify(identity, of: app) }
    }

    /// Returns everything that gives a customer access, and their version.
    fileprivate func status(of customer: String) async throws -> [String] {
        try await lines(
            """
            SELECT concat_ws(' ', 'subscription', s.id, s.state, s.transaction_id, s.period_ends_at, s.ended_at, s.version)
            FROM subscriptions s JOIN customers c ON c.id = s.customer_id WHERE c.external_id = \(customer)
            UNION ALL
            SELECT concat_ws(' ', 'grant', g.id, g.ends_at, g.ended_at)
            FROM grants g JOIN customers c ON c.id = g.customer_id WHERE c.external_id = \(customer)
            UNION ALL
            SELECT concat_ws(' ', 'version', v.version)
            FROM entitlement_versions v JOIN customers c ON c.id = v.customer_id WHERE c.external_id = \(customer)
            ORDER BY 1
            """
        )
    }

    /// Returns all purchases of everybody, and their events.
    fileprivate func purchased() async throws -> [String] {
        try await lines(
            """
            SELECT s::text FROM subscriptions s
            UNION ALL SELECT o::text FROM orders o
            UNION ALL SELECT t::text FROM ledger_entries t
            UNION ALL SELECT g::text FROM grants g
            UNION ALL SELECT p::text FROM access_periods p
            UNION ALL SELECT id::text FROM subscription_events
            UNION ALL SELECT v::text FROM entitlement_versions v
            ORDER BY 1
            """
        )
    }
}
