import Billing
import Foundation
import Jobs
import Operations
import Postgres
import Storage
import Testing

@Suite("Where events come from") struct EventSourceTests {
    private static let origins: [IncomingEvent.Origin] = [
        .verification, .reconciliation(nil), .checkout, .staff, .clock,
    ]

    @Test("an event without a notification is applied as one that has one: the same books, with its source beside it")
    func withoutNotification() async throws {
        let lives: [StoreEvent] = [
            .told(.subscribed, on: 0, .sold("t1", from: 0, to: 30)),
            .told(.renewed, on: 30, .sold("t2", from: 30, to: 60)),
            .told(.refunded, on: 40, .sold("t2", from: 30, to: 60).takenBack(on: 40)),
        ]
        let told = try await TestOffice.run { office in
            for event in lives { try await office.live(event) }
            return try await Self.books(office)
        }
        for origin in Self.origins {
            try await TestOffice.run { office in
                let app = try await office.app()
                for event in lives.reversed() {
                    let incoming = IncomingEvent(app: app, event: event, origin: origin)
                    guard case .applied = try await office.backOffice.apply(incoming) else {
                        Issue.record("\(event.kind) was not applied")
                        return
                    }
                }
                #expect(try await Self.books(office) == told)
                #expect(
                    try await office.lines("SELECT DISTINCT source FROM subscription_events") == [
                        origin.source.rawValue
                    ]
                )
                #expect(try await office.count("store_notifications") == 0)
            }
        }
    }

    @Test("what a store tells after its app had it verified is known already, and finishes its notification")
    func knownFromElsewhere() async throws {
        try await TestOffice.run { office in
            let event = StoreEvent.told(.subscribed, on: 0, .sold("t1", from: 0, to: 30))
            let incoming = IncomingEvent(app: try await office.app(), event: event, origin: .verification)
            guard case .applied = try await office.backOffice.apply(incoming) else {
                Issue.record("it was not applied")
                return
            }
            let before = try await Self.books(office)
            try await office.live(event)
            guard case .known = try await office.backOffice.apply(incoming) else {
                Issue.record("it was applied twice")
                return
            }
            #expect(try await Self.books(office) == before)
            #expect(try await office.lines("SELECT state FROM store_notifications") == ["processed"])
            #expect(try await office.lines("SELECT source FROM subscription_events") == ["verification"])
        }
    }

    @Test("an event that cannot be true is kept with its reason, whoever brings it")
    func rejected() async throws {
        try await TestOffice.run { office in
            let app = try await office.app()
            let event = StoreEvent.told(.renewed, on: 0, .sold("t1", from: 30, to: 0))
            let incoming = IncomingEvent(app: app, event: event, origin: .reconciliation(nil))
            guard case .refused = try await office.backOffice.apply(incoming) else {
                Issue.record("a period that ends before it begins was taken")
                return
            }
            #expect(
                try await office.lines("SELECT source FROM subscription_events WHERE rejection_reason IS NOT NULL")
                    .count == 1
            )
            #expect(try await office.count("orders") == 0)
        }
    }

    @Test("two apps may be told the same by their stores, each once")
    func twoApps() async throws {
        try await TestOffice.run { office in
            var other = try Catalog.readmigo()
            other.app = "other"
            other.accounts = [:]
            _ = try await office.backOffice.applyCatalog(other)
            let event = StoreEvent.told(.subscribed, on: 0, .sold("t1", from: 0, to: 30))
            try await office.tell(event, event)
            let apps = try await office.database.read { try await $0.apps.all() }
            for app in apps { try await office.tell(event, to: app.id) }
            #expect(
                try await office.lines("SELECT count(*)::text FROM store_notifications GROUP BY app_id") == ["1", "1"]
            )
            _ = try await office.worker.drain()
            #expect(try await office.lines("SELECT count(*)::text FROM orders GROUP BY app_id") == ["1", "1"])
        }
    }

    private static func books(_ office: TestOffice) async throws -> [String] {
        let lines = [
            try await office.subscriptions(), try await office.orders(), try await office.ledger(),
            try await office.events(),
        ]
        return lines.flatMap(\.self)
    }
}
