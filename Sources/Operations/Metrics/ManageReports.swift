package import Billing
import Foundation
package import Storage

extension BackOffice {
    /// Schedules a report file, beginning with the current period.
    ///
    /// - Parameters:
    ///   - app: its slug.
    ///   - directory: the folder of the files; an absolute path that is writable here.
    /// - Throws: `OperationsError` with `.invalid`, `.notFound` or `.conflict`, and the field.
    package func addReport(
        _ name: String,
        of app: String,
        _ content: Report.Content,
        every grain: ReportingPeriod.Grain,
        at hour: Int,
        to directory: String,
        hasPersonalData: Bool,
        caller: Caller
    ) async throws -> Report {
        guard name.wholeMatch(of: /[a-z0-9]+(-[a-z0-9]+)*/) != nil, name.count <= 60 else {
            throw OperationsError(.invalid, "A name is of lower-case letters, digits and hyphens.", field: "name")
        }
        guard (0...23).contains(hour) else {
            throw OperationsError(.invalid, "An hour is from 0 to 23.", field: "at")
        }
        guard directory.hasPrefix("/"), FileManager.default.isWritableFile(atPath: directory) else {
            throw OperationsError(.invalid, "\(directory) is no directory that can be written.", field: "to")
        }
        guard let record = try await database.readPrimary({ try await $0.apps.all() }).first(where: { $0.slug == app })
        else { throw OperationsError(.notFound, "There is no app \(app).", field: "app") }
        let schedule = ReportSchedule(every: grain, at: hour, in: TimeZone(identifier: record.timeZone) ?? .gmt)
        return try await database.write { transaction in
            let report = Report(
                id: Identifier(transaction.newUUID()),
                app: record.id,
                appName: app,
                name: name,
                content: content,
                schedule: schedule,
                directory: directory,
                hasPersonalData: hasPersonalData,
                next: schedule.first(at: transaction.now)
            )
            guard try await transaction.reports.add(report) else {
                throw OperationsError(.conflict, "There is a report \(name) already.", field: "name")
            }
            try await enqueue(report, in: transaction)
            let said = [
                ("content", content.rawValue), ("directory", directory), ("every", grain.rawValue),
                ("hour", String(hour)),
                ("personalData", hasPersonalData ? "yes" : "no"),
            ]
            try await transaction.audit.append(
                caller.entry(.addReport, on: "report", name, app: record.id, after: AuditJSON(said).text)
            )
            return report
        }
    }

    /// Ends a report; its files stay.
    ///
    /// - Throws: `OperationsError` with `.notFound`.
    package func removeReport(_ name: String, caller: Caller) async throws {
        try await database.write { transaction in
            guard let removed = try await transaction.reports.remove(name) else {
                throw OperationsError(.notFound, "There is no report \(name).", field: "name")
            }
            try await transaction.jobs.cancel(.report, for: removed.id.uuid)
            try await transaction.audit.append(caller.entry(.removeReport, on: "report", name, app: removed.app))
        }
    }
}
