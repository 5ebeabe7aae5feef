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

@Suite("Answers to a store that asks about a refund") struct AnswerStoreTests {
    @Test("with consent, and sent automatically: the first rule that holds decides the case and is told to Apple, once")
    func automatic() async throws {
        try await AskedOffice.run(.automatic) { desk in
            try await desk.consent()
            try await desk.ask()
            try await desk.work()
            #expect(
                try await desk.answers()
                    == ["sent GRANT_PRORATED rule 2 yearly approved by perennial, 2. yearly, GRANT_PRORATED"]
            )
            let sent = desk.told()
            #expect(sent.count == 1)
            #expect(sent.first?.body["customerConsented"] == true)
            #expect(sent.first?.body["deliveryStatus"] == "DELIVERED")
            #expect(sent.first?.body["sampleContentProvided"] == true)
            #expect(sent.first?.body["refundPreference"] == "GRANT_PRORATED")
            // Apple takes no percentage for an auto-renewable subscription (4000209).
            #expect(sent.first?.body["consumptionPercentage"] == nil)
            try await desk.work()
            #expect(desk.told().count == 1)
            #expect(try await desk.audit().suffix(2) == ["perennial refund.approve", "perennial refund.answer"])
        }
    }

    @Test("without consent nothing is sent and the case says so; consent that comes before the deadline has it sent")
    func consent() async throws {
        try await AskedOffice.run(.automatic) { desk in
            try await desk.ask()
            try await desk.work()
            #expect(try await desk.answers() == ["withheld GRANT_PRORATED rule 2 yearly no_consent pending"])
            #expect(desk.told().isEmpty)
            try await desk.consent()
            try await desk.work()
            #expect(try await desk.answers().first?.hasPrefix("sent GRANT_PRORATED") == true)
            #expect(desk.told().count == 1)
        }
    }

    @Test("consent that was withdrawn counts as none")
    func withdrawn() async throws {
        try await AskedOffice.run(.automatic) { desk in
            try await desk.consent()
            try await desk.consent(false)
            try await desk.ask()
            try await desk.work()
            #expect(desk.told().isEmpty)
            #expect(try await desk.answers() == ["withheld GRANT_PRORATED rule 2 yearly no_consent pending"])
        }
    }

    @Test("what staff decide is sent at once; what nobody decided waits until half an hour before the deadline")
    func deadline() async throws {
        try await AskedOffice.run(.deadline) { desk in
            try await desk.consent()
            try await desk.ask()
            try await desk.work()
            #expect(try await desk.answers().isEmpty)
            try await desk.reject()
            try await desk.work()
            #expect(
                try await desk.answers()
                    == ["sent DECLINE rejected by ada@example.com, The customer used all of it., DECLINE"]
            )
            #expect(desk.told().map { $0.body["refundPreference"] } == ["DECLINE"])
        }
        try await AskedOffice.run(.deadline) { desk in
            try await desk.consent()
            try await desk.ask()
            desk.clock.advance(by: 11.4 * 3_600)
            try await desk.work()
            #expect(desk.told().isEmpty)
            desk.clock.advance(by: 0.2 * 3_600)
            try await desk.makeDue()
            try await desk.work()
            #expect(desk.told().count == 1)
            #expect(try await desk.answers().first?.hasPrefix("sent GRANT_PRORATED rule 2 yearly approved") == true)
        }
    }

    @Test("where no rule holds nothing is sent, and a decision of staff after the deadline is too late")
    func noRule() async throws {
        try await AskedOffice.run(.automatic, rules: []) { desk in
            try await desk.consent()
            try await desk.ask()
            try await desk.work()
            #expect(try await desk.answers() == ["withheld no_rule pending"])
            desk.clock.advance(by: 13 * 3_600)
            try await desk.reject()
            try await desk.work()
            #expect(try await desk.answers().first?.hasPrefix("withheld DECLINE too_late rejected") == true)
            #expect(desk.told().isEmpty)
        }
    }

    @Test("while Apple is away it is tried again, and what Apple does not take says why")
    func refused() async throws {
        try await AskedOffice.run(.automatic) { desk in
            try await desk.consent()
            await desk.store.stop()
            try await desk.ask()
            try await desk.work()
            #expect(try await desk.answers().first?.hasPrefix("sending GRANT_PRORATED") == true)
            try await desk.store.start(port: desk.store.port)
            try await desk.makeDue()
            try await desk.work()
            #expect(try await desk.answers().first?.hasPrefix("sent GRANT_PRORATED") == true)
        }
        try await AskedOffice.run(.automatic, knowsTransaction: false) { desk in
            try await desk.consent()
            try await desk.ask()
            try await desk.work()
            #expect(try await desk.answers().first?.hasPrefix("refused GRANT_PRORATED rule 2 yearly 4040010") == true)
        }
    }

    @Test("a worker that is lost between writing down and sending has it sent again, and the case is decided once")
    func lostWorker() async throws {
        try await AskedOffice.run(.automatic) { desk in
            try await desk.consent()
            try await desk.ask()
            await desk.store.stop()
            try await desk.work()
            try await desk.store.start(port: desk.store.port)
            try await desk.makeDue()
            try await desk.work()
            try await desk.makeDue()
            try await desk.work()
            #expect(try await desk.audit().count { $0 == "perennial refund.approve" } == 1)
            #expect(try await desk.audit().count { $0 == "perennial refund.answer" } == 1)
        }
    }
}

/// A back office with a consumption request of Apple about a known subscriber's yearly order.
struct AskedOffice: Sendable {
    let connected: ConnectedOffice
    let app: App.ID
    let ada: Caller
    let purchase: StoreTransaction
    let store: SimulatedAppleServer

    var clock: TestClock { connected.clock }

    static let rules = [
        ConsumptionRule(name: "often", refunds: .init(from: 2), answer: .decline),
        ConsumptionRule(name: "yearly", plan: "PRO", usedPercent: .init(to: 60), answer: .grantProrated),
    ]

    static func run(
        _ sending: ConsumptionPolicy.Sending,
        rules: [ConsumptionRule] = rules,
        knowsTransaction: Bool = true,
        _ body: (AskedOffice) async throws -> Void
    ) async throws {
        try await ConnectedOffice.run { connected in
            var catalog = try connected.catalog()
            catalog.consumption = ConsumptionPolicy(sending: sending, providesSamples: true, rules: rules)
            _ = try await connected.backOffice.applyCatalog(catalog)
            let lives = SimulatedSubscribers(seed: 3, customers: 40, months: 6, endingAt: TestOffice.start)
            let bought = try #require(
                lives.notifications().first {
                    $0.type == "SUBSCRIBED" && $0.subtype == "INITIAL_BUY" && $0.environment == .production
                        && ($0.transaction?.price ?? 0) > 0
                }
            )
            if knowsTransaction { connected.store.record([bought], as: .arrived) }
            let id = try #require(bought.transaction?.id)
            let end = TestOffice.start.addingTimeInterval(200 * 86_400)
            let purchase = StoreTransaction(
                id: id,
                originalID: id,
                productID: "com.readmigo.pro.yearly",
                purchasedAt: end.addingTimeInterval(-365 * 86_400),
                expiresAt: end,
                price: .yuan(128)
            )
            let desk = AskedOffice(
                connected: connected,
                app: try await connected.office.app(),
                ada: try await connected.office.hire("ada", .admin),
                purchase: purchase,
                store: connected.store
            )
            try await desk.hear(.subscribed, at: purchase.purchasedAt)
            try await body(desk)
        }
    }

    func ask() async throws { try await hear(.refundRequested, at: TestOffice.start) }

    private func hear(_ kind: StoreEvent.Kind, at moment: Date) async throws {
        let event = StoreEvent(
            id: "\(kind.rawValue) \(moment.timeIntervalSince1970)",
            store: .apple,
            environment: .production,
            signedAt: moment,
            kind: kind,
            transaction: purchase
        )
        try await connected.office.tell(event)
        _ = try await NotificationWorker(backOffice: connected.backOffice).drain()
        let unapplied: Query =
            "SELECT concat_ws(' ', type, state, last_error) FROM store_notifications WHERE state <> 'processed'"
        #expect(try await connected.lines(unapplied) == [])
    }

    func consent(_ isGiven: Bool = true) async throws {
        let customer = try #require(
            try await connected.lines("SELECT id::text FROM customers").first.flatMap { Customer.ID($0) }
        )
        _ = try await connected.backOffice.recordConsent(
            isGiven,
            of: customer,
            app: app,
            reason: Reason(.customerRequest, "They said so in the chat."),
            key: nil,
            caller: ada
        )
        clock.advance(by: 1)
    }

    func reject() async throws {
        _ = try await connected.backOffice.rejectRefund(
            "RF-000001",
            app: app,
            reason: Reason(.other, "The customer used all of it."),
            caller: ada
        )
    }

    func work() async throws { _ = try await JobWorker(backOffice: connected.backOffice).drain() }

    /// Makes jobs that wait for another attempt due.
    func makeDue() async throws {
        _ = try await connected.office.database.writeAlone(
            "UPDATE jobs SET scheduled_at = now() WHERE state = 'available'"
        )
    }

    func told() -> [SimulatedConsumption] { store.consumptions() }

    func answers() async throws -> [String] {
        try await connected.lines(
            """
            SELECT concat_ws(' ', a.state, a.refund_preference, 'rule ' || a.rule_position, a.rule_name, a.withheld_because,
                a.error_code, r.status, 'by ' || r.decided_as || ', ' || r.decision_reason || ', ' || r.refund_preference)
            FROM consumption_answers a JOIN refund_requests r ON r.id = a.refund_request_id
            """
        )
    }

    func audit() async throws -> [String] {
        try await connected.lines(
            """
            SELECT concat_ws(' ', e.actor, e.action)
            FROM audit_entries e JOIN audit_chain c ON c.entry_id = e.id
            WHERE e.object_type = 'refund'
            ORDER BY c.number
            """
        )
    }
}
