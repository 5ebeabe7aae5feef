import Billing
package import Foundation
package import HTTP
import Operations
package import Storage
package import Words

/// The list of jobs: `/dashboard/bulk`.
package struct BulkIndexPage: Sendable {
    let frame: DashboardFrame
    package var strings: Strings { frame.strings }
    let jobs: [Row]
    let hasJobs: Bool
    let newHref: String
    let next: String?
    let first: String?

    struct Row: Sendable {
        var href: String
        var what: String
        var status: BulkStatus
        var origin: String
        var requester: String
        var requested: DateText
    }

    package init(jobs all: [BulkJob], size: Int, cursor: BulkJob.ID?, viewer: Viewer) {
        frame = DashboardFrame(viewer, section: .bulk, path: DashboardPath.bulk)
        let strings = viewer.strings
        jobs = all.prefix(size).map { job in
            Row(
                href: DashboardPath.bulkJob(job.id),
                what: BulkText.what(job, strings),
                status: BulkStatus(job.state, strings),
                origin: BulkText.origin(of: job, viewer) ?? "",
                requester: job.requester,
                requested: DateText(job.requestedAt, in: viewer.zone, viewer.strings)
            )
        }
        hasJobs = !jobs.isEmpty
        newHref = DashboardPath.bulk + "/new"
        next = all.count > size ? "\(DashboardPath.bulk)?after=\(all[size - 1].id)" : nil
        first = cursor == nil ? nil : DashboardPath.bulk
    }
}

/// The state of a job or line, as a word and a shape of dashboard.css.
struct BulkStatus: Sendable {
    var word: String
    var shape: StaticString

    init(_ state: BulkJob.State, _ strings: Strings) {
        word = BulkText.name(of: state, strings)
        shape =
            switch state {
            case .checking, .running, .undoing: "pending"
            case .ready, .waiting: "partial"
            case .done: "completed"
            case .cancelled: "cancelled"
            case .undone: "refunded"
            }
    }

    init(_ state: BulkJobItem.State, _ strings: Strings) {
        word = BulkText.name(of: state, strings)
        shape =
            switch state {
            case .new, .ready: "pending"
            case .applied: "completed"
            case .notFound, .ambiguous, .refused: "failed"
            case .repeated, .skipped, .kept: "cancelled"
            case .undone: "refunded"
            }
    }
}

/// One job: `/dashboard/bulk/{id}`.
package struct BulkShowPage: Sendable {
    let frame: DashboardFrame
    package var strings: Strings { frame.strings }
    let title: String
    let status: BulkStatus
    let id: String
    let backHref: String
    let actions: [ActionPage.Link]
    /// The reason why a button is missing.
    let hint: String?
    let facts: [ActionPage.Fact]
    let progress: String?
    let done: Int
    let total: Int
    let tabs: [FilterTab]
    let linesLabel: String
    let rows: [Row]
    let pages: PageLinks
    let resultHref: String
    /// True if the page is to be loaded again soon.
    let isWorking: Bool

    struct Row: Sendable {
        var line: String
        var input: String
        var href: String?
        var status: BulkStatus
        var why: String?
        var before: String
        var after: String
    }

    package init(
        job: BulkJob,
        counts: [BulkJobItem.State: Int],
        rows all: [BulkJobItem],
        state: BulkJobItem.State?,
        after: Int,
        before: Int,
        size: Int,
        staff: Staff.ID,
        viewer: Viewer,
        now: Date
    ) {
        let strings = viewer.strings
        let path = DashboardPath.bulkJob(job.id)
        frame = DashboardFrame(viewer, section: .bulk, path: path, now: now)
        title = BulkText.what(job, strings)
        status = BulkStatus(job.state, strings)
        id = job.id.description
        backHref = DashboardPath.bulk
        resultHref = path + "/result.csv"
        total = counts.values.reduce(0, +)
        func count(_ states: BulkJobItem.State...) -> Int { states.map { counts[$0] ?? 0 }.reduce(0, +) }
        switch job.state {
        case .checking: done = total - count(.new)  // safe: counts of lines, as below
        case .running: done = total - count(.ready)  // safe: as above
        case .undoing: done = total - count(.applied)  // safe: as above
        case .ready, .waiting, .done, .cancelled, .undone: done = total
        }
        isWorking = [.checking, .running, .undoing].contains(job.state)
        progress = isWorking ? strings.bulkProgress(done: strings.number(done), total: strings.number(total)) : nil
        let mayApprove = job.state == .waiting && job.requestedBy != staff
        let offered: [BulkAction] =
            switch job.state {
            case .checking, .running: [.cancellations]
            case .ready: count(.ready) > 0 ? [.starts, .cancellations] : [.cancellations]
            case .waiting: mayApprove ? [.approvals, .cancellations] : [.cancellations]
            case .done, .cancelled: count(.applied) > 0 ? [.undoings] : []
            case .undoing, .undone: []
            }
        let links = offered.map {
            ActionPage.Link(text: BulkText.button(of: $0, job, strings), href: "\(path)/\($0.rawValue)/new")
        }
        let history = DashboardPath.history(of: "bulk", job.id.description)
        actions =
            links
            + (viewer.may(.viewAudit) ? [ActionPage.Link(text: strings.auditHistory.description, href: history)] : [])
        hint = job.state == .waiting && !mayApprove ? String(strings.bulkNotByYou) : nil
        facts = BulkText.facts(job, counts, viewer)
        let states: [BulkJobItem.State?] = [nil] + BulkJobItem.State.allCases.filter { (counts[$0] ?? 0) > 0 }
        tabs = states.map { one in
            FilterTab(
                label: one.map { "\(BulkText.name(of: $0, strings)) \(strings.number(counts[$0] ?? 0))" }
                    ?? "\(strings.bulkAllLines) \(strings.number(counts.values.reduce(0, +)))",
                href: one.map { "\(path)?state=\($0.rawValue)" } ?? path,
                isCurrent: one == state
            )
        }
        linesLabel = String(strings.bulkLines)
        rows = all.prefix(size).map { Row($0, viewer) }
        let query = state.map { "state=\($0.rawValue)&" } ?? ""
        pages = PageLinks(
            previous: after > 0 ? "\(path)?\(query)after=\(before)" : nil,
            next: all.count > size ? "\(path)?\(query)after=\(all[size - 1].line)" : nil
        )
    }
}

extension BulkShowPage.Row {
    init(_ row: BulkJobItem, _ viewer: Viewer) {
        line = viewer.strings.number(row.line)
        input = row.input.shown(to: viewer) ?? ""
        href = row.customer.map { DashboardPath.customer($0) }
        status = BulkStatus(row.state, viewer.strings)
        why = row.rejectionReason.flatMap { ActionRefused.Code(rawValue: $0) }.map {
            viewer.strings.sentence(of: $0).description
        }
        before = BulkText.text(row.before, viewer)
        after = BulkText.text(row.after, viewer)
    }
}

/// The forms of bulk jobs.
enum BulkPages {
    static func form(
        _ form: BulkForm,
        _ settings: SupportPolicy,
        _ views: [SavedView],
        _ viewer: Viewer,
        key: String,
        error: OperationsError? = nil
    ) -> ActionPage {
        let strings = viewer.strings
        let problems = AccessPages.problems(in: error, strings)
        let plans = settings.plans.filter { $0.plan.rank > 0 }.map {
            FormField.Option(value: $0.plan.code, label: $0.name)
        }
        let kinds = BulkJob.Kind.allCases.map {
            FormField.Option(
                value: $0.rawValue,
                label: BulkText.name(of: $0, strings),
                detail: BulkText.detail(of: $0, strings)
            )
        }
        let choices = views.map {
            FormField.Option(
                value: $0.id.description,
                label: strings.bulkViewOf(list: $0.list.title(strings).description, view: $0.name)
            )
        }
        return ActionPage(
            frame: DashboardFrame(viewer, section: .bulk, path: DashboardPath.bulk + "/new"),
            title: String(strings.bulkNew),
            subtitle: String(strings.bulkNewText),
            back: ActionPage.Link(text: String(strings.bulkTitle), href: DashboardPath.bulk),
            fields: [
                FormField(
                    "kind",
                    String(strings.bulkFieldKind),
                    value: form.kind,
                    .radios(kinds),
                    problem: problems["kind"]
                ),
                FormField(
                    "plan",
                    String(strings.accessFieldPlan),
                    value: form.plan,
                    hint: String(strings.bulkHintPlan),
                    .select([FormField.Option(value: "", label: String(strings.bulkNoPlan))] + plans),
                    problem: problems["plan"]
                ),
                FormField(
                    "days",
                    String(strings.accessFieldDays),
                    value: form.days,
                    hint: String(strings.bulkHintDays),
                    .number,
                    problem: problems["days"]
                ),
                FormField("file", String(strings.bulkFieldFile), hint: String(strings.bulkHintFile), .file),
                FormField(
                    "lines",
                    String(strings.bulkFieldLines),
                    value: form.lines,
                    hint: String(strings.bulkHintLines),
                    .area,
                    problem: problems["lines"]
                ),
                FormField(
                    "view",
                    String(strings.bulkFieldView),
                    value: form.view,
                    hint: String(strings.bulkHintView),
                    .select([FormField.Option(value: "", label: String(strings.bulkNoView))] + choices),
                    problem: problems["view"]
                ),
            ] + FormField.reason(category: form.category, text: form.reason, problems: problems, strings),
            hidden: [.newKey(key)],
            method: .post,
            action: DashboardPath.bulk,
            sendsFiles: true,
            submit: String(strings.bulkSubmitNew),
            keep: ActionPage.Link(text: String(strings.bulkKeepNew), href: DashboardPath.bulk),
            warning: strings.bulkApprovalFrom(count: settings.bulkApprovalFrom)
        )
    }

    static func question(
        _ action: BulkAction,
        _ job: BulkJob,
        _ counts: [BulkJobItem.State: Int],
        _ viewer: Viewer,
        key: String,
        error: OperationsError? = nil
    ) -> ActionPage {
        let strings = viewer.strings
        let path = DashboardPath.bulkJob(job.id)
        var page = ActionPage(
            frame: DashboardFrame(viewer, section: .bulk, path: "\(path)/\(action.rawValue)/new"),
            title: BulkText.question(of: action, job, counts, strings),
            subtitle: BulkText.what(job, strings),
            back: ActionPage.Link(text: BulkText.what(job, strings), href: path),
            facts: BulkText.facts(job, counts, viewer),
            factsTitle: String(strings.accessGoodToKnow),
            fields: [],
            hidden: [ActionPage.Hidden(name: "version", value: String(job.version)), .newKey(key)],
            method: .post,
            action: "\(path)/\(action.rawValue)",
            submit: BulkText.button(of: action, job, strings),
            keep: ActionPage.Link(text: String(strings.accessKeep), href: path),
            isDangerous: action != .cancellations && job.kind == .revoke
        )
        if let error {
            page.trouble = ActionPage.Trouble(
                headline: String(error.code == .stale ? strings.accessStale : strings.accessNothingDone),
                text: error.code == .stale ? String(strings.bulkStaleText) : error.message
            )
        }
        return page
    }
}
