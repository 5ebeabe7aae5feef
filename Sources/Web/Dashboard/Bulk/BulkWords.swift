import Billing
import Foundation
import Storage

/// Bulk jobs in words.
enum BulkWords {
    static func what(_ job: BulkJob, _ words: Words) -> String {
        let days = job.days ?? 0
        let plan = job.plan?.code ?? ""
        return switch job.kind {
        case .grant: words.bulkWhatGrant(count: days, plan: plan)
        case .extend: words.bulkWhatExtend(count: days)
        case .revoke: String(words.bulkWhatRevoke)
        case .changeTier: words.bulkWhatChangePlan(plan: plan)
        }
    }

    static func name(of kind: BulkJob.Kind, _ words: Words) -> String {
        let text: StaticString =
            switch kind {
            case .grant: words.bulkKindGrant
            case .extend: words.bulkKindExtend
            case .revoke: words.bulkKindRevoke
            case .changeTier: words.bulkKindChangePlan
            }
        return String(text)
    }

    static func detail(of kind: BulkJob.Kind, _ words: Words) -> String {
        let text: StaticString =
            switch kind {
            case .grant: words.bulkDetailGrant
            case .extend: words.bulkDetailExtend
            case .revoke: words.bulkDetailRevoke
            case .changeTier: words.bulkDetailChangePlan
            }
        return String(text)
    }

    static func name(of state: BulkJob.State, _ words: Words) -> String {
        let text: StaticString =
            switch state {
            case .checking: words.bulkStateChecking
            case .ready: words.bulkStateReady
            case .waiting: words.bulkStateWaiting
            case .running: words.bulkStateRunning
            case .done: words.bulkStateDone
            case .cancelled: words.bulkStateCancelled
            case .undoing: words.bulkStateUndoing
            case .undone: words.bulkStateUndone
            }
        return String(text)
    }

    static func name(of state: BulkJobItem.State, _ words: Words) -> String {
        let text: StaticString =
            switch state {
            case .new: words.bulkRowNew
            case .ready: words.bulkRowReady
            case .notFound: words.bulkRowNotFound
            case .ambiguous: words.bulkRowAmbiguous
            case .repeated: words.bulkRowRepeated
            case .refused: words.bulkRowRefused
            case .applied: words.bulkRowApplied
            case .skipped: words.bulkRowSkipped
            case .undone: words.bulkRowUndone
            case .kept: words.bulkRowKept
            }
        return String(text)
    }

    static func button(of deed: BulkAction, _ job: BulkJob, _ words: Words) -> String {
        let text: StaticString =
            switch deed {
            case .starts: job.needsApproval ? words.bulkDoSend : words.bulkDoStart
            case .approvals: words.bulkDoApprove
            case .cancellations: words.bulkDoCancel
            case .undoings: words.bulkDoUndo
            }
        return String(text)
    }

    static func question(
        of deed: BulkAction,
        _ job: BulkJob,
        _ counts: [BulkJobItem.State: Int],
        _ words: Words
    ) -> String {
        let (ready, applied) = (counts[.ready] ?? 0, counts[.applied] ?? 0)
        return switch deed {
        case .starts: job.needsApproval ? words.bulkAskSend(count: ready) : words.bulkAskStart(count: ready)
        case .approvals: words.bulkAskApprove(count: ready)
        case .cancellations: words.bulkAskCancel(count: ready)
        case .undoings: words.bulkAskUndo(count: applied)
        }
    }

    static func text(_ access: BulkJobItem.Access, _ viewer: Viewer) -> String {
        guard let plan = access.plan else { return String(viewer.words.accessValueNone) }
        return access.until.map { "\(plan), \(DateText.day($0, in: viewer.zone, viewer.words))" } ?? plan
    }

    static func facts(_ job: BulkJob, _ counts: [BulkJobItem.State: Int], _ viewer: Viewer) -> [ActionPage.Fact] {
        let words = viewer.words
        func moment(_ name: StaticString, _ date: Date?, _ person: String? = nil) -> ActionPage.Fact? {
            date.map { date in
                let when = DateText.full(date, in: viewer.zone, viewer.words)
                return ActionPage.Fact(
                    name: String(name),
                    value: person.map { "\($0), \(when)" } ?? when,
                    at: DateText(date, in: viewer.zone, viewer.words)
                )
            }
        }
        let states = BulkJobItem.State.allCases.compactMap { state in
            counts[state].map { ActionPage.Fact(name: name(of: state, words), value: words.number($0)) }
        }
        let moments = [
            moment(words.bulkFactRequested, job.requestedAt, job.requester),
            moment(words.bulkFactApproved, job.approvedAt, job.approver),
            moment(words.bulkFactStarted, job.startedAt), moment(words.bulkFactFinished, job.finishedAt),
            moment(words.bulkFactUndone, job.undoneAt),
        ].compactMap(\.self)
        let personal = [
            (words.bulkFactReason, job.reason.shown(to: viewer)), (words.bulkFactOrigin, origin(of: job, viewer)),
        ].compactMap { name, value in
            value.map { ActionPage.Fact(name: String(name), value: $0) }
        }
        return states + personal + moments
    }

    /// The file, the view, or that the lines were pasted; nil for who may not read names.
    static func origin(of job: BulkJob, _ viewer: Viewer) -> String? {
        let words = viewer.words
        guard let kept = job.origin else { return String(words.bulkOriginPasted) }
        return kept.shown(to: viewer).map { origin in
            job.originList.map { words.bulkOriginView(list: $0.title(words).description, view: origin) } ?? origin
        }
    }

    /// What was just done.
    static func done(_ action: String, _ words: Words) -> String? {
        switch action {
        case "bulk.request": String(words.bulkDoneRequest)
        case "bulk.send": String(words.bulkDoneSend)
        case "bulk.start": String(words.bulkDoneStart)
        case "bulk.approve": String(words.bulkDoneApprove)
        case "bulk.cancel": String(words.bulkDoneCancel)
        case "bulk.undo": String(words.bulkDoneUndo)
        case _: nil
        }
    }
}
