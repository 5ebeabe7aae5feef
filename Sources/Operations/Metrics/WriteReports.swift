package import Billing
import Foundation
import Logging
import Storage

/// A file that was written.
package struct WrittenReport: Sendable, Hashable {
    package var path: String
    package var rows: Int
}

extension BackOffice {
    /// A directory may be away for days: with the longest wait of an hour, for two and a half.
    private static let reportAttempts = 60

    /// Has the next file of a report written when it is due.
    func enqueue(_ report: Report, in transaction: WriteTransaction) async throws {
        try await transaction.jobs.enqueue(
            .report,
            for: report.id.uuid,
            of: report.app,
            at: report.dueAt,
            maxAttempts: Self.reportAttempts
        )
    }

    /// Writes the file of a report that is due, once among all servers, and has the next one written in its turn.
    ///
    /// - Throws: `JobFailure` when it cannot be written.
    func writeDueReport(_ leased: LeasedJob) async throws -> JobProgress {
        guard let report = try await database.report(Identifier(leased.subject)) else {
            return try await end(leased)
        }
        // The period is over by our clock, too, not by the database's alone: else its last sales would be missing.
        guard report.dueAt <= database.now else {
            return .notYet(for: .seconds(report.dueAt.timeIntervalSince(database.now)))
        }
        let written: WrittenReport
        do {
            written = try await write(report, of: report.next, clearing: true)
        } catch let failure as ReportFailure {
            throw JobFailure(String(failure.description.prefix(500)))
        }
        do {
            try await finish(report, written, leased)
        } catch is LeaseLost {
            logger.warning("report written twice", metadata: ["report": "\(report.name)"])
            return .leaseLost
        }
        logger.info(
            "report written",
            metadata: ["report": "\(report.name)", "file": "\(written.path)", "rows": "\(written.rows)"]
        )
        return .finished
    }

    private func finish(_ report: Report, _ written: WrittenReport, _ leased: LeasedJob) async throws {
        try await database.write { transaction in
            try await transaction.reports.finish(report, file: written.path, rows: written.rows)
            guard try await transaction.jobs.complete(leased.lease) else { throw LeaseLost() }
            var next = report
            next.next = report.next.next
            try await enqueue(next, in: transaction)
            try await transaction.audit.append(
                entry(of: written, report, Caller(.clock(for: nil), actor: "report"))
            )
        }
    }

    /// Writes a report of a period now, whatever is due; what is due next stays so.
    ///
    /// - Parameter day: a day of the period; nil for the last that is over.
    /// - Throws: `OperationsError` with `.notFound` for a name there is not, or `.invalid` when the file cannot be written.
    package func writeReport(_ name: String, of day: BusinessDay?, caller: Caller) async throws -> WrittenReport {
        guard let report = try await database.reports().first(where: { $0.name == name }) else {
            throw OperationsError(.notFound, "There is no report \(name).")
        }
        let period =
            day.map { ReportingPeriod(report.schedule.grain, containing: $0) }
            ?? report.schedule.last(at: database.now)
        do {
            let written = try await write(report, of: period, clearing: false)
            try await database.appendToAuditLog(entry(of: written, report, caller))
            return written
        } catch let failure as ReportFailure {
            throw OperationsError(.invalid, "\(failure).", field: "directory")
        }
    }

    private func write(_ report: Report, of period: ReportingPeriod, clearing: Bool) async throws -> WrittenReport {
        let name = "\(report.name)-\(period.fileName).csv"
        if clearing { ReportFile.clear(in: report.directory, named: name) }
        let file = try ReportFile(in: report.directory, named: name, id: database.newUUID())
        do {
            let rows = try await fill(file, report, period)
            try file.finish()
            return WrittenReport(path: file.path, rows: rows)
        } catch {
            file.abandon()
            throw error
        }
    }

    /// - Returns: the number of rows.
    private func fill(_ file: ReportFile, _ report: Report, _ period: ReportingPeriod) async throws -> Int {
        let (app, zone) = (report.app, report.schedule.zone)
        let span = SpanFilter(from: period.first, to: period.last)
        guard report.content != .revenue else { return try await fillRevenue(file, report, period) }
        let list = try await database.readPrimary { reader in
            switch report.content {
            case .ledger, .revenue:
                reader.screens.export(
                    LedgerFilter(from: period.first, to: period.last),
                    app: app,
                    zone: zone,
                    seesPersonalData: report.hasPersonalData
                )
            case .accessChanges:
                reader.screens.exportAccess(span, app: app, zone: zone, seesPersonalData: report.hasPersonalData)
            case .monthlyRevenue:
                reader.screens.exportMonthlyRevenue(
                    span,
                    app: app,
                    today: BusinessDay(reader.now, in: zone),
                    seesPersonalData: report.hasPersonalData
                )
            }
        }
        let offset: @Sendable (Int) -> Int = { zone.secondsFromGMT(for: Date(timeIntervalSince1970: Double($0))) }
        var rows = 0
        // It is written once, and must have all that the period has.
        try await database.export(list, fromPrimary: true, offset: offset) { piece, count in
            try file.write(piece)
            rows = count
        }
        return rows
    }

    private func fillRevenue(_ file: ReportFile, _ report: Report, _ period: ReportingPeriod) async throws -> Int {
        let question = RevenueQuery(
            filter: MetricsFilter(),
            from: period.first,
            through: period.last,
            grain: .day,
            breakdown: .product
        )
        let (answer, now) = try await database.readPrimary {
            (try await $0.metrics.revenue(question, app: report.app), $0.now)
        }
        try file.write(RevenueCSV.file(of: answer, today: BusinessDay(now, in: report.schedule.zone)))
        return answer.cells.count
    }

    private func entry(of written: WrittenReport, _ report: Report, _ caller: Caller) -> AuditEntry {
        caller.entry(
            .writeReport,
            on: "report",
            report.name,
            app: report.app,
            after: AuditJSON([("file", written.path), ("rows", String(written.rows))]).text
        )
    }
}
