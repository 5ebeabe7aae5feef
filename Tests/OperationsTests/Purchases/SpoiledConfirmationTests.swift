import Billing
import Foundation
import Gateways
import Operations
import Postgres
import Storage
import StoreSimulator
import TestSupport
import Testing

@Suite("Purchases whose store is heard badly") struct SpoiledConfirmationTests {
    /// The account that the store names: a bare id proves nothing by itself.
    private static let token = UUID()
    /// What stands in the place of the store's answer.
    static let answers: [FieldAnswer] = [
        .cut(), .cut(bytes: 1), .html, .empty, .null, .wrongTypes, .status(301), .status(400), .status(403),
        .status(404), .status(500),
    ]

    @Test(
        "a bare id stays pending, whatever comes in the place of an answer, and is the customer's once Apple speaks",
        arguments: answers
    )
    func bareID(answer: FieldAnswer) async throws {
        try await ConnectedOffice.run { office in
            let purchase = try Purchase.number(3, token: Self.token)
            office.store.record([purchase.notification], as: .lost)
            office.store.fail(SimulatedFault(.field(answer), times: 1_000))
            let verification = try await office.verify(
                .transactionID(purchase.transaction.id),
                for: "mei",
                token: Self.token
            )
            #expect(verification.state == .pending)
            #expect(verification.problem?.hasPrefix("The App Store Server API answered") == true)
            try await office.askAgain()
            #expect(try await office.state(of: verification) == .pending)
            office.store.mend()
            try await office.askAgain()
            #expect(try await office.state(of: verification) == .verified)
            #expect(try await office.owner(of: purchase) == "mei")
            #expect(try await office.count("jobs WHERE state IN ('available', 'running', 'discarded')") == 0)
        }
    }

    @Test(
        "a refund of yesterday is found once Apple speaks: an old signature does not end as verified before",
        arguments: answers
    )
    func refundedMeanwhile(answer: FieldAnswer) async throws {
        try await ConnectedOffice.run { office in
            let purchase = try Purchase.number(1)
            office.store.record([purchase.notification, try purchase.refunded()], as: .lost)
            office.store.fail(SimulatedFault(.field(answer), times: 1_000))
            let signed = try purchase.signed(at: TestOffice.start.addingTimeInterval(-7_200))
            let verification = try await office.verify(.signedTransactions([signed]), for: "mei")
            #expect(verification.state == .provisional)
            #expect(try await office.hasAccess(verification))
            office.store.mend()
            try await office.askAgain()
            #expect(try await office.state(of: verification) == .verified)
            #expect(try await !office.hasAccess(verification))
            #expect(try await office.lines("SELECT status FROM orders") == ["refunded"])
        }
    }

    @Test("a receipt is not rejected by what is not verifyReceipt's answer", arguments: answers)
    func receipt(answer: FieldAnswer) async throws {
        try await ConnectedOffice.run { office in
            try await office.takeReceipts()
            let purchase = try Purchase.number(4)
            office.store.record([purchase.notification], as: .lost)
            office.store.fail(SimulatedFault(.field(answer), onPath: "verifyReceipt", times: 1_000))
            let verification = try await office.verify(.receipt(try purchase.receipt()), for: "mei")
            #expect(verification.state == .provisional)
            office.store.mend()
            try await office.askAgain()
            #expect(try await office.state(of: verification) == .verified)
            #expect(try await office.owner(of: purchase) == "mei")
            #expect(try await office.count("orders") == 1)
        }
    }

    @Test("of a restore of many each is asked about by itself: one without an answer keeps back no other")
    func itemByItem() async throws {
        try await ConnectedOffice.run { office in
            let purchases = try [1, 2, 3].map { try Purchase.number($0) }
            office.store.record(purchases.map(\.notification) + [try purchases[2].refunded()], as: .lost)
            office.store.fail(SimulatedFault(.field(.html), onPath: purchases[0].transaction.originalID, times: 1_000))
            let long = TestOffice.start.addingTimeInterval(-7_200)
            let verification = try await office.verify(
                .signedTransactions(try purchases.map { try $0.signed(at: long) }),
                for: "mei"
            )
            #expect(verification.state == .provisional)
            #expect(try await office.count("orders WHERE status = 'refunded'") == 1)
            office.store.mend()
            try await office.askAgain()
            #expect(try await office.state(of: verification) == .verified)
        }
    }

    @Test("what Apple has just signed of a period that is over is asked about: it has gone on since")
    func freshAndOver() async throws {
        try await ConnectedOffice.run { office in
            let (first, renewal) = try Purchase.renewed()
            office.store.record([first.notification, renewal.notification], as: .lost)
            let verification = try await office.verify(.signedTransactions([try first.signed()]), for: "mei")
            #expect(verification.state == .verified)
            #expect(try await office.hasAccess(verification))
            #expect(try await office.count("orders") == 2)
        }
    }

    @Test("a receipt in its grace period gives access, also without a key of the App Store Server API")
    func receiptInGrace() async throws {
        try await ConnectedOffice.run { office in
            var catalog = try office.receiptCatalog()
            for name in [
                AppleSetting.issuerID, AppleSetting.keyID, AppleSetting.productionAPI, AppleSetting.sandboxAPI,
            ] {
                catalog.accounts[.apple]?.settings[name] = nil
            }
            catalog.accounts[.apple]?.secrets[AppleSetting.privateKey] = nil
            _ = try await office.backOffice.applyCatalog(catalog)
            let (first, _) = try Purchase.renewed()
            office.verifyReceipt.know(
                [],
                [
                    SimulatedPendingRenewal(
                        originalTransactionID: first.transaction.originalID,
                        productID: first.transaction.product.id,
                        nextProductID: first.transaction.product.id,
                        renewsAutomatically: true,
                        expirationIntent: 2,
                        isInBillingRetry: true,
                        gracePeriodExpiresDate: TestOffice.start.addingTimeInterval(86_400)
                    )
                ]
            )
            let verification = try await office.verify(.receipt(try first.receipt()), for: "mei")
            #expect(verification.state == .verified)
            #expect(try await office.lines("SELECT state FROM subscriptions") == ["grace_period"])
            #expect(try await office.hasAccess(verification))
            office.clock.advance(by: 86_401)
            #expect(try await !office.hasAccess(verification))
        }
    }
}

extension Purchase {
    /// A first period that is over at the tests' date, and the next, which runs.
    static func renewed() throws -> (first: Purchase, next: Purchase) {
        let lives = SimulatedSubscribers(seed: 44, customers: 200, months: 3, endingAt: TestOffice.start)
        let all = lives.notifications().filter { notification in
            guard let transaction = notification.transaction else { return false }
            return notification.environment == .production && !transaction.isFamilyShared
                && !transaction.isFreeTrial && transaction.price > 0
        }
        for first in all where first.type == "SUBSCRIBED" && first.subtype == "INITIAL_BUY" {
            let own = all.filter { $0.transaction?.originalID == first.transaction?.originalID }
            guard own.count == 2, let next = own.last, next.type == "DID_RENEW", let one = first.transaction,
                let other = next.transaction, one.expiresDate < TestOffice.start,
                other.expiresDate > TestOffice.start.addingTimeInterval(2 * 86_400)
            else { continue }
            return (nameless(first, one), nameless(next, other))
        }
        throw NoSuchLife()
    }

    private static func nameless(_ notification: SimulatedNotification, _ transaction: SimulatedTransaction) -> Purchase
    {
        var (notification, transaction) = (notification, transaction)
        transaction.appAccountToken = nil
        notification.transaction = transaction
        notification.renewal?.appAccountToken = nil
        notification.customer = nil
        return Purchase(notification: notification, transaction: transaction)
    }

    private struct NoSuchLife: Error {}
}
