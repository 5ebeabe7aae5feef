import Billing
import Foundation
import HTTP
import HTTPTypes
package import Hummingbird
import Operations
import Storage

/// The pages of bulk jobs.
package struct BulkController: Sendable {
    private static let pageSize = 25

    let backOffice: BackOffice
    let exports: ExportDesk

    /// `GET /dashboard/bulk`
    @Sendable package func index(_ call: StaffRequest) async throws -> Response {
        let cursor = try call.query["after"].map { text in
            guard let cursor = BulkJob.ID(text) else { throw LostPage() }
            return cursor
        }
        let call = call.taking("after")
        let jobs = try await backOffice.database.read { reader in
            try await reader.bulk.jobs(of: call.app.id, after: cursor, limit: Self.pageSize)
        }
        return .page(BulkIndexPage(jobs: jobs, size: Self.pageSize, cursor: cursor, viewer: call.viewer))
    }

    /// `GET /dashboard/bulk/new`
    @Sendable package func new(_ call: StaffRequest) async throws -> Response {
        let call = call.taking(BulkForm.names)
        let (settings, views) = (try await settings(call), try await views(call))
        return .page(BulkPages.form(try BulkForm(call.query), settings, views, call.viewer, key: newKey))
    }

    /// `POST /dashboard/bulk`
    @Sendable package func create(_ call: StaffRequest) async throws -> Response {
        let form = try BulkForm(call.form)
        let views = try await views(call)
        do {
            var problems = FieldProblems()
            let request = try form.request(
                zone: call.zone,
                from: views.first { $0.id.description == form.view },
                try await settings(call),
                at: backOffice.database.now,
                &problems
            )
            let reason = try problems.read { try call.reason() }
            guard let request, let reason, problems.found.isEmpty else { throw problems.error }
            let outcome = try await backOffice.requestBulk(
                request,
                of: call.app.id,
                reason: reason,
                key: try call.key(for: "\(request.kind)", "\(request.lines.hashText)", form.view, reason.forAudit),
                caller: call.caller
            )
            return call.done(outcome, see: DashboardPath.bulk + "/" + outcome.result)
        } catch let error as OperationsError where error.code == .invalid {
            let key = try call.form.single("key") ?? newKey
            let page = BulkPages.form(form, try await settings(call), views, call.viewer, key: key, error: error)
            return .page(page, status: .unprocessableContent)
        }
    }

    /// `GET /dashboard/bulk/{id}`; while something is going on it loads itself again.
    @Sendable package func show(_ call: StaffRequest) async throws -> Response {
        let job = try await job(call)
        let (state, call) = try call.readingQuery(beside: ["after"]) { query in
            query.value("state") { BulkJobItem.State(rawValue: $0) }
        }
        let after = call.query["after"].flatMap { Int($0) }.flatMap { BulkJobItem.lines.contains($0) ? $0 : nil } ?? 0
        let (counts, rows, before) = try await backOffice.database.readPrimary { reader in
            (
                try await reader.bulk.counts(of: job.id),
                try await reader.bulk.rows(of: job.id, in: state, after: after, limit: Self.pageSize),
                try await reader.bulk.lineBefore(after, of: job.id, in: state, limit: Self.pageSize)
            )
        }
        let page = BulkShowPage(
            job: job,
            counts: counts,
            rows: rows,
            state: state,
            after: after,
            before: before,
            size: Self.pageSize,
            staff: call.session.staff,
            viewer: call.viewer,
            now: backOffice.database.now
        )
        var response = Response.page(page)
        if page.isWorking { response.headers[HTTPField.Name("Refresh") ?? .retryAfter] = "2" }
        return response
    }

    /// `GET /dashboard/bulk/{id}/{action}/new`
    package func ask(_ action: BulkAction) -> @Sendable (StaffRequest) async throws -> Response {
        { call in
            let call = call.taking()
            let job = try await job(call)
            let counts = try await backOffice.database.readPrimary { try await $0.bulk.counts(of: job.id) }
            return .page(BulkPages.question(action, job, counts, call.viewer, key: newKey))
        }
    }

    /// `POST /dashboard/bulk/{id}/{action}`
    package func act(_ action: BulkAction) -> @Sendable (StaffRequest) async throws -> Response {
        { call in
            let id = try await job(call).id
            let version = try call.form.version
            let key = try call.key(for: "\(version)")
            let (app, caller) = (call.app.id, call.caller)
            do {
                let outcome: ActionOutcome =
                    switch action {
                    case .starts:
                        try await backOffice.startBulk(id, of: app, version: version, key: key, caller: caller)
                    case .approvals:
                        try await backOffice.approveBulk(id, of: app, version: version, key: key, caller: caller)
                    case .cancellations:
                        try await backOffice.cancelBulk(id, of: app, version: version, key: key, caller: caller)
                    case .undoings:
                        try await backOffice.undoBulk(id, of: app, version: version, key: key, caller: caller)
                    }
                return call.done(outcome, see: DashboardPath.bulkJob(id))
            } catch let error as OperationsError where error.code == .stale || error.code == .conflict {
                let job = try await job(call)
                let counts = try await backOffice.database.readPrimary { try await $0.bulk.counts(of: job.id) }
                let page = BulkPages.question(action, job, counts, call.viewer, key: newKey, error: error)
                return .page(page, status: .conflict)
            }
        }
    }

    /// `GET /dashboard/bulk/{id}/result.csv`: every line with what became of it.
    @Sendable package func result(_ call: StaffRequest) async throws -> Response {
        let job = try await job(call)
        let (backOffice, database, app, caller) = (backOffice, backOffice.database, call.app.id, call.caller)
        let file = ExportedFile(list: "bulk", name: "bulk-\(job.id).csv") { rows, isComplete in
            try await backOffice.recordExport(
                of: job.id,
                rows: rows,
                isComplete: isComplete,
                app: app,
                caller: caller
            )
        }
        return try await call.export(file, at: exports) { send in
            var piece = BulkCSV.heading
            var (line, sent) = (0, 0)
            repeat {
                let after = line
                let rows = try await database.read {
                    try await $0.bulk.rows(of: job.id, in: nil, after: after, limit: 999)
                }
                sent += rows.count
                var lines = BulkCSV.lines(rows, for: call)
                piece.writeBuffer(&lines)
                try await send(piece, sent)
                piece.clear()
                guard let last = rows.last else { break }
                line = last.line
            } while true
        }
    }

    private func job(_ call: StaffRequest) async throws -> BulkJob {
        guard let id = BulkJob.ID(try call.parameter("id")),
            let job = try await backOffice.database.readPrimary({ try await $0.bulk.job(id, app: call.app.id) })
        else { throw Self.missing }
        return job
    }

    private func settings(_ call: StaffRequest) async throws -> SupportPolicy {
        let settings = try await backOffice.database.readPrimary {
            try await $0.entitlementSources.settings(of: call.app.id)
        }
        guard let settings else { throw WebError(.notFound, "The app has no plans.") }
        return settings
    }

    /// The views whose customers can be taken.
    private func views(_ call: StaffRequest) async throws -> [SavedView] {
        try await backOffice.database.readPrimary {
            try await $0.savedViews.of(
                BulkList.lists,
                app: call.app.id,
                staff: call.session.staff,
                seesPersonalData: call.seesPersonalData
            )
        }
    }

    private var newKey: String { backOffice.database.newUUID().uuidString.lowercased() }

    private static var missing: WebError { WebError(.notFound, "There is no such job.") }
}

extension [String] {
    /// A short text that is another one for other lines.
    fileprivate var hashText: String {
        var hash: UInt64 = 0xCBF2_9CE4_8422_2325
        for line in self { for byte in line.utf8 + [10] { hash = (hash ^ UInt64(byte)) &* 0x0000_0100_0000_01B3 } }
        return "\(count) \(hash)"
    }
}
