import Billing
import Foundation
import HTTP
import Operations
import Storage
import Words

/// The typed fields of a new batch.
struct PromoBatchForm: Sendable {
    let typed: TypedFields

    static let names = [
        "name", "channel", "plan", "codes", "days", "usesPerCode", "usesPerCustomer", "startsOn", "expiresOn",
    ]

    init(_ sent: URLEncoded) {
        typed = sent.typed.filter { Self.names.contains($0.key) }
    }

    /// True if anything was sent at all.
    var isFilled: Bool { !typed.isEmpty }

    /// The same in one text, for the form's key.
    var text: String { Self.names.map { "\($0)=\(typed[$0] ?? "")" }.joined(separator: "\n") }

    var hidden: [ActionPage.Hidden] {
        Self.names.compactMap { name in typed[name].map { ActionPage.Hidden(name: name, value: $0) } }
    }

    /// - Parameter zone: the zone of the typed days; the last one is a whole one.
    /// - Throws: `OperationsError` with everything that is wrong, by the names of the form.
    func checked(zone: TimeZone, now: Date) throws -> NewPromoBatch {
        var problems = FieldProblems()
        let starts = try problems.read { try day("startsOn") }
        let expires = try problems.read { try day("expiresOn") }
        let wanted = try problems.read {
            do {
                return try NewPromoBatch(
                    name: typed["name"],
                    channel: typed["channel"],
                    plan: typed["plan"],
                    days: typed["days"],
                    codes: typed["codes"],
                    usesPerCode: typed["usesPerCode"],
                    usesPerCustomer: typed["usesPerCustomer"],
                    startsAt: starts??.start(in: zone),
                    expiresAt: expires??.end(in: zone),
                    zone: zone,
                    now: now
                )
            } catch let error as OperationsError {
                throw error.renaming("expiresAt", to: "expiresOn")
            }
        }
        guard let wanted, problems.found.isEmpty else { throw problems.error }
        return wanted
    }

    private func day(_ name: String) throws(OperationsError) -> BusinessDay? {
        guard let text = typed[name], !text.isEmpty else { return nil }
        guard let day = BusinessDay(text), BusinessDay.nameable.contains(day) else {
            throw OperationsError(problems: [FieldProblem(name, .notADate)])
        }
        return day
    }
}

extension ActionPage {
    /// The form for a new batch: `/dashboard/promo-codes/new`.
    ///
    /// - Parameter plans: those that can be given.
    init(
        newPromoBatch form: PromoBatchForm,
        plans: [SupportPolicy.NamedPlan],
        error: OperationsError? = nil,
        viewer: Viewer,
        now: Date
    ) {
        let (strings, typed) = (viewer.strings, form.typed)
        let problems = error.map { FormField.problems(in: $0, strings) } ?? [:]
        func field(
            _ name: String,
            _ label: StaticString,
            preset: String? = nil,
            hint: StaticString? = nil,
            _ control: FormField.Control = .text(autocomplete: "off")
        ) -> FormField {
            FormField(
                name,
                label.description,
                value: typed[name] ?? preset,
                hint: hint?.description,
                control,
                problem: problems[name]
            )
        }
        let choices = plans.filter { $0.plan.rank > 0 }.map { FormField.Option(value: $0.plan.code, label: $0.name) }
        self.init(
            frame: DashboardFrame(viewer, section: .promoCodes, path: DashboardPath.newPromoBatch, now: now),
            title: strings.promoCodesNewTitle.description,
            subtitle: strings.promoCodesNewWhy.description,
            back: Link(text: strings.promoCodesTitle.description, href: DashboardPath.promoCodes),
            fields: [
                field("name", strings.promoCodesName, hint: strings.promoCodesNameHint),
                field("channel", strings.promoCodesChannel, hint: strings.promoCodesChannelHint),
                field("plan", strings.promoCodesPlan, .select(choices)),
                field("days", strings.promoCodesDays, .number),
                field("codes", strings.promoCodesCodes, .number),
                field("usesPerCode", strings.promoCodesUsesPerCode, preset: "1", .number),
                field("usesPerCustomer", strings.promoCodesUsesPerCustomer, preset: "1", .number),
                field("startsOn", strings.promoCodesStartsOn, hint: strings.promoCodesStartsHint, .date),
                field("expiresOn", strings.promoCodesExpiresOn, hint: strings.promoCodesExpiresHint, .date),
            ],
            method: .get,
            action: DashboardPath.newPromoBatch,
            submit: strings.promoCodesPreview.description,
            keep: Link(text: strings.promoCodesCancel.description, href: DashboardPath.promoCodes)
        )
    }

    /// The question whether to make a batch, with what it comes to.
    init(
        making wanted: NewPromoBatch,
        of plan: Plan,
        _ form: PromoBatchForm,
        once: String,
        viewer: Viewer,
        now: Date
    ) {
        let strings = viewer.strings
        let terms = wanted.terms(plan)
        let uses = Int(clamping: Int64(wanted.codes).times(Int64(wanted.usesPerCode)))
        self.init(
            frame: DashboardFrame(viewer, section: .promoCodes, path: DashboardPath.newPromoBatch, now: now),
            title: strings.promoCodesQuestion(
                codes: strings.promoCodesCodesCount(count: wanted.codes),
                name: wanted.name
            ),
            subtitle: strings.promoCodesTotal(count: uses, gives: PromoText.gives(terms, strings)),
            back: Link(text: strings.promoCodesTitle.description, href: DashboardPath.promoCodes),
            facts: PromoText.facts(terms, codes: wanted.codes, channel: wanted.channel, viewer)
                + Self.consequences(undo: strings.promoCodesUndo, notified: strings.promoCodesTold, strings),
            factsTitle: strings.accessGoodToKnow.description,
            paragraphs: [strings.promoCodesPaidStays.description],
            fields: [],
            hidden: form.hidden + [.newKey(once)],
            method: .post,
            action: DashboardPath.promoCodes,
            submit: strings.promoCodesSubmit.description,
            keep: Link(text: strings.promoCodesCancel.description, href: DashboardPath.promoCodes)
        )
    }

    /// The page that asks before a batch is stopped, or goes on.
    init(
        _ change: PromoBatchChange,
        of batch: PromoBatch,
        once: String,
        typed: TypedFields = [:],
        error: OperationsError? = nil,
        viewer: Viewer,
        now: Date
    ) {
        let (strings, path) = (viewer.strings, DashboardPath.promoBatch(batch.id, change))
        let isStop = change == .stop
        let isDone = error?.code == .conflict || isStop != (batch.terms.stoppedAt == nil)
        let gone = isStop ? strings.promoCodesIsStopped : strings.promoCodesIsNotStopped
        var after = batch.terms
        after.stoppedAt = isStop ? now : nil
        self.init(
            frame: DashboardFrame(viewer, section: .promoCodes, path: path, now: now),
            title: isStop
                ? strings.promoCodesStopQuestion(name: batch.name) : strings.promoCodesResumeQuestion(name: batch.name),
            back: Link(text: batch.name, href: DashboardPath.promoBatch(batch.id)),
            trouble: isDone ? Trouble(headline: gone.description) : nil,
            changes: [
                Change(
                    what: strings.promoCodesState.description,
                    before: PromoText.name(of: batch.terms.state(at: now), strings).description,
                    after: PromoText.name(of: after.state(at: now), strings).description
                )
            ],
            facts: Self.consequences(
                undo: isStop ? strings.promoCodesStopUndo : strings.promoCodesResumeUndo,
                notified: strings.promoCodesTold,
                strings
            ),
            factsTitle: strings.accessGoodToKnow.description,
            paragraphs: [(isStop ? strings.promoCodesStopWhy : strings.promoCodesResumeWhy).description],
            fields: FormField.reason(
                category: typed["category"],
                text: typed["reason"],
                problems: error.map { FormField.problems(in: $0, strings) } ?? [:],
                strings
            ),
            hidden: [.newKey(once)],
            method: .post,
            action: path,
            submit: (isStop ? strings.promoCodesStopSubmit : strings.promoCodesResumeSubmit).description,
            keep: Link(text: strings.promoCodesCancel.description, href: DashboardPath.promoBatch(batch.id)),
            isDangerous: isStop
        )
    }
}
