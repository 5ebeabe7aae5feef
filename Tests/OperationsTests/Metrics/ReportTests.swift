import Billing
import Foundation
import Jobs
import Operations
import Postgres
import Storage
import TestSupport
import Testing

@Suite("regular reports") struct ReportTests {
    @Test("a day's file is written once, at its hour of the day after, whole and without a trace of its making")
    func daily() async throws {
        try await Self.run { office, folder in
            try await office.report("ledger-daily", .ledger, every: .day, at: 6, to: folder)
            let worker = JobWorker(backOffice: office.backOffice)
            _ = try await office.buyer()
            // The clock stands at 8 o'clock of 1 January; that day's file is due on the 2nd at 6.
            #expect(try await office.writeReports(worker) == 0)
            office.clock.advance(by: 22 * 3_600 - 1)
            #expect(try await office.writeReports(worker) == 0)
            office.clock.advance(by: 1)
            #expect(try await office.writeReports(worker) == 1)
            #expect(try await office.writeReports(worker) == 0)
            #expect(try Self.files(folder) == ["ledger-daily-2026-01-01.csv"])
            let lines = try Self.lines(folder, "ledger-daily-2026-01-01.csv")
            let header = try #require(lines.first)
            #expect(
                header.hasPrefix(
                    "occurred_at,recorded_at,kind,amount,currency,rate,converted_amount,converted_currency,payer,order,customer_id"
                )
            )
            #expect(!header.contains("email"))
            let entries = try await office.lines(
                "SELECT actor || ' ' || object_id || ' ' || (after ->> 'rows') FROM audit_entries WHERE action = 'report.write'"
            )
            #expect(entries == ["report ledger-daily \(lines.count - 1)"])
        }
    }

    @Test("what was due while nothing ran is made up, the oldest first")
    func late() async throws {
        try await Self.run { office, folder in
            try await office.report("weekly", .accessChanges, every: .week, at: 0, to: folder)
            try await office.report("monthly", .monthlyRevenue, every: .month, at: 23, to: folder)
            office.clock.advance(by: 33 * 86_400)
            #expect(try await office.writeReports(JobWorker(backOffice: office.backOffice)) == 6)
            #expect(
                try Self.files(folder) == [
                    "monthly-2026-01.csv", "weekly-2026-W01.csv", "weekly-2026-W02.csv", "weekly-2026-W03.csv",
                    "weekly-2026-W04.csv", "weekly-2026-W05.csv",
                ]
            )
        }
    }

    @Test("two servers write each file once")
    func twice() async throws {
        try await Self.run { office, folder in
            try await office.report("revenue", .revenue, every: .day, at: 0, to: folder)
            office.clock.advance(by: 10 * 86_400)
            let workers = (0..<4).map { _ in JobWorker(backOffice: office.backOffice) }
            try await withThrowingTaskGroup(of: Void.self) { group in
                for worker in workers { group.addTask { _ = try await worker.drain() } }
                try await group.waitForAll()
            }
            #expect(try Self.files(folder).count == 10)
            #expect(try await office.count("job_attempts WHERE result = 'completed'") == 10)
            #expect(try await office.count("audit_entries WHERE action = 'report.write'") == 10)
        }
    }

    @Test("a directory that is gone is a failure that is said and tried again later, and again after longer")
    func failing() async throws {
        try await Self.run { office, folder in
            try await office.report("ledger", .ledger, every: .day, at: 0, to: folder)
            office.clock.advance(by: 86_400)
            try FileManager.default.removeItem(atPath: folder)
            let worker = JobWorker(backOffice: office.backOffice)
            #expect(try await office.writeReports(worker) == 1)
            let failure = try #require(try await office.database.reports().first?.failure)
            #expect(failure.contains(folder) && failure.contains("No such file"))
            #expect(try await (50...72).contains(office.wait()))
            #expect(try await worker.drain() == 0)
            #expect(try await office.writeReports(worker) == 1)
            #expect(try await (110...144).contains(office.wait()))
            try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
            #expect(try await office.writeReports(worker) == 1)
            #expect(try Self.files(folder) == ["ledger-2026-01-01.csv"])
            #expect(try await office.database.reports().first?.failure == nil)
        }
    }

    @Test("a worker that was ended in the middle leaves the file to another, which clears up after it")
    func abandoned() async throws {
        try await Self.run { office, folder in
            try await office.report("ledger", .ledger, every: .day, at: 0, to: folder)
            office.clock.advance(by: 86_400)
            #expect(
                try await office.database.leaseJobs([.report: 1], by: UUID(), for: .seconds(30)).count == 1
            )
            try Data().write(to: URL(fileURLWithPath: "\(folder)/.ledger-2026-01-01.csv.half.part"))
            let worker = JobWorker(backOffice: office.backOffice)
            #expect(try await office.writeReports(worker) == 0)
            _ = try await office.pool.query("UPDATE jobs SET lease_ends_at = now() - interval '1 second'")
            #expect(try await office.database.queue(.jobs).rescue() == 1)
            #expect(try await office.writeReports(worker) == 1)
            #expect(try Self.files(folder) == ["ledger-2026-01-01.csv"])
        }
    }

    @Test("what is kept is read from the primary, though a replica may answer screens")
    func fromThePrimary() async throws {
        try await Self.run { office, folder in
            try await office.report("ledger", .ledger, every: .day, at: 0, to: folder)
            office.clock.advance(by: 86_400)
            var nowhere = PoolConfiguration(connectionString: "host=/nonexistent connect_timeout=2")
            nowhere.acquireTimeout = .seconds(2)
            try await withPool(nowhere) { nowhere async throws in
                let replica = Replica(
                    pool: office.pool,
                    exporting: nowhere,
                    fallback: office.pool,
                    maximumAge: .seconds(600)
                )
                let status = await replica.look(patience: .seconds(60))
                #expect(status.problem == nil)
                let database = Database(
                    writing: office.pool,
                    replica: replica,
                    exporting: office.pool,
                    clock: office.clock.read,
                    doorTimeout: .patient
                )
                let backOffice = BackOffice(database: database, inbox: office.inbox, logger: .quiet)
                #expect(try await office.writeReports(JobWorker(backOffice: backOffice)) == 1)
                #expect(try await database.reports().first?.failure == nil)
            }
            #expect(try Self.files(folder) == ["ledger-2026-01-01.csv"])
        }
    }

    @Test("a report of any period is written on request, and what is due next stays")
    func onRequest() async throws {
        try await Self.run { office, folder in
            try await office.report("mine", .revenue, every: .month, at: 5, to: folder, personal: true)
            let due = try await office.database.reports().map(\.dueAt)
            let written = try await office.backOffice.writeReport("mine", of: nil, caller: .commandLine)
            #expect(written.path == "\(folder)/mine-2025-12.csv")
            _ = try await office.backOffice.writeReport("mine", of: BusinessDay("2025-03-09"), caller: .commandLine)
            #expect(try Self.files(folder) == ["mine-2025-03.csv", "mine-2025-12.csv"])
            #expect(try await office.database.reports().map(\.dueAt) == due)
            try await office.backOffice.removeReport("mine", caller: .commandLine)
            let error = await #expect(throws: OperationsError.self) {
                try await office.backOffice.writeReport("mine", of: nil, caller: .commandLine)
            }
            #expect(error?.code == .notFound)
        }
    }

    @Test("names of customers are in a file only where that was asked for")
    func personalData() async throws {
        try await Self.run { office, folder in
            try await office.report("with", .ledger, every: .day, at: 0, to: folder, personal: true)
            try await office.report("without", .ledger, every: .day, at: 0, to: folder)
            office.clock.advance(by: 86_400)
            _ = try await office.writeReports(JobWorker(backOffice: office.backOffice))
            #expect(try Self.lines(folder, "with-2026-01-01.csv")[0].contains(",name,email,"))
            #expect(try !Self.lines(folder, "without-2026-01-01.csv")[0].contains("email"))
        }
    }

    @Test("what cannot be is refused, and says which field is wrong")
    func refused() async throws {
        try await Self.run { office, folder in
            try await office.report("one", .ledger, every: .day, at: 0, to: folder)
            for (name, hour, to, field) in [
                ("one", 0, folder, "name"), ("One!", 0, folder, "name"), ("two", 24, folder, "at"),
                ("two", 0, "/nowhere/at/all", "to"), ("two", 0, "reports", "to"),
            ] {
                let error = await #expect(throws: OperationsError.self) {
                    try await office.report(name, .ledger, every: .day, at: hour, to: to)
                }
                #expect(error?.field == field)
            }
        }
    }

    @Test("an hour that the clock skips is the moment it goes on, and one that comes twice is the first")
    func daylightSaving() throws {
        let zone = try #require(TimeZone(identifier: "Europe/Berlin"))
        let schedule = ReportSchedule(every: .day, at: 2, in: zone)
        func due(_ text: String) throws -> String {
            schedule.due(ReportingPeriod(.day, containing: try #require(BusinessDay(text)))).formatted(.iso8601)
        }
        #expect(try due("2026-03-27") == "2026-03-28T01:00:00Z")
        #expect(try due("2026-03-28") == "2026-03-29T01:00:00Z")
        #expect(try due("2026-10-24") == "2026-10-25T00:00:00Z")
        #expect(try due("2026-10-25") == "2026-10-26T01:00:00Z")
    }

    private static func run(_ body: @Sendable (TestOffice, String) async throws -> Void) async throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "reports-\(UUID().uuidString)").path
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(atPath: folder) }
        try await TestOffice.run { try await body($0, folder) }
    }

    private static func files(_ folder: String) throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: folder).sorted()
    }

    private static func lines(_ folder: String, _ file: String) throws -> [String] {
        try String(contentsOfFile: "\(folder)/\(file)", encoding: .utf8).split(separator: "\r\n").map(String.init)
    }
}

extension TestOffice {
    fileprivate func report(
        _ name: String,
        _ content: Report.Content,
        every grain: ReportingPeriod.Grain,
        at hour: Int,
        to folder: String,
        personal: Bool = false
    ) async throws {
        _ = try await backOffice.addReport(
            name,
            of: "readmigo",
            content,
            every: grain,
            at: hour,
            to: folder,
            hasPersonalData: personal,
            caller: .commandLine
        )
    }

    /// Has every report looked at now, whenever the queue would have it looked at by the database's clock, and says how many
    /// files were written or tried.
    fileprivate func writeReports(_ worker: JobWorker) async throws -> Int {
        let before = try await count("job_attempts")
        _ = try await pool.query("UPDATE jobs SET scheduled_at = now() WHERE state = 'available'")
        _ = try await worker.drain()
        return try await count("job_attempts") - before
    }

    /// In how many seconds the next try is due: some have passed since the one before, on a busy machine.
    fileprivate func wait() async throws -> Double {
        try await pool.query(
            "SELECT extract(epoch FROM scheduled_at - now())::float8 FROM jobs WHERE state = 'available'"
        )[0].decode(Double.self)
    }
}
