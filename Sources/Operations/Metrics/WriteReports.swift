package import Billing
package import Foundation
import Logging
import Storage

/// A file that was written.
package struct WrittenReport: Sendable, Hashable {
    package var path: String
    package var rows: Int
}

extension BackOffice {
    /// For how long a worker has a report to itself; longer than the longest takes.
    private static let reportLease = Duration.seconds(1_800)

    /// Writes the report that has been due longest, once among all servers; a failure is written down and tried again later.
    ///
    /// - Parameter worker: who writes.
    /// - Returns: false when none is due.
    package func writeDueReport(by worker: UUID) async throws -> Bool {
        guard let report = try await database.leaseReport(by: worker, for: Self.reportLease) else { return false }
        do {
            let written = try await write(report, of: report.next, clearing: true)
            let isOurs = try await database.write { transaction in
                let isOurs = try await transaction.reports.finish(
                    report,
                    file: written.path,
                    rows: written.rows,
                    by: worker
                )
                if isOurs {
                    try await transaction.audit.append(
                        entry(of: written, report, Caller(.clock(for: nil), actor: "report"))
                    )
                }
                return isOurs
            }
            logger.info(
                "report written",
                metadata: ["report": "\(report.name)", "file": "\(written.path)", "rows": "\(written.rows)"]
            )
            if !isOurs { logger.warning("report written twice", metadata: ["report": "\(report.name)"]) }
        } catch {
            let reason = (error as? ReportFailure)?.description ?? "\(error)"
            logger.error("report not written", metadata: ["report": "\(report.name)", "error": "\(reason)"])
            let wait = min(60 * Double(1 << min(report.attempts, 6)), 3_600)
            try await database.recordFailure(
                of: report,
                because: String(reason.prefix(500)),
                retryAt: database.now.addingTimeInterval(wait),
                by: worker
            )
        }
        return true
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

    /// - Returns: how many rows.
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
            "report.write",
            on: "report",
            report.name,
            app: report.app,
            after: AuditJSON([("file", written.path), ("rows", String(written.rows))]).text
        )
    }
}
