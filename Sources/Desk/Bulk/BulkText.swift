import Billing
import Foundation
import HTTP
import Storage
import Words

/// Bulk jobs in words.
enum BulkText {
    static func what(_ job: BulkJob, _ strings: Strings) -> String {
        let days = job.days ?? 0
        let plan = job.plan?.code ?? ""
        return switch job.kind {
        case .grant: strings.bulkWhatGrant(count: days, plan: plan)
        case .extend: strings.bulkWhatExtend(count: days)
        case .revoke: String(strings.bulkWhatRevoke)
        case .changeTier: strings.bulkWhatChangePlan(plan: plan)
        }
    }

    static func name(of kind: BulkJob.Kind, _ strings: Strings) -> String {
        let text: StaticString =
            switch kind {
            case .grant: strings.bulkKindGrant
            case .extend: strings.bulkKindExtend
            case .revoke: strings.bulkKindRevoke
            case .changeTier: strings.bulkKindChangePlan
            }
        return String(text)
    }

    static func detail(of kind: BulkJob.Kind, _ strings: Strings) -> String {
        let text: StaticString =
            switch kind {
            case .grant: strings.bulkDetailGrant
            case .extend: strings.bulkDetailExtend
            case .revoke: strings.bulkDetailRevoke
            case .changeTier: strings.bulkDetailChangePlan
            }
        return String(text)
    }

    static func name(of state: BulkJob.State, _ strings: Strings) -> String {
        let text: StaticString =
            switch state {
            case .checking: strings.bulkStateChecking
            case .ready: strings.bulkStateReady
            case .waiting: strings.bulkStateWaiting
            case .running: strings.bulkStateRunning
            case .done: strings.bulkStateDone
            case .cancelled: strings.bulkStateCancelled
            case .undoing: strings.bulkStateUndoing
            case .undone: strings.bulkStateUndone
            }
        return String(text)
    }

    static func name(of state: BulkJobItem.State, _ strings: Strings) -> String {
        let text: StaticString =
            switch state {
            case .new: strings.bulkRowNew
            case .ready: strings.bulkRowReady
            case .notFound: strings.bulkRowNotFound
            case .ambiguous: strings.bulkRowAmbiguous
            case .repeated: strings.bulkRowRepeated
            case .refused: strings.bulkRowRefused
            case .applied: strings.bulkRowApplied
            case .skipped: strings.bulkRowSkipped
            case .undone: strings.bulkRowUndone
            case .kept: strings.bulkRowKept
            }
        return String(text)
    }

    static func button(of action: BulkAction, _ job: BulkJob, _ strings: Strings) -> String {
        let text: StaticString =
            switch action {
            case .starts: job.needsApproval ? strings.bulkDoSend : strings.bulkDoStart
            case .approvals: strings.bulkDoApprove
            case .cancellations: strings.bulkDoCancel
            case .undoings: strings.bulkDoUndo
            }
        return String(text)
    }

    static func question(
        of action: BulkAction,
        _ job: BulkJob,
        _ counts: [BulkJobItem.State: Int],
        _ strings: Strings
    ) -> String {
        let (ready, applied) = (counts[.ready] ?? 0, counts[.applied] ?? 0)
        return switch action {
        case .starts: job.needsApproval ? strings.bulkAskSend(count: ready) : strings.bulkAskStart(count: ready)
        case .approvals: strings.bulkAskApprove(count: ready)
        case .cancellations: strings.bulkAskCancel(count: ready)
        case .undoings: strings.bulkAskUndo(count: applied)
        }
    }

    static func text(_ access: BulkJobItem.Access, _ viewer: Viewer) -> String {
        guard let plan = access.plan else { return String(viewer.strings.accessValueNone) }
        return access.until.map { "\(plan), \(DateText.day($0, in: viewer.zone, viewer.strings))" } ?? plan
    }

    static func facts(_ job: BulkJob, _ counts: [BulkJobItem.State: Int], _ viewer: Viewer) -> [ActionPage.Fact] {
        let strings = viewer.strings
        func moment(_ name: StaticString, _ date: Date?, _ person: String? = nil) -> ActionPage.Fact? {
            date.map { date in
                let when = DateText.full(date, in: viewer.zone, viewer.strings)
                return ActionPage.Fact(
                    name: String(name),
                    value: person.map { "\($0), \(when)" } ?? when,
                    at: DateText(date, in: viewer.zone, viewer.strings)
                )
            }
        }
        let states = BulkJobItem.State.allCases.compactMap { state in
            counts[state].map { ActionPage.Fact(name: name(of: state, strings), value: strings.number($0)) }
        }
        let moments = [
            moment(strings.bulkFactRequested, job.requestedAt, job.requester),
            moment(strings.bulkFactApproved, job.approvedAt, job.approver),
            moment(strings.bulkFactStarted, job.startedAt), moment(strings.bulkFactFinished, job.finishedAt),
            moment(strings.bulkFactUndone, job.undoneAt),
        ].compactMap(\.self)
        let personal = [
            (strings.bulkFactReason, job.reason.shown(to: viewer)), (strings.bulkFactOrigin, origin(of: job, viewer)),
        ].compactMap { name, value in
            value.map { ActionPage.Fact(name: String(name), value: $0) }
        }
        return states + personal + moments
    }

    /// The file, the view, or that the lines were pasted; nil for who may not read names.
    static func origin(of job: BulkJob, _ viewer: Viewer) -> String? {
        let strings = viewer.strings
        guard let kept = job.origin else { return String(strings.bulkOriginPasted) }
        return kept.shown(to: viewer).map { origin in
            job.originList.map { strings.bulkOriginView(list: $0.title(strings).description, view: origin) } ?? origin
        }
    }

    /// Returns the sentence on the action that was just done.
    static func done(_ action: String, _ strings: Strings) -> String? {
        switch action {
        case "bulk.request": String(strings.bulkDoneRequest)
        case "bulk.send": String(strings.bulkDoneSend)
        case "bulk.start": String(strings.bulkDoneStart)
        case "bulk.approve": String(strings.bulkDoneApprove)
        case "bulk.cancel": String(strings.bulkDoneCancel)
        case "bulk.undo": String(strings.bulkDoneUndo)
        case _: nil
        }
    }
}
