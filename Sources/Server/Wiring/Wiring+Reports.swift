import Billing
import Foundation
import Operations
import Storage

/// The commands for regular reports.
extension Wiring {
    /// - Parameters:
    ///   - content: revenue, ledger, access-changes or monthly-revenue.
    ///   - grain: day, week or month.
    ///   - directory: relative to where the command runs.
    package func addReport(
        _ name: String,
        app: String,
        content: String,
        every grain: String,
        at hour: Int,
        to directory: String,
        hasPersonalData: Bool
    ) async throws -> String {
        guard let content = Report.Content(rawValue: content) else {
            let all = Report.Content.allCases.map(\.rawValue).joined(separator: ", ")
            throw OperationsError(.invalid, "A report has one of \(all), not \(content).", field: "what")
        }
        guard let grain = ReportingPeriod.Grain(rawValue: grain) else {
            throw OperationsError(
                .invalid,
                "A report is written every day, week or month, not \(grain).",
                field: "every"
            )
        }
        let path = URL(fileURLWithPath: directory).standardizedFileURL.path
        let report = try await withBackOffice {
            try await $0.addReport(
                name,
                of: app,
                content,
                every: grain,
                at: hour,
                to: path,
                hasPersonalData: hasPersonalData,
                caller: .systemUser
            )
        }
        return "\(name) is written to \(path) from \(report.dueAt.formatted(.iso8601)) on."
    }

    package func removeReport(_ name: String) async throws {
        try await withBackOffice { try await $0.removeReport(name, caller: .systemUser) }
    }

    /// One line per report: name, app, content, how often, hour, directory, when it is due next, and the last file or failure.
    package func reportLines() async throws -> [String] {
        try await withBackOffice { try await $0.database.reports() }.map { report in
            [
                report.name, report.appName, report.content.rawValue, report.schedule.grain.rawValue,
                "\(report.schedule.hour):00", report.directory, "next \(report.dueAt.formatted(.iso8601))",
                report.failure.map { "failed: \($0)" } ?? report.lastFile ?? "-",
            ].joined(separator: "\t")
        }
    }

    /// Writes a report now.
    ///
    /// - Parameter text: a day of its period; nil for the last that is over.
    package func writeReport(_ name: String, of text: String?) async throws -> String {
        let day = try text.map { text in
            guard let day = BusinessDay(text) else {
                throw OperationsError(.invalid, "A day is written 2026-11-21, not \(text).", field: "period")
            }
            return day
        }
        let written = try await withBackOffice { try await $0.writeReport(name, of: day, caller: .systemUser) }
        return "\(written.path): \(written.rows) rows."
    }

    func reports(_ backOffice: BackOffice) async throws -> [Finding] {
        let reports = try await backOffice.database.reports()
        return reports.map { report in
            if let failure = report.failure {
                return .ill(
                    "report \(report.name) of \(report.next.fileName) was not written: \(failure)",
                    mend:
                        "mend the directory; it is tried again by itself, or at once with perennial reports run \(report.name)"
                )
            }
            if report.dueAt.addingTimeInterval(3_600) < backOffice.database.now {
                return .ill(
                    "report \(report.name) of \(report.next.fileName) is due since \(report.dueAt.formatted(.iso8601))",
                    mend: "run a worker: perennial serve, or perennial work"
                )
            }
            return .well("report \(report.name) is due \(report.dueAt.formatted(.iso8601))")
        }
    }
}
