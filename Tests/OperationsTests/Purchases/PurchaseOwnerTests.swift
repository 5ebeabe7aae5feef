import Billing
import Foundation
import Operations
import Postgres
import Storage
import StoreSimulator
import TestSupport
import Testing

@Suite("Whose a verified purchase is") struct PurchaseOwnerTests {
    @Test("what a notification told of first belongs to a placeholder, then to whoever verifies it, with its history")
    func claimsPlaceholder() async throws {
        try await ConnectedOffice.run { office in
            let purchase = try Purchase.number(0)
            try await office.receive([try purchase.told()])
            let placeholder = "apple:\(purchase.transaction.originalID)"
            #expect(try await office.owner(of: purchase) == placeholder)
            let before = try await office.lines("SELECT id::text FROM customers")

            let verification = try await office.verify(.signedTransactions([try purchase.signed()]), for: "mei")

            #expect(verification.state == .verified)
            #expect(try await office.owner(of: purchase) == "mei")
            #expect(try await office.customers() == ["mei"])
            #expect(try await office.hasAccess(verification))
            let buyers = try await office.lines(
                "SELECT DISTINCT c.external_id FROM orders o JOIN customers c ON c.id = o.customer_id"
            )
            #expect(buyers == ["mei"])
            // The page of the placeholder leads to hers, and what it was called finds her.
            let gone = try #require(UUID(uuidString: before[0])).uuidString.lowercased()
            let app = try await office.office.app()
            let (survivor, found) = try await office.office.database.readPrimary { reader in
                (
                    try await reader.screens.survivor(of: Customer.ID(try #require(UUID(uuidString: gone))), app: app),
                    try await reader.entitlementSources.customers(named: placeholder, app: app)
                )
            }
            #expect(survivor == verification.customer)
            #expect(found == [verification.customer])
            #expect(try await office.backOffice.verifyRollups().map(\.differences) == [0])
        }
    }

    @Test("of two who turn out to be one the consent that was recorded last holds, and either id names the survivor")
    func consent() async throws {
        try await ConnectedOffice.run { office in
            let app = try await office.office.app()
            let ada = try await office.office.hire("ada", .admin)
            let purchase = try Purchase.number(0)
            try await office.receive([try purchase.told()])
            let placeholder = try #require(
                try await office.lines("SELECT id::text FROM customers").first.flatMap { Customer.ID($0) }
            )
            let mei = try await office.verify(.signedTransactions([try Purchase.number(1).signed()]), for: "mei")
            for (customer, isGiven) in [(placeholder, false), (mei.customer, false), (placeholder, true)] {
                office.clock.advance(by: 60)
                _ = try await office.backOffice.recordConsent(
                    isGiven,
                    of: customer,
                    app: app,
                    reason: Reason(.customerRequest, "They said so in the chat."),
                    key: nil,
                    caller: ada
                )
            }
            try await office.verify(.signedTransactions([try purchase.signed()]), for: "mei")
            let consents: Query = """
                SELECT concat_ws(' ', c.external_id, k.source, k.is_given)
                FROM consumption_consents k JOIN customers c ON c.id = k.customer_id
                ORDER BY k.recorded_at
                """
            #expect(try await office.lines(consents) == ["mei staff f", "mei staff f", "mei staff t"])
            office.clock.advance(by: 60)
            _ = try await office.backOffice.recordConsent(false, ofToken: placeholder.uuid, app: app, caller: ada)
            #expect(try await office.lines(consents).last == "mei app f")
        }
    }

    @Test("a notification that comes later does not outrank who verified, whatever came first")
    func staysClaimed() async throws {
        try await ConnectedOffice.run { office in
            let purchase = try Purchase.number(1)
            try await office.verify(.signedTransactions([try purchase.signed()]), for: "mei")
            try await office.receive([try purchase.told()])
            #expect(try await office.owner(of: purchase) == "mei")
            #expect(try await office.customers() == ["mei"])
            #expect(try await office.count("orders") == 1)
            #expect(try await office.backOffice.verifyRollups().map(\.differences) == [0])
        }
    }

    @Test("a purchase with the token that was issued to a customer is theirs by the notification alone")
    func issuedToken() async throws {
        try await ConnectedOffice.run { office in
            let first = try await office.verify(.signedTransactions([try Purchase.number(0).signed()]), for: "mei")
            let token = try #require(try await office.details(of: first)?.accountToken)
            let purchase = try Purchase.number(2, token: token)
            try await office.receive([try purchase.told()])
            #expect(try await office.owner(of: purchase) == "mei")
        }
    }

    @Test("a token that the app made itself names its customer from the first verification on")
    func foreignToken() async throws {
        try await ConnectedOffice.run { office in
            let token = UUID()
            let purchase = try Purchase.number(0, token: token)
            try await office.receive([try purchase.told()])
            let proof = PurchaseProof.signedTransactions([try purchase.signed()])
            let verification = try await office.verify(proof, for: "mei", token: token)
            #expect(try await office.owner(of: purchase) == "mei")
            #expect(try await office.details(of: verification)?.accountToken == token)
            await #expect {
                try await office.verify(proof, for: "li", token: token)
            } throws: { error in
                let error = error as? OperationsError
                return error?.code == .conflict && error?.field == "appAccountToken"
            }
            #expect(try await office.customers() == ["mei"])
        }
    }

    @Test(
        "devices of one account at the store are one customer, the first of them; an account gets the purchase, and they stay a device"
    )
    func joins() async throws {
        try await ConnectedOffice.run { office in
            let purchase = try Purchase.number(3)
            let proof = PurchaseProof.signedTransactions([try purchase.signed()])
            let phone = try await office.verify(proof, for: "phone", isAnonymous: true)
            office.clock.advance(by: 60)
            let tablet = try await office.verify(proof, for: "tablet", isAnonymous: true)
            #expect(tablet.customer == phone.customer)
            #expect(try await office.customers() == ["phone"])
            office.clock.advance(by: 60)
            let account = try await office.verify(proof, for: "mei")
            #expect(try await office.owner(of: purchase) == "mei")
            #expect(try await office.customers() == ["mei", "phone"])
            #expect(
                try await office.lines("SELECT DISTINCT customer_id::text FROM orders") == [
                    account.customer.description
                ]
            )
            // The purchase is the account's, and the devices are not.
            for device in ["phone", "tablet"] {
                let again = try await office.verify(proof, for: device, isAnonymous: true)
                #expect(again.customer == phone.customer)
                #expect(try await office.details(of: again)?.claims.map(\.outcome) == [.refused])
                #expect(try await !office.hasAccess(again))
            }
            #expect(try await office.backOffice.verifyRollups().map(\.differences) == [0])
        }
    }

    @Test("an account's claim on another account's purchase is refused, shown on both, and settled by a transfer")
    func refuses() async throws {
        try await ConnectedOffice.run { office in
            let purchase = try Purchase.number(4)
            let proof = PurchaseProof.signedTransactions([try purchase.signed()])
            let owner = try await office.verify(proof, for: "mei")
            let claimant = try await office.verify(proof, for: "li")
            #expect(claimant.state == .verified)
            #expect(try await office.owner(of: purchase) == "mei")
            #expect(try await office.details(of: claimant)?.claims.map(\.outcome) == [.refused])
            #expect(try await !office.hasAccess(claimant))
            let signal = FraudSignal.refusedClaim(purchase.transaction.originalID)
            #expect(try await office.signals(of: owner.customer).contains(signal))
            #expect(try await office.signals(of: claimant.customer).contains(signal))

            let held = try #require(try await office.details(of: claimant)?.claims.first)
            let admin = try await office.office.staff("admin@example.com", .admin)
            _ = try await office.backOffice.change(
                owner.customer,
                of: try await office.office.app(),
                .transfer(held.subscription, to: claimant.customer),
                reason: try Reason(category: "correction", text: "They share the device."),
                key: nil,
                version: nil,
                caller: admin
            )
            #expect(try await office.owner(of: purchase) == "li")
            #expect(try await office.signals(of: claimant.customer).contains(signal) == false)
            #expect(try await office.details(of: claimant)?.claims.map(\.outcome) == [.held])
            // What staff decided stays.
            try await office.verify(proof, for: "mei")
            #expect(try await office.owner(of: purchase) == "li")
        }
    }

    @Test("the signed app transaction joins a reinstalled app with its earlier self, and decides about trials")
    func reinstalls() async throws {
        try await ConnectedOffice.run { office in
            let app = try await office.office.app()
            func send(_ purchase: Purchase, for device: String) async throws -> PurchaseVerification {
                try await office.backOffice.verifyPurchase(
                    try PurchaseRequest(
                        customer: CustomerIdentity(externalID: device, isAnonymous: true),
                        proof: .signedTransactions([try purchase.signed()]),
                        signedAppTransaction: try office.appTransaction("704000000000001")
                    ),
                    of: app
                )
            }
            let first = try await send(try Purchase.number(0), for: "before")
            office.clock.advance(by: 60)
            let second = try await send(try Purchase.number(1), for: "after")
            #expect(second.customer == first.customer)
            #expect(try await office.customers() == ["before"])
            let hadTrial = try await office.count("subscriptions WHERE trial_started_at IS NOT NULL") > 0
            #expect(try await office.details(of: second)?.isTrialEligible == !hadTrial)
        }
    }

    @Test("whatever comes first, the account has all that its devices bought", arguments: 0..<12)
    func anyOrder(seed: Int) async throws {
        var random = SeededGenerator(seed: UInt64(seed))
        try await ConnectedOffice.run { office in
            let purchases = try (0..<3).map { try Purchase.number($0) }
            let signed = try purchases.map { PurchaseProof.signedTransactions([try $0.signed()]) }
            enum Step {
                case told(Int)
                case device(Int)
                case account(Int)
            }
            let steps = (0..<3).flatMap { [Step.told($0), .device($0), .account($0)] }.shuffled(using: &random)
            for step in steps {
                office.clock.advance(by: 60)
                switch step {
                case .told(let number): try await office.receive([try purchases[number].told()])
                case .device(let number):
                    try await office.verify(signed[number], for: "device \(number)", isAnonymous: true)
                case .account(let number): try await office.verify(signed[number], for: "mei")
                }
            }
            for purchase in purchases { #expect(try await office.owner(of: purchase) == "mei") }
            #expect(try await office.customers() == ["device 0", "device 1", "device 2", "mei"])
            #expect(
                try await office.lines(
                    "SELECT DISTINCT c.external_id FROM orders o JOIN customers c ON c.id = o.customer_id"
                ) == ["mei"]
            )
            #expect(try await office.backOffice.verifyRollups().map(\.differences) == [0])
        }
    }
}
