package import Billing
package import Foundation
import Postgres

/// A file that is written regularly.
package struct Report: Sendable {
    package typealias ID = Identifier<Report>

    package var id: ID
    package var app: App.ID
    /// The app's slug.
    package var appName: String
    package var name: String
    package var content: Content
    package var schedule: ReportSchedule
    package var directory: String
    package var hasPersonalData: Bool
    /// The period of the next file.
    package var next: ReportingPeriod
    package var dueAt: Date { schedule.due(next) }
    package var lastFile: String?
    package var lastRows: Int?
    /// The reason why its file could not be written; it is retried, or waits among the dead letters.
    package var failure: String?

    package init(
        id: ID,
        app: App.ID,
        appName: String,
        name: String,
        content: Content,
        schedule: ReportSchedule,
        directory: String,
        hasPersonalData: Bool,
        next: ReportingPeriod
    ) {
        self.id = id
        self.app = app
        self.appName = appName
        self.name = name
        self.content = content
        self.schedule = schedule
        self.directory = directory
        self.hasPersonalData = hasPersonalData
        self.next = next
    }

    /// The content of the file. The database and the command line use the raw values.
    package enum Content: String, Sendable, CaseIterable {
        /// Gross, refunds and net by day and product.
        case revenue
        /// Every row of the ledger.
        case ledger
        /// Access gained and lost.
        case accessChanges = "access-changes"
        /// Each subscriber's monthly recurring revenue.
        case monthlyRevenue = "monthly-revenue"
    }
}

extension Report {
    static let selection: Query = """
        SELECT r.content, r.grain, r.hour, a.time_zone, r.id, r.app_id, a.slug, r.name, r.directory, r.has_personal_data,
            r.next_day, r.last_file, r.last_rows, j.last_error
        FROM reports r
        JOIN apps a ON a.id = r.app_id
        LEFT JOIN jobs j ON j.kind = 'report' AND j.subject_id = r.id AND j.state IN ('available', 'running', 'discarded')
        """

    init(row: Row) throws {
        var columns = try row.columns(14)
        let (content, grain): (String, String) = (try columns.next(), try columns.next())
        guard let content = Content(rawValue: content), let grain = ReportingPeriod.Grain(rawValue: grain) else {
            throw UnknownReport()
        }
        let schedule = ReportSchedule(
            every: grain,
            at: try columns.next(),
            in: TimeZone(identifier: try columns.next()) ?? .gmt
        )
        self.init(
            id: try columns.next(),
            app: try columns.next(),
            appName: try columns.next(),
            name: try columns.next(),
            content: content,
            schedule: schedule,
            directory: try columns.next(),
            hasPersonalData: try columns.next(),
            next: ReportingPeriod(grain, containing: try columns.next())
        )
        lastFile = try columns.next()
        lastRows = try columns.next()
        failure = try columns.next()
    }

    struct UnknownReport: Error {}
}
