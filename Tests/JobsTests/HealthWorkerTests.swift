import Billing
import Foundation
import Jobs
import Operations
import ServiceLifecycle
import Storage
import TestSupport
import Testing

@Suite("Health worker") struct HealthWorkerTests {
    @Test("what was counted is written once, and nothing where nothing was")
    func writing() async throws {
        try await TestInbox.run { inbox async throws in
            #expect(try await inbox.backOffice.writeHealth() == 0)
            Self.answer(inbox, 3)
            #expect(try await inbox.backOffice.writeHealth() == 1)
            #expect(try await inbox.backOffice.writeHealth() == 0)
            #expect(try await Self.requests(inbox) == 3)
        }
    }

    @Test("what cannot be written is kept, and neither lost nor doubled")
    func failing() async throws {
        try await TestInbox.run { inbox async throws in
            try await inbox.execute("ALTER TABLE service_metrics_hourly RENAME TO elsewhere")
            for _ in 0..<3 {
                Self.answer(inbox, 2)
                await #expect(throws: (any Error).self) { try await inbox.backOffice.writeHealth() }
            }
            try await inbox.execute("ALTER TABLE elsewhere RENAME TO service_metrics_hourly")
            Self.answer(inbox, 1)
            #expect(try await inbox.backOffice.writeHealth() == 1)
            #expect(try await inbox.backOffice.writeHealth() == 0)
            #expect(try await Self.requests(inbox) == 7)
        }
    }

    @Test(
        "a notification that was applied says how long that took; what is sent in from history not since its signature"
    )
    func applied() async throws {
        try await TestInbox.run { inbox async throws in
            // Signed long ago, and arrived then.
            try await inbox.sell("told")
            try await inbox.sell("history")
            try await inbox.execute(
                """
                UPDATE store_notifications SET received_at = now()
                WHERE notification_uuid = 'history'
                """
            )
            try await inbox.sell("unknown", product: "nothing")
            _ = try await inbox.worker.drain()
            _ = try await inbox.backOffice.writeHealth()
            let counts = try await Self.counts(inbox)
            #expect(counts.total(.applied).count == 2)
            #expect(counts.total(.synced).count == 1)
            let age = inbox.database.now.timeIntervalSince1970 - 1_750_000_000
            #expect(abs(counts.total(.synced).max - age) < 60)
            try await inbox.backOffice.sampleInbox()
            _ = try await inbox.backOffice.writeHealth()
            #expect(try await Self.failed(inbox) == 1)
        }
    }

    @Test("a worker writes what is left when it is told to stop, and has looked at the inbox")
    func stopping() async throws {
        try await TestInbox.run { inbox async throws in
            let worker = HealthWorker(backOffice: inbox.backOffice, samplesInbox: true)
            let group = ServiceGroup(
                configuration: ServiceGroupConfiguration(services: [worker], logger: inbox.backOffice.logger)
            )
            Self.answer(inbox, 1)
            let running = Task { try await group.run() }
            let end = ContinuousClock.now + .patient
            while try await Self.requests(inbox) < 1 {
                try #require(ContinuousClock.now < end, "it did not happen within a minute")
                try await Task.sleep(for: .milliseconds(20))
            }
            Self.answer(inbox, 5)
            await group.triggerGracefulShutdown()
            try await running.value
            #expect(try await Self.requests(inbox) == 6)
            #expect(try await Self.counts(inbox).total(.queueAge).count == 1)
        }
    }

    private static func answer(_ inbox: TestInbox, _ times: Int) {
        for _ in 0..<times {
            inbox.backOffice.health.answered(method: "GET", path: "/a", isFault: false, elapsed: .milliseconds(12))
        }
    }

    private static func requests(_ inbox: TestInbox) async throws -> Int64 {
        try await counts(inbox).routes["GET /a"]?.count ?? 0
    }

    private static func failed(_ inbox: TestInbox) async throws -> Double {
        try await counts(inbox).total(.failedNotifications).max
    }

    private static func counts(_ inbox: TestInbox) async throws -> HealthCounts {
        try await inbox.database.read { try await $0.health.counts(.day, in: .gmt, app: TestInbox.app) }
    }
}
