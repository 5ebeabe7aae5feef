import Billing
import Foundation
import Jobs
import Operations
import Postgres
import Storage
import StoreSimulator
import TestSupport
import Testing

@Suite("Synchronisation of a customer's purchases") struct SyncPurchasesTests {
    @Test("Apple is asked about what the customer bought, once a minute")
    func asks() async throws {
        try await ConnectedOffice.run { office in
            let purchase = try Purchase.number(0)
            office.store.record([purchase.notification], as: .lost)
            let verification = try await office.verify(.signedTransactions([try purchase.signed()]), for: "mei")
            try await Self.sync(verification, office)
            #expect(try await Self.asked(office) == [])

            office.clock.advance(by: 61)
            try await Self.sync(verification, office)
            #expect(try await Self.asked(office) == ["verified"])
            #expect(try await office.owner(of: purchase) == "mei")
            #expect(try await office.hasAccess(verification))
        }
    }

    @Test("while Apple is away the customer keeps what they have, and Apple is asked in the background")
    func away() async throws {
        try await ConnectedOffice.run { office in
            let purchase = try Purchase.number(0)
            office.store.record([purchase.notification], as: .lost)
            let verification = try await office.verify(.signedTransactions([try purchase.signed()]), for: "mei")
            await office.store.stop()
            office.clock.advance(by: 61)
            try await Self.sync(verification, office)
            #expect(try await Self.asked(office) == ["pending"])
            #expect(try await office.hasAccess(verification))

            try await office.store.start(port: office.store.port)
            _ = try await office.office.pool.query("UPDATE jobs SET scheduled_at = now() WHERE state = 'available'")
            _ = try await JobWorker(backOffice: office.backOffice).drain()
            #expect(try await Self.asked(office) == ["verified"])
            #expect(try await office.hasAccess(verification))
        }
    }

    private static func sync(_ verification: PurchaseVerification, _ office: ConnectedOffice) async throws {
        let app = try await office.office.app()
        try await office.backOffice.syncPurchases(of: verification.customer, app: app)
    }

    /// What came of the questions about bare ids.
    private static func asked(_ office: ConnectedOffice) async throws -> [String] {
        try await office.lines("SELECT state FROM purchase_verifications WHERE form = 'transaction_id'")
    }
}
