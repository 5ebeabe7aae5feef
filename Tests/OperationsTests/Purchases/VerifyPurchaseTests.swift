import Billing
import Foundation
import Operations
import Postgres
import Storage
import StoreSimulator
import TestSupport
import Testing

@Suite("Verification of purchases") struct VerifyPurchaseTests {
    @Test("what Apple has just signed gives access at once, also while Apple is away")
    func fresh() async throws {
        try await ConnectedOffice.run { office in
            await office.store.stop()
            let purchase = try Purchase.number(0)
            let verification = try await office.verify(.signedTransactions([try purchase.signed()]), for: "mei")
            #expect(verification.state == .verified)
            #expect(try await office.hasAccess(verification))
            #expect(try await office.count("orders") == 1)
            let sources = try await office.lines("SELECT source FROM subscription_events")
            #expect(sources == ["verification"])
            #expect(try await office.count("jobs WHERE state = 'available'") == 0)
        }
    }

    @Test("an old signature is asked for: a refund that nobody told of takes away what it shows")
    func refundedSince() async throws {
        try await ConnectedOffice.run { office in
            let purchase = try Purchase.number(1)
            office.store.record([purchase.notification, try purchase.refunded()], as: .lost)
            let signed = try purchase.signed(at: TestOffice.start.addingTimeInterval(-7_200))
            let verification = try await office.verify(.signedTransactions([signed]), for: "mei")
            #expect(verification.state == .verified)
            #expect(try await !office.hasAccess(verification))
            #expect(try await office.lines("SELECT status FROM orders") == ["refunded"])
        }
    }

    @Test(
        "while Apple is away an old signature gives access provisionally, and is confirmed by itself once Apple is back"
    )
    func provisional() async throws {
        try await ConnectedOffice.run { office in
            let purchase = try Purchase.number(2)
            office.store.record([purchase.notification], as: .lost)
            await office.store.stop()
            let old = try purchase.signed(at: TestOffice.start.addingTimeInterval(-7_200))
            let verification = try await office.verify(.signedTransactions([old]), for: "mei")
            #expect(verification.state == .provisional)
            #expect(verification.problem == "The App Store Server API did not answer.")
            #expect(try await office.hasAccess(verification))
            #expect(try await office.owner(of: purchase) == "mei")

            try await office.workOffJobs()
            #expect(try await office.state(of: verification) == .provisional)
            try await office.store.start(port: office.store.port)
            try await office.askAgain()
            #expect(try await office.state(of: verification) == .verified)
            #expect(try await office.count("jobs WHERE state IN ('available', 'running', 'discarded')") == 0)
            #expect(try await office.backOffice.verifyRollups().map(\.differences) == [0])
        }
    }

    @Test("a bare id proves nothing until Apple answers: pending, then whose Apple says it is")
    func pending() async throws {
        try await ConnectedOffice.run { office in
            let token = UUID()
            let purchase = try Purchase.number(3, token: token)
            office.store.record([purchase.notification], as: .lost)
            await office.store.stop()
            let proof = PurchaseProof.transactionID(purchase.transaction.id)
            let verification = try await office.verify(proof, for: "mei", token: token)
            #expect(verification.state == .pending)
            #expect(try await !office.hasAccess(verification))
            // Sent again it is the same.
            #expect(try await office.verify(proof, for: "mei", token: token).id == verification.id)
            let guess = try await office.verify(proof, for: "li")
            #expect(guess.state == .pending)

            try await office.store.start(port: office.store.port)
            try await office.askAgain()
            #expect(try await office.state(of: verification) == .verified)
            #expect(try await office.owner(of: purchase) == "mei")
            #expect(try await office.hasAccess(verification))
            #expect(try await office.details(of: guess)?.claims.map(\.outcome) == [.refused])
            #expect(try await !office.hasAccess(guess))
            #expect(try await office.count("purchase_verifications") == 2)
        }
    }

    @Test("a bare id of a purchase of which Apple names nobody stays nobody's, and is rejected")
    func unproven() async throws {
        try await ConnectedOffice.run { office in
            let purchase = try Purchase.number(3)
            office.store.record([purchase.notification], as: .lost)
            let verification = try await office.verify(.transactionID(purchase.transaction.id), for: "mei")
            #expect(verification.state == .rejected)
            #expect(try await !office.hasAccess(verification))
            #expect(try await office.owner(of: purchase) == "apple:\(purchase.transaction.originalID)")
            // What Apple has signed proves it.
            try await office.verify(.signedTransactions([try purchase.signed()]), for: "mei")
            #expect(try await office.owner(of: purchase) == "mei")
            #expect(try await office.customers() == ["mei"])
        }
    }

    @Test("a receipt is verified at Apple: by verifyReceipt, and its charge by the App Store Server API")
    func receipt() async throws {
        try await ConnectedOffice.run { office in
            try await office.takeReceipts()
            let purchase = try Purchase.number(4)
            office.store.record([purchase.notification], as: .lost)
            let verification = try await office.verify(.receipt(try purchase.receipt()), for: "mei")
            #expect(verification.state == .verified)
            #expect(try await office.hasAccess(verification))
            #expect(try await office.owner(of: purchase) == "mei")
            #expect(try await office.count("orders") == 1)
            #expect(try await office.count("grants") == 0)
        }
    }

    @Test("while Apple is away a receipt whose signature holds gives a day of access, once; then what Apple says")
    func provisionalReceipt() async throws {
        try await ConnectedOffice.run { office in
            try await office.takeReceipts()
            let purchase = try Purchase.number(5)
            office.store.record([purchase.notification], as: .lost)
            await office.store.stop()
            let proof = PurchaseProof.receipt(try purchase.receipt())
            let verification = try await office.verify(proof, for: "mei")
            #expect(verification.state == .provisional)
            #expect(verification.provisionalUntil == TestOffice.start.addingTimeInterval(86_400))
            #expect(try await office.hasAccess(verification))
            #expect(try await office.count("orders") == 0)

            office.clock.advance(by: 86_400)
            let later = try await office.verify(proof, for: "mei")
            #expect(later.state == .pending)
            #expect(try await !office.hasAccess(later))
            #expect(try await office.count("grants") == 1)
            #expect(try await office.backOffice.verifyRollups().map(\.differences) == [0])

            try await office.store.start(port: office.store.port)
            try await office.askAgain()
            #expect(try await office.state(of: verification) == .verified)
            #expect(try await office.hasAccess(verification))
            #expect(try await office.count("orders") == 1)
            #expect(try await office.backOffice.verifyRollups().map(\.differences) == [0])
        }
    }

    @Test("a receipt that somebody else signed proves nothing: pending while Apple is away, refused by Apple")
    func forgedReceipt() async throws {
        try await ConnectedOffice.run { office async throws in
            try await office.takeReceipts()
            await office.store.stop()
            let proof = PurchaseProof.receipt(try Purchase.number(0).receipt(by: try ReceiptAuthority()))
            let verification = try await office.verify(proof, for: "mei")
            #expect(verification.state == .pending)
            #expect(try await !office.hasAccess(verification))
            try await office.store.start(port: office.store.port)
            await #expect {
                try await office.verify(proof, for: "mei")
            } throws: { error in
                let error = error as? OperationsError
                return error?.code == .invalid && error?.field == "receipt"
            }
            #expect(try await office.state(of: verification) == .rejected)
            #expect(try await office.count("subscriptions") == 0)
        }
    }

    @Test("an id that Apple does not know is refused by its field, and stays refused")
    func unknownID() async throws {
        try await ConnectedOffice.run { office async throws in
            await #expect {
                try await office.verify(.transactionID("2000000000000000"), for: "mei")
            } throws: { error in
                let error = error as? OperationsError
                return error?.code == .invalid && error?.field == "transactionId"
            }
            #expect(try await office.lines("SELECT state FROM purchase_verifications") == ["rejected"])
            #expect(try await office.count("jobs WHERE state IN ('available', 'running', 'discarded')") == 0)
        }
    }

    @Test(
        "a restore of many with one that is forged, another app's or of the future: the good are taken, the bad is named"
    )
    func restored() async throws {
        try await ConnectedOffice.run { office in
            var parts = try Purchase.number(1).signed().split(separator: ".").map(String.init)
            parts[1] = String(try Purchase.number(2).signed().split(separator: ".")[1])
            let good = [try Purchase.number(0).signed(), try Purchase.number(3).signed()]
            for (number, bad) in [
                parts.joined(separator: "."), "a.b.c",
                try Purchase.number(1).signed(at: TestOffice.start.addingTimeInterval(3_600)),
            ].enumerated() {
                let list = [good[0], bad, good[1]]
                let verification = try await office.verify(.signedTransactions(list), for: "mei")
                #expect(verification.state == .verified, "\(number)")
                #expect(verification.worthless.count == 1)
                #expect(verification.worthless.first?.hasPrefix("signedTransactions.1: ") == true)
                #expect(try await office.hasAccess(verification))
            }
            #expect(try await office.count("subscriptions") == 2)
            #expect(try await office.owner(of: Purchase.number(3)) == "mei")
        }
    }

    @Test("what is no proof is refused by its place in the list, and keeps nothing")
    func tampered() async throws {
        try await ConnectedOffice.run { office in
            let good = try Purchase.number(0).signed()
            var parts = try Purchase.number(1).signed().split(separator: ".").map(String.init)
            parts[1] = String(try Purchase.number(2).signed().split(separator: ".")[1])
            for (list, field) in [
                ([parts.joined(separator: ".")], "signedTransactions.0"), (["a.b.c", "d.e.f"], "signedTransactions.0"),
                ([good, ""], "signedTransactions.1"), ([good, "\0"], "signedTransactions.1"),
                ([good, String(repeating: "a", count: 100_000)], "signedTransactions.1"),
                (
                    [try Purchase.number(1).signed(at: TestOffice.start.addingTimeInterval(3_600))],
                    "signedTransactions.0"
                ),
            ] {
                await #expect {
                    try await office.verify(.signedTransactions(list), for: "mei")
                } throws: { error in
                    let error = error as? OperationsError
                    return error?.code == .invalid && error?.field == field
                }
            }
            for id in ["", "\0", String(repeating: "a", count: 100_000)] {
                await #expect {
                    try await office.verify(.transactionID(id), for: id)
                } throws: { error in
                    (error as? OperationsError)?.problems.map(\.field) == ["customerId", "transactionId"]
                }
            }
            #expect(try await office.count("customers") == 0)
            #expect(try await office.count("purchase_verifications") == 0)
        }
    }

    @Test(
        "a restore with a product that the catalogue lacks: the others are verified, and it is the customer's once it is there"
    )
    func restoredInPart() async throws {
        try await ConnectedOffice.run { office in
            let (sold, unknown) = (try Purchase.number(0), try Purchase.withAnotherProduct(than: Purchase.number(0)))
            let product = unknown.transaction.product.id
            _ = try await office.office.pool.query(
                "UPDATE products SET store_product_id = 'another' WHERE store_product_id = \(product)"
            )
            var request = try PurchaseRequest(
                customer: CustomerIdentity(externalID: "mei", isAnonymous: false),
                proof: .signedTransactions([try unknown.signed(), try sold.signed()])
            )
            request.refusesUnknownProducts = true
            let verification = try await office.backOffice.verifyPurchase(request, of: try await office.office.app())
            #expect(verification.state == .verified)
            #expect(verification.problem?.contains(product) == true)
            #expect(try await office.hasAccess(verification))
            #expect(try await office.count("subscriptions") == 1)
            try await office.askAgain()
            #expect(try await office.state(of: verification) == .verified)
            _ = try await office.office.pool.query(
                "UPDATE products SET store_product_id = \(product) WHERE store_product_id = 'another'"
            )
            office.clock.advance(by: 120)
            try await office.askAgain()
            #expect(try await office.details(of: verification)?.verification.problem == nil)
            #expect(try await office.owner(of: unknown) == "mei")
            #expect(try await office.count("jobs WHERE state IN ('available', 'running', 'discarded')") == 0)
        }
    }

    @Test("a product that the catalogue lacks waits for it, and is the customer's once it is there")
    func unknownProduct() async throws {
        try await ConnectedOffice.run { office in
            let purchase = try Purchase.number(0)
            _ = try await office.office.pool.query(
                "UPDATE products SET store_product_id = 'another' WHERE store_product_id = \(purchase.transaction.product.id)"
            )
            let verification = try await office.verify(.signedTransactions([try purchase.signed()]), for: "mei")
            #expect(verification.state == .pending)
            #expect(verification.problem?.contains(purchase.transaction.product.id) == true)
            var request = try PurchaseRequest(
                customer: CustomerIdentity(externalID: "mei", isAnonymous: false),
                proof: .signedTransactions([try purchase.signed()])
            )
            request.refusesUnknownProducts = true
            let app = try await office.office.app()
            let refused = await #expect(throws: OperationsError.self) {
                _ = try await office.backOffice.verifyPurchase(request, of: app)
            }
            #expect(refused?.reason == .productNotFound)
            // What the store has signed is kept all the same, as that of the first call is.
            #expect(try await office.count("purchase_verifications WHERE state = 'pending'") == 2)
            _ = try await office.office.pool.query(
                "UPDATE products SET store_product_id = \(purchase.transaction.product.id) WHERE store_product_id = 'another'"
            )
            // A server looks again for a product that it did not find.
            office.clock.advance(by: 120)
            try await office.askAgain()
            #expect(try await office.state(of: verification) == .verified)
            #expect(try await office.hasAccess(verification))
        }
    }
}

extension ConnectedOffice {
    /// Works off what waits for its time.
    func askAgain() async throws {
        _ = try await office.pool.query("UPDATE jobs SET scheduled_at = now() WHERE state = 'available'")
        try await workOffJobs()
    }
}
