import Billing
import Foundation
import Jobs
import Operations
import Postgres
import Storage
import Testing

@Suite("Sweeping what is over") struct ExpirySweepTests {
    @Test("what is over is right before the sweep, and told of once by it")
    func once() async throws {
        try await TestOffice.run { office in
            office.clock.set(.day(1))
            try await office.live(.told(.subscribed, on: 0, .sold("t1", from: 0, to: 30)))
            #expect(try await office.backOffice.sweepExpiries() == ExpirySweep())
            office.clock.set(.day(31))
            let customer = try #require(try await office.lines("SELECT customer_id::text FROM subscriptions").first)
            #expect(try await office.entitlement(try #require(Customer.ID(customer))) == nil)
            #expect(try await office.backOffice.sweepExpiries().subscriptions == 1)
            #expect(try await office.backOffice.sweepExpiries().subscriptions == 0)
            #expect(
                try await office.lines(
                    "SELECT kind || ' ' || state_before || ' ' || state_after FROM subscription_events WHERE source = 'clock'"
                ) == ["expired active expired"]
            )
            #expect(try await office.lines("SELECT state FROM subscriptions") == ["expired"])
        }
    }

    @Test("a renewal that comes after the sweep leaves state, books and metrics as they were without it")
    func late() async throws {
        func lines(sweeps: Bool) async throws -> [[String]] {
            try await TestOffice.run { office in
                office.clock.set(.day(1))
                try await office.live(.told(.subscribed, on: 0, .sold("t1", from: 0, to: 30)))
                office.clock.set(.day(32))
                if sweeps { #expect(try await office.backOffice.sweepExpiries().subscriptions == 1) }
                office.clock.set(.day(33))
                try await office.live(.told(.renewed, on: 30, .sold("t2", from: 30, to: 60)))
                return [
                    try await office.lines(
                        "SELECT state || ended_at::text FROM subscriptions WHERE ended_at IS NOT NULL"
                    ),
                    try await office.lines("SELECT state FROM subscriptions"),
                    try await office.lines("SELECT amount::text FROM ledger_entries ORDER BY occurred_at"),
                    try await office.lines(
                        """
                        SELECT starts_at::text || ends_at FROM access_periods WHERE retired_at IS NULL ORDER BY starts_at
                        """
                    ),
                    try await office.lines(
                        """
                        SELECT measure || day || dimension || sum(amount) || ' ' || sum(count)
                        FROM rollup_entries
                        GROUP BY measure, day, dimension
                        HAVING sum(amount) <> 0 OR sum(count) <> 0
                        ORDER BY 1
                        """
                    ),
                ]
            }
        }
        let (with, without) = (try await lines(sweeps: true), try await lines(sweeps: false))
        #expect(with == without)
    }

    @Test("what waits in the inbox comes before the clock")
    func inboxFirst() async throws {
        try await TestOffice.run { office in
            office.clock.set(.day(1))
            try await office.live(.told(.subscribed, on: 0, .sold("t1", from: 0, to: 30)))
            office.clock.set(.day(31))
            try await office.tell(.told(.renewed, on: 30, .sold("t2", from: 30, to: 60)))
            #expect(try await office.backOffice.sweepExpiries().subscriptions == 0)
            _ = try await office.worker.drain()
            #expect(try await office.backOffice.sweepExpiries().subscriptions == 0)
        }
    }

    @Test("of many sweeps at once each end is told of by one")
    func atOnce() async throws {
        try await TestOffice.run { office in
            office.clock.set(.day(1))
            for number in 0..<20 {
                try await office.live(.told(.subscribed, on: 0, .sold("t\(number)", of: "t\(number)", from: 0, to: 30)))
            }
            office.clock.set(.day(32))
            let swept = try await withThrowingTaskGroup(of: Int.self) { group in
                for _ in 0..<4 { group.addTask { try await office.backOffice.sweepExpiries(batch: 3).subscriptions } }
                return try await group.reduce(0, +)
            }
            _ = try await office.backOffice.sweepExpiries()
            #expect(swept <= 20)
            #expect(
                try await office.lines("SELECT count(*)::text FROM subscription_events WHERE source = 'clock'") == [
                    "20"
                ]
            )
        }
    }
}
