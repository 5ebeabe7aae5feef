import Billing
import Foundation
import Jobs
import Operations
import Postgres
import Storage
import TestSupport
import Testing

@Suite("bulk jobs") struct BulkJobTests {
    static let reason = Reason(.goodwill, "A week of Pro for everybody who was here before.")

    /// Reads everything that gives anybody access now, straight from the tables.
    private static let entitlements: Query = """
        SELECT concat_ws(' ', c.key, p.code, p.until)
        FROM customers c
        LEFT JOIN LATERAL (
            SELECT plan.code, g.ends_at AS until FROM grants g
            JOIN plans plan ON plan.id = g.plan_id
            WHERE g.customer_id = c.id AND g.ended_at IS NULL
            UNION ALL
            SELECT s.state, s.period_ends_at FROM subscriptions s
            WHERE s.customer_id = c.id
                AND NOT EXISTS (SELECT FROM suspensions x WHERE x.subscription_id = s.id AND x.lifted_at IS NULL)
        ) p ON true
        ORDER BY c.key, p.code, p.until
        """

    private func fill(_ office: TestOffice, _ count: Int) async throws {
        _ = try await office.pool.query(
            """
            INSERT INTO customers (id, app_id, key, external_id, email, created_at)
            SELECT gen_random_uuid(), \(try await office.app()), 'k' || i, 'x' || i, 'c' || i || '@example.com', now()
            FROM generate_series(1, \(count)) i
            """
        )
    }

    private func job(_ office: TestOffice, _ outcome: ActionOutcome) async throws -> BulkJob {
        let id = try #require(BulkJob.ID(outcome.result))
        let app = try await office.app()
        return try #require(try await office.database.readPrimary { try await $0.bulk.job(id, app: app) })
    }

    private func counts(_ office: TestOffice, _ job: BulkJob) async throws -> [BulkJobItem.State: Int] {
        try await office.database.readPrimary { try await $0.bulk.counts(of: job.id) }
    }

    private func loseLeases(_ office: TestOffice) async throws {
        _ = try await office.pool.query(
            "UPDATE jobs SET lease_ends_at = now() - interval '1 second' WHERE attempted_by IS NOT NULL"
        )
        #expect(try await office.database.queue(.jobs).rescue() == 1)
    }

    @Test(
        "three thousand grants, stopped in the middle by force and gone on with, are three thousand; undone, all is as it was"
    )
    func manyAtOnce() async throws {
        try await TestOffice.run { office in
            let app = try await office.app()
            let (ada, bob) = (
                try await office.staff("ada@example.com", .admin), try await office.staff("bob@example.com", .admin)
            )
            try await fill(office, 3_000)
            let (buyer, _) = try await office.buyer()
            let before = try await office.lines(Self.entitlements)
            let outcome = try await office.backOffice.requestBulk(
                BulkRequest(kind: .grant, plan: "PRO", days: 7, lines: (1...3_000).map { "k\($0)" }),
                of: app,
                reason: Self.reason,
                key: nil,
                caller: ada
            )
            try await office.workOffJobs()
            var job = try await job(office, outcome)
            #expect(job.state == .ready)
            #expect(job.needsApproval)
            #expect(try await counts(office, job) == [.ready: 3_000])
            #expect(try await office.lines(Self.entitlements) == before)
            _ = try await office.backOffice.startBulk(job.id, of: app, version: job.version, key: nil, caller: ada)
            job = try await self.job(office, outcome)
            #expect(job.state == .waiting)
            await #expect(throws: OperationsError.self) {
                try await office.backOffice.approveBulk(job.id, of: app, version: job.version, key: nil, caller: ada)
            }
            _ = try await office.backOffice.approveBulk(job.id, of: app, version: job.version, key: nil, caller: bob)

            // A worker dies in the middle: some batches are done, one is torn, and it holds the lease.
            let killed = UUID()
            let leased = try #require(try await office.leaseBulk(by: killed))
            for _ in 0..<13 { #expect(try await office.backOffice.workOnBulk(leased) == .goesOn) }
            let torn = Task { try await office.backOffice.workOnBulk(leased) }
            torn.cancel()
            _ = await torn.result
            #expect(try await JobWorker(backOffice: office.backOffice).drain() == 0)
            try await loseLeases(office)
            // Two workers start at once; one of them gets the job.
            let workers = [JobWorker(backOffice: office.backOffice), JobWorker(backOffice: office.backOffice)]
            try await withThrowingTaskGroup(of: Void.self) { group in
                for worker in workers { group.addTask { _ = try await worker.drain() } }
                try await group.waitForAll()
            }
            #expect(try await office.backOffice.workOnBulk(leased) == .leaseLost)
            job = try await self.job(office, outcome)
            #expect(job.state == .done)
            #expect(try await office.count("grants") == 3_000)
            #expect(try await office.lines("SELECT customer_id::text FROM grants GROUP BY 1 HAVING count(*) > 1") == [])
            #expect(
                try await office.lines("SELECT id::text FROM audit_entries WHERE action = 'access.grant'").count
                    == 3_000
            )
            #expect(try await office.entitlement(buyer)?.plan.code == "PRO")

            // Somebody changes one of the customers meanwhile: that one stays.
            let one = try await office.pool.query("SELECT id FROM customers WHERE key = 'k77'")
            let changed = try #require(one.first).decode(0, as: Customer.ID.self)
            let grant = try #require(try await office.entitlementSources(changed).grants.first)
            _ = try await office.backOffice.change(
                changed,
                of: app,
                .extend(.grant(grant.id), days: 3),
                reason: Self.reason,
                key: nil,
                version: nil,
                caller: bob
            )
            _ = try await office.backOffice.undoBulk(job.id, of: app, version: job.version, key: nil, caller: ada)
            try await office.workOffJobs()
            job = try await self.job(office, outcome)
            #expect(job.state == .undone)
            #expect(try await counts(office, job) == [.undone: 2_999, .kept: 1])
            let after = try await office.lines(Self.entitlements)
            #expect(after.filter { !$0.hasPrefix("k77 ") } == before.filter { $0 != "k77" })
            #expect(try await office.entitlement(changed)?.plan.code == "PRO")
            let steps = try await office.lines(
                """
                SELECT action
                FROM audit_entries e
                JOIN audit_chain c ON c.entry_id = e.id
                WHERE object_type = 'bulk'
                ORDER BY c.number
                """
            )
            #expect(
                steps == ["bulk.request", "bulk.send", "bulk.approve", "bulk.finish", "bulk.undo", "bulk.undone"]
            )
        }
    }

    @Test("the dry run says of each line what it means")
    func dryRun() async throws {
        try await TestOffice.run { office in
            let app = try await office.app()
            let ada = try await office.staff("ada@example.com", .admin)
            try await fill(office, 5)
            let twin = try await office.customer("twin", email: "c3@example.com")
            let (_, subscription) = try await office.buyer()
            let key = try await office.lines(
                "SELECT c.key FROM customers c JOIN subscriptions s ON s.customer_id = c.id WHERE s.id = \(subscription)"
            )
            let lines = ["k1", "x2", "C4@Example.COM", "k1", "nobody", "c3@example.com", twin.description, key[0]]
            let outcome = try await office.backOffice.requestBulk(
                BulkRequest(kind: .grant, plan: "PRO", days: 3, lines: lines),
                of: app,
                reason: Self.reason,
                key: nil,
                caller: ada
            )
            try await office.workOffJobs()
            let job = try await job(office, outcome)
            let rows = try await office.database.readPrimary {
                try await $0.bulk.rows(of: job.id, in: nil, after: 0, limit: 25)
            }
            #expect(
                rows.map(\.state) == [.ready, .ready, .ready, .repeated, .notFound, .ambiguous, .ready, .refused]
            )
            #expect(rows.last?.rejectionReason == "changesNothing")
            #expect(rows.last?.before.plan == "PRO")
            #expect(rows.first?.after == BulkJobItem.Access(plan: "PRO", until: TestOffice.start + 3 * 86_400))
            #expect(!job.needsApproval)
            _ = try await office.backOffice.startBulk(job.id, of: app, version: job.version, key: nil, caller: ada)
            try await office.workOffJobs()
            #expect(try await counts(office, job)[.applied] == 4)
            await #expect(throws: OperationsError.self, "it has gone on since") {
                try await office.backOffice.cancelBulk(job.id, of: app, version: job.version, key: nil, caller: ada)
            }
        }
    }

    @Test("cancelled in the middle it stops there, and what was done can be undone")
    func cancel() async throws {
        try await TestOffice.run { office in
            let app = try await office.app()
            let ada = try await office.staff("ada@example.com", .admin)
            _ = try await office.pool.query("UPDATE apps SET bulk_approval_from = 5000")
            try await fill(office, 500)
            let outcome = try await office.backOffice.requestBulk(
                BulkRequest(kind: .grant, plan: "PREMIUM", days: 3, lines: (1...500).map { "x\($0)" }),
                of: app,
                reason: Self.reason,
                key: nil,
                caller: ada
            )
            try await office.workOffJobs()
            var job = try await job(office, outcome)
            _ = try await office.backOffice.startBulk(job.id, of: app, version: job.version, key: nil, caller: ada)
            let leased = try #require(try await office.leaseBulk())
            #expect(try await office.backOffice.workOnBulk(leased) == .goesOn)
            job = try await self.job(office, outcome)
            _ = try await office.backOffice.cancelBulk(job.id, of: app, version: job.version, key: nil, caller: ada)
            #expect(try await office.backOffice.workOnBulk(leased) == .leaseLost)
            #expect(try await counts(office, job) == [.applied: 200, .skipped: 300])
            job = try await self.job(office, outcome)
            _ = try await office.backOffice.undoBulk(job.id, of: app, version: job.version, key: nil, caller: ada)
            try await office.workOffJobs()
            #expect(try await counts(office, job) == [.undone: 200, .skipped: 300])
            #expect(try await office.lines("SELECT id::text FROM grants WHERE ended_at IS NULL") == [])
        }
    }

    /// Returns a job for a range of the customers that `fill` makes, after its dry run.
    private func ready(_ office: TestOffice, _ customers: ClosedRange<Int>, by caller: Caller) async throws -> BulkJob {
        let outcome = try await office.backOffice.requestBulk(
            BulkRequest(kind: .grant, plan: "PRO", days: 7, lines: customers.map { "k\($0)" }),
            of: try await office.app(),
            reason: Self.reason,
            key: nil,
            caller: caller
        )
        try await office.workOffJobs()
        return try await job(office, outcome)
    }

    /// Starts a job in the version that its page showed; returns its state afterwards.
    private func start(_ office: TestOffice, _ job: BulkJob, by caller: Caller) async throws -> BulkJob.State {
        let outcome = try await office.backOffice.startBulk(
            job.id,
            of: job.app,
            version: job.version,
            key: nil,
            caller: caller
        )
        return try await self.job(office, outcome).state
    }

    @Test("the limit for a second look is of a person's day, into however many jobs the customers are cut")
    func limitOfADay() async throws {
        try await TestOffice.run { office in
            let (ada, bob) = (
                try await office.staff("ada@example.com", .admin), try await office.staff("bob@example.com", .admin)
            )
            try await fill(office, 1_000)
            // This job was cancelled, so it counts for nothing.
            let dropped = try await ready(office, 901...999, by: ada)
            _ = try await office.backOffice.cancelBulk(
                dropped.id,
                of: dropped.app,
                version: dropped.version,
                key: nil,
                caller: ada
            )
            let first = try await ready(office, 1...99, by: ada)
            let second = try await ready(office, 100...198, by: ada)
            #expect(!first.needsApproval && !second.needsApproval)
            #expect(try await start(office, first, by: ada) == .running)
            #expect(try await start(office, second, by: ada) == .waiting)
            let third = try await ready(office, 199...199, by: ada)
            #expect(third.needsApproval)
            #expect(try await start(office, third, by: ada) == .waiting)
            // Another person has a limit of their own, and may approve the waiting job; that counts for nobody's.
            let others = try await ready(office, 200...298, by: bob)
            #expect(try await start(office, others, by: bob) == .running)
            let waiting = try #require(
                try await office.database.readPrimary { try await $0.bulk.job(second.id, app: second.app) }
            )
            _ = try await office.backOffice.approveBulk(
                second.id,
                of: second.app,
                version: waiting.version,
                key: nil,
                caller: bob
            )
            try await office.workOffJobs()
            #expect(try await office.count("grants") == 3 * 99)

            office.clock.advance(by: 86_400)
            let fourth = try await ready(office, 300...398, by: ada)
            #expect(!fourth.needsApproval)
            #expect(try await start(office, fourth, by: ada) == .running)
        }
    }

    @Test("of two jobs that one person starts in the same moment, the second waits for a second look")
    func startedAtOnce() async throws {
        try await TestOffice.run { office in
            let ada = try await office.staff("ada@example.com", .admin)
            try await fill(office, 800)
            for round in 0..<4 {
                let first = 200 * round
                let jobs = [
                    try await ready(office, (first + 1)...(first + 99), by: ada),
                    try await ready(office, (first + 100)...(first + 198), by: ada),
                ]
                let states: [BulkJob.State] = try await withThrowingTaskGroup(of: BulkJob.State.self) { group in
                    for job in jobs { group.addTask { try await start(office, job, by: ada) } }
                    return try await group.reduce(into: []) { $0.append($1) }
                }
                #expect(Set(states) == [.running, .waiting], "round \(round)")
                office.clock.advance(by: 86_400)
            }
        }
    }

    @Test(
        "what a job must not be is said field by field",
        arguments: [
            (BulkRequest(kind: .grant, plan: "PRO", days: 7, lines: []), "lines"),
            (BulkRequest(kind: .grant, plan: "GOLD", days: 7, lines: ["a"]), "plan"),
            (BulkRequest(kind: .grant, plan: "FREE", days: 7, lines: ["a"]), "plan"),
            (BulkRequest(kind: .grant, plan: "PRO", lines: ["a"]), "days"),
            (BulkRequest(kind: .extend, days: 4_000, lines: ["a"]), "days"),
            (BulkRequest(kind: .changeTier, lines: ["a"]), "plan"),
            (BulkRequest(kind: .revoke, lines: [String(repeating: "a", count: 501)]), "lines"),
        ]
    )
    func refused(_ request: BulkRequest, _ field: String) async throws {
        try await TestOffice.run { office in
            let (app, ada) = (try await office.app(), try await office.staff("ada@example.com", .admin))
            let error = await #expect(throws: OperationsError.self) {
                try await office.backOffice.requestBulk(request, of: app, reason: Self.reason, key: nil, caller: ada)
            }
            #expect(error?.field == field)
            #expect(try await office.count("bulk_jobs") == 0)
        }
    }
}
