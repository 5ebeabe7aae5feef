import Billing
import Foundation
import Jobs
import Operations
import Postgres
import Storage
import StoreSimulator
import Testing

@Suite("Renewals that staff have Apple put off") struct RenewalExtensionTests {
    @Test("one subscription is extended at Apple, and what it answered is kept", .timeLimit(.minutes(15)))
    func one() async throws {
        try await ExtendedOffice.run { desk in
            let id = try await desk.extend(days: "7")
            #expect(try await desk.states() == ["sending 7"])
            try await desk.work()
            let row = try #require(try await desk.row(id))
            guard case .succeeded(_, let result) = row.state else {
                Issue.record("it is \(row.state)")
                return
            }
            #expect(result.renewsAt != nil)
            try await desk.work()
            #expect(try await desk.states() == ["succeeded 7"])
        }
    }

    @Test("twice in 365 days, and no more: the third is refused with Apple's own number")
    func tooMany() async throws {
        try await ExtendedOffice.run { desk in
            for _ in 0..<3 {
                _ = try await desk.extend(days: "1")
                try await desk.work()
                desk.connected.clock.advance(by: 1)
            }
            #expect(try await desk.states().map { $0.prefix(7) } == ["succeed", "succeed", "refused"])
            #expect(
                try await desk.connected.lines(
                    "SELECT error_code::text FROM renewal_extensions WHERE state = 'refused'"
                ) == ["4030005"]
            )
        }
    }

    @Test("while Apple is away it is tried again under the same id")
    func away() async throws {
        try await ExtendedOffice.run { desk in
            await desk.connected.store.stop()
            _ = try await desk.extend(days: "30")
            try await desk.work()
            #expect(try await desk.states() == ["sending 30"])
            try await desk.connected.store.start(port: desk.connected.store.port)
            try await desk.makeDue()
            try await desk.work()
            #expect(try await desk.states() == ["succeeded 30"])
        }
    }

    @Test("all who subscribe to a product are extended by Apple, whose counts are kept when it is done")
    func many() async throws {
        try await ExtendedOffice.run { desk in
            let outcome = try await desk.connected.backOffice.extendRenewals(
                ofProduct: desk.productID,
                at: .apple,
                in: .production,
                storefronts: [],
                app: desk.app,
                try ExtensionTerms(days: "3", reasonCode: "SERVICE_ISSUE_OR_OUTAGE"),
                reason: Reason(.serviceFailure, "The reader was down for a day."),
                key: nil,
                caller: desk.ada
            )
            // What Apple tells of it belongs to the request from the start.
            #expect(
                try await desk.connected.lines(
                    "SELECT concat_ws(' ', request_identifier, store_product_id, days, reason_code) FROM renewal_extensions"
                ) == ["\(outcome.result) \(desk.productID) 3 3"]
            )
            try await desk.work()
            try await desk.makeDue()
            try await desk.work()
            let id = try #require(RenewalExtension.ID(outcome.result))
            guard case .succeeded(_, let result)? = try await desk.row(id)?.state else {
                Issue.record("it is not done")
                return
            }
            #expect((result.succeeded ?? 0) > 0)
        }
    }

    @Test(
        "what is wrong is said by field",
        arguments: [
            ("", "OTHER", "days"), ("0", "OTHER", "days"), ("91", "OTHER", "days"),
            ("-9223372036854775808", "OTHER", "days"),
            ("10000000000000000000", "OTHER", "days"), ("1.5", "OTHER", "days"), ("1\u{0}", "OTHER", "days"),
            ("7", "", "reasonCode"), ("7", "WHIM", "reasonCode"),
        ]
    )
    func terms(days: String, code: String, field: String) {
        let error = #expect(throws: OperationsError.self) { try ExtensionTerms(days: days, reasonCode: code) }
        #expect(error?.problems.map(\.field) == [field])
    }

    @Test("who may not, what there is not, and countries that are none")
    func refused() async throws {
        try await ExtendedOffice.run { desk in
            let ann = try await desk.connected.office.hire("ann", .analyst)
            let sue = try await desk.connected.office.hire("sue", .support)
            #expect(await rejectionReason { try await desk.extend(days: "7", by: ann) }?.code == .forbidden)
            let missing = await rejectionReason {
                try await desk.connected.backOffice.extendRenewal(
                    of: Subscription.ID(UUID()),
                    app: desk.app,
                    try ExtensionTerms(days: "7", reasonCode: "OTHER"),
                    reason: ExtendedOffice.reason,
                    key: nil,
                    caller: desk.ada
                )
            }
            #expect(missing?.code == .notFound)
            for (caller, product, countries, code) in [
                (sue, desk.productID, [], .forbidden), (desk.ada, "gold", [], .notFound),
                (desk.ada, desk.productID, ["usa"], .invalid), (desk.ada, desk.productID, ["US"], .invalid),
            ] as [(Caller, String, [String], OperationsError.Code)] {
                let error = await rejectionReason {
                    try await desk.connected.backOffice.extendRenewals(
                        ofProduct: product,
                        at: .apple,
                        in: .production,
                        storefronts: countries,
                        app: desk.app,
                        try ExtensionTerms(days: "7", reasonCode: "OTHER"),
                        reason: ExtendedOffice.reason,
                        key: nil,
                        caller: caller
                    )
                }
                #expect(error?.code == code)
            }
            #expect(try await desk.states().isEmpty)
        }
    }
}

/// A back office with one paid, active subscription that the simulated Apple knows.
struct ExtendedOffice: Sendable {
    let connected: ConnectedOffice
    let app: App.ID
    let ada: Caller
    let subscription: Subscription.ID
    let productID: String

    static let reason = Reason(.goodwill, "Could not read for a week.")

    static func run(_ body: (ExtendedOffice) async throws -> Void) async throws {
        try await ConnectedOffice.run { connected in
            let lives = SimulatedSubscribers(seed: 3, customers: 60, months: 6, endingAt: TestOffice.start)
            let all = lives.notifications().filter { $0.environment == .production }
            connected.store.record(all, as: .arrived)
            let signer = AppleSigner(authority: try TestOffice.authority.get())
            try await connected.receive(try all.map(signer.sign))
            let found = try await connected.lines(
                """
                SELECT concat_ws(' ', s.id, p.store_product_id)
                FROM subscriptions s
                JOIN products p ON p.id = s.product_id
                WHERE s.state = 'active' AND s.period_ends_at > '2026-01-02' AND s.environment = 'production'
                    AND EXISTS (SELECT FROM orders o WHERE o.subscription_id = s.id AND o.status = 'completed' AND o.amount > 0)
                ORDER BY s.period_ends_at DESC
                LIMIT 1
                """
            )
            let words = try #require(found.first?.split(separator: " "))
            let desk = ExtendedOffice(
                connected: connected,
                app: try await connected.office.app(),
                ada: try await connected.office.hire("ada", .admin),
                subscription: try #require(words.first.flatMap { Subscription.ID(String($0)) }),
                productID: try #require(words.last.map(String.init))
            )
            try await body(desk)
        }
    }

    func extend(days: String, by caller: Caller? = nil) async throws -> RenewalExtension.ID {
        let outcome = try await connected.backOffice.extendRenewal(
            of: subscription,
            app: app,
            try ExtensionTerms(days: days, reasonCode: "CUSTOMER_SATISFACTION"),
            reason: Self.reason,
            key: nil,
            caller: caller ?? ada
        )
        return try #require(RenewalExtension.ID(outcome.result))
    }

    func work() async throws { _ = try await JobWorker(backOffice: connected.backOffice).drain() }

    func makeDue() async throws {
        _ = try await connected.office.database.writeAlone(
            "UPDATE jobs SET scheduled_at = now() WHERE state = 'available'"
        )
    }

    func row(_ id: RenewalExtension.ID) async throws -> RenewalExtension? {
        try await connected.office.database.readPrimary { try await $0.screens.renewalExtension(id, of: app) }
    }

    func states() async throws -> [String] {
        try await connected.lines(
            "SELECT concat_ws(' ', state, days) FROM renewal_extensions ORDER BY requested_at, id"
        )
    }
}
