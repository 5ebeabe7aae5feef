import Billing
import Foundation
import Jobs
import Operations
import Postgres
import ServiceLifecycle
import Storage
import Synchronization
import TestSupport
import Testing

@Suite("Job worker") struct JobWorkerTests {
    private static let good = Job.Kind(rawValue: "good")
    private static let bad = Job.Kind(rawValue: "bad")

    @Test("one that always fails ends a dead letter after its attempts, and a thousand good ones around it are done")
    func alwaysFails() async throws {
        try await TestInbox.run { inbox in
            let done = Mutex<[UUID: Int]>([:])
            let handlers: [Job.Kind: JobHandler] = [
                Self.good: { job in
                    done.withLock { $0[job.subject, default: 0] += 1 }
                    return try await inbox.complete(job)
                },
                Self.bad: { _ in throw JobFailure("It never works.") },
            ]
            try await inbox.database.write { transaction in
                for place in 0..<1_001 {
                    let kind = place == 500 ? Self.bad : Self.good
                    try await transaction.jobs.enqueue(kind, for: UUID(), of: TestInbox.app, maxAttempts: 4)
                }
            }
            let worker = JobWorker(backOffice: inbox.backOffice, handlers: handlers)
            // The failing job may be due again before the last of the others is done.
            #expect(try await worker.drain() >= 1_001)
            #expect(done.withLock { $0.count == 1_000 && $0.values.allSatisfy { $0 == 1 } })
            while try await inbox.open() > 0 {
                try await inbox.execute("UPDATE jobs SET scheduled_at = now() WHERE state = 'available'")
                #expect(try await worker.drain() == 1)
            }
            #expect(try await inbox.jobs() == ["bad discarded 4 It never works.", "good completed 1 - ×1000"])
            #expect(try await inbox.tries(of: Self.bad) == ["1 retried", "2 retried", "3 retried", "4 discarded"])
            #expect(try await inbox.database.queue(.jobs).reviveDeadLetters() == 1)
            #expect(try await worker.drain() == 1)
            #expect(try await inbox.jobs().first == "bad discarded 5 It never works.")
        }
    }

    @Test("a job that another server puts into the queue is heard of, not waited for")
    func heard() async throws {
        try await TestInbox.run { inbox in
            let handlers: [Job.Kind: JobHandler] = [Self.good: { try await inbox.complete($0) }]
            let work = JobWorker(
                backOffice: inbox.backOffice,
                handlers: handlers,
                idleWait: .seconds(3_600)
            )
            try await inbox.running(work) {
                let elsewhere = Database(writing: inbox.pool, reading: inbox.pool, doorTimeout: .patient)
                func enqueue() async throws {
                    try await elsewhere.write { try await $0.jobs.enqueue(Self.good, for: UUID(), of: TestInbox.app) }
                }
                // It finds one job at the start and perhaps another on the way; it listens before it finds a fourth.
                try await inbox.until {
                    try await enqueue()
                    try await Task.sleep(for: .milliseconds(50))
                    return try await inbox.completed() >= 4
                }
                try await inbox.until { try await inbox.open() == 0 }
                try await enqueue()
                try await inbox.until { try await inbox.open() == 0 }
            }
        }
    }

    @Test("a job that takes long stays its worker's, and one whose worker is gone is taken by the next")
    func leases() async throws {
        try await TestInbox.run { inbox in
            try await inbox.database.write { try await $0.jobs.enqueue(Self.good, for: UUID(), of: TestInbox.app) }
            let lost = try #require(try await inbox.lease(Self.good))
            #expect(try await inbox.database.queue(.jobs).renew(lost.lease, for: .seconds(30)))
            #expect(try await inbox.lease(Self.good) == nil)
            try await inbox.execute("UPDATE jobs SET lease_ends_at = now() - interval '1 s'")
            #expect(try await inbox.database.queue(.jobs).rescue() == 1)
            let taken = try #require(try await inbox.lease(Self.good))
            #expect(taken.lease.attempt == 2)
            #expect(try await !inbox.database.queue(.jobs).renew(lost.lease, for: .seconds(30)))
            #expect(try await inbox.complete(lost) == .leaseLost)
            #expect(try await inbox.complete(taken) == .finished)
            #expect(try await inbox.jobs() == ["good completed 2 -"])
        }
    }

    @Test("renewing waits for nobody who has the job locked, and does not take it for lost")
    func renewsBesideALock() async throws {
        try await TestInbox.run { inbox in
            try await inbox.database.write { try await $0.jobs.enqueue(Self.good, for: UUID(), of: TestInbox.app) }
            let leased = try #require(try await inbox.lease(Self.good))
            try await inbox.pool.withTransaction { holder in
                _ = try await holder.query("SELECT FROM jobs FOR UPDATE")
                #expect(try await inbox.database.queue(.jobs).renew(leased.lease, for: .seconds(30)))
            }
        }
    }

    @Test("of a subject there is one job of a kind: what waits, runs or is a dead letter becomes the new one")
    func onePerSubject() async throws {
        try await TestInbox.run { inbox in
            let subject = UUID()
            func enqueue() async throws {
                try await inbox.database.write { try await $0.jobs.enqueue(Self.good, for: subject, of: TestInbox.app) }
            }
            try await enqueue()
            try await enqueue()
            let lost = try #require(try await inbox.lease(Self.good))
            try await enqueue()
            #expect(try await inbox.complete(lost) == .leaseLost)
            let leased = try #require(try await inbox.lease(Self.good))
            try await inbox.database.queue(.jobs).discard(leased.lease, because: "no")
            try await enqueue()
            #expect(try await inbox.jobs() == ["good available 0 -"])
            try await inbox.database.write { try await $0.jobs.cancel(Self.good, for: subject) }
            try await enqueue()
            #expect(try await inbox.jobs() == ["good available 0 -", "good cancelled 0 -"])
        }
    }

    @Test("what a job has got done stays done: attempts before do not count towards its last")
    func progress() async throws {
        try await TestInbox.run { inbox in
            try await inbox.database.write {
                try await $0.jobs.enqueue(Self.good, for: UUID(), of: TestInbox.app, maxAttempts: 2)
            }
            for _ in 0..<5 {
                let leased = try #require(try await inbox.lease(Self.good))
                #expect(
                    try await inbox.database.write {
                        try await $0.jobs.hold(leased.lease, for: .seconds(30), hasProgressed: true)
                    }
                )
                try await inbox.execute("UPDATE jobs SET lease_ends_at = now() - interval '1 s'")
                #expect(try await inbox.database.queue(.jobs).rescue() == 1)
            }
            #expect(try await inbox.jobs() == ["good available 5 The worker went away before it was done."])
        }
    }

    @Test("what is over is forgotten after thirty days, with its attempts; a dead letter never")
    func forgotten() async throws {
        try await TestInbox.run { inbox in
            for kind in [Self.good, Self.bad] {
                try await inbox.database.write { try await $0.jobs.enqueue(kind, for: UUID(), of: TestInbox.app) }
            }
            #expect(try await inbox.complete(try #require(try await inbox.lease(Self.good))) == .finished)
            let bad = try #require(try await inbox.lease(Self.bad))
            try await inbox.database.queue(.jobs).discard(bad.lease, because: "no")
            #expect(try await inbox.backOffice.forgetJobs() == 0)
            try await inbox.execute("UPDATE jobs SET finalized_at = now() - interval '31 days'")
            #expect(try await inbox.backOffice.forgetJobs() == 1)
            #expect(try await inbox.jobs() == ["bad discarded 1 no"])
        }
    }
}

extension TestInbox {
    fileprivate func lease(_ kind: Job.Kind) async throws -> LeasedJob? {
        try await database.leaseJobs([kind: 1], by: UUID(), for: .seconds(30)).first
    }

    fileprivate func complete(_ job: LeasedJob) async throws -> JobProgress {
        try await database.write { try await $0.jobs.complete(job.lease) } ? .finished : .leaseLost
    }

    /// Returns the jobs as "good completed 1 - ×3": kind, state, attempts, error, and their number where it is more than one.
    fileprivate func jobs() async throws -> [String] {
        try await pool.query(
            """
            SELECT concat_ws(' ', kind, state, attempt, coalesce(last_error, '-'), CASE WHEN count(*) > 1 THEN '×' || count(*) END)
            FROM jobs
            GROUP BY kind, state, attempt, last_error
            ORDER BY kind, state
            """
        ).map { try $0.decode(0, as: String.self) }
    }

    fileprivate func tries(of kind: Job.Kind) async throws -> [String] {
        try await pool.query(
            """
            SELECT concat_ws(' ', a.attempt, a.result)
            FROM job_attempts a
            JOIN jobs j ON j.id = a.job_id
            WHERE j.kind = \(kind.rawValue)
            ORDER BY a.attempt
            """
        ).map { try $0.decode(0, as: String.self) }
    }

    fileprivate func completed() async throws -> Int { try await count("state = 'completed'") }

    fileprivate func open() async throws -> Int { try await count("state IN ('available', 'running')") }

    private func count(_ condition: Query) async throws -> Int {
        try await pool.query("SELECT count(*) FROM jobs WHERE \(condition)")[0].decode(Int.self)
    }

    /// Runs a worker while `body` runs.
    fileprivate func running(_ worker: JobWorker, _ body: () async throws -> Void) async throws {
        let group = ServiceGroup(
            configuration: ServiceGroupConfiguration(services: [worker], logger: backOffice.logger)
        )
        let running = Task { try await group.run() }
        try await body()
        await group.triggerGracefulShutdown()
        try await running.value
    }

    /// Waits up to three minutes for a condition.
    fileprivate func until(_ condition: () async throws -> Bool) async throws {
        let end = ContinuousClock.now + .seconds(180)
        while try await !condition() {
            guard ContinuousClock.now < end else {
                Issue.record("it did not come to that")
                return
            }
            try await Task.sleep(for: .milliseconds(5))
        }
    }
}
