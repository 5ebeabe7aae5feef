import Billing
import Foundation
import HTTP
import Operations
import Storage
import Words

/// The pages of what staff do for one customer.
enum AccessPages {
    /// The first step: what is needed to show what would change.
    static func form(
        _ form: AccessForm,
        _ known: AccessCase,
        _ viewer: Viewer,
        error: OperationsError? = nil
    ) -> ActionPage {
        let strings = viewer.strings
        let problems = Self.problems(in: error, strings)
        let back = ActionPage.Link(
            text: known.person.shown(to: viewer),
            href: DashboardPath.customer(known.customer, from: form.from)
        )
        var page = ActionPage(
            frame: frame(form, known, viewer),
            title: EntitlementActionText.title(of: form.action, known, viewer),
            back: back,
            facts: facts(known, viewer),
            factsTitle: String(strings.accessHasNow),
            fields: fields(form, known, viewer, problems),
            hidden: [ActionPage.Hidden(name: "step", value: "2")],
            method: .get,
            action: DashboardPath.newAction(form.action, of: known.customer),
            submit: String(strings.accessNext),
            keep: ActionPage.Link(text: String(strings.accessKeep), href: back.href),
            warning: warning(form, known, viewer),
            from: form.from
        )
        if let error, problems.isEmpty {
            page.trouble = ActionPage.Trouble(
                headline: String(strings.accessNothingDone),
                text: EntitlementActionText.rejection(error, strings)
            )
        }
        return page
    }

    /// Returns the page for a change that only the customer can make, at the store: it says how, and has nothing to send.
    static func elsewhere(_ form: AccessForm, _ known: AccessCase, _ stores: [Store], _ viewer: Viewer) -> ActionPage {
        let (strings, person) = (viewer.strings, known.person.shown(to: viewer))
        let names = strings.list(stores.map { StoreText.name(of: $0, strings).description })
        let back = ActionPage.Link(text: person, href: DashboardPath.customer(known.customer, from: form.from))
        return ActionPage(
            frame: frame(form, known, viewer),
            title: strings.accessFormCancelAt(person: person, store: names),
            back: back,
            facts: facts(known, viewer),
            factsTitle: String(strings.accessHasNow),
            paragraphs: stores.map { EntitlementActionText.howToCancel(at: $0, strings) }
                + [String(strings.accessCancelThen)],
            fields: [],
            method: .get,
            action: DashboardPath.newAction(form.action, of: known.customer),
            submit: nil,
            keep: ActionPage.Link(text: strings.accessBackTo(person: person), href: back.href)
        )
    }

    /// The second step: what would change, and why it is done.
    static func confirmation(
        _ form: AccessForm,
        _ known: AccessCase,
        _ forecast: EntitlementPreview,
        _ viewer: Viewer,
        key: String,
        error: OperationsError? = nil
    ) -> ActionPage {
        let strings = viewer.strings
        let problems = Self.problems(in: error, strings)
        let isTyped = forecast.decision.revokesPaid
        var fields = FormField.reason(category: form.category, text: form.reason, problems: problems, strings)
        if isTyped {
            fields.append(
                FormField(
                    "confirmation",
                    strings.accessFieldConfirmation(code: known.confirmationCode),
                    value: form.confirmation,
                    hint: String(strings.accessHintConfirmation),
                    problem: problems["confirmation"]
                )
            )
        }
        let hidden = [
            ("of", form.of), ("plan", form.plan), ("term", form.term), ("days", form.days), ("until", form.until),
            ("receiver", form.receiver), ("version", String(forecast.version)), ("step", "2"),
        ].filter { !$1.isEmpty }
        let customer = DashboardPath.customer(known.customer, from: form.from)
        var page = ActionPage(
            frame: frame(form, known, viewer),
            title: EntitlementActionText.question(of: form, known, viewer),
            subtitle: known.person.shown(to: viewer) + " · " + known.customer.description,
            back: ActionPage.Link(text: known.person.shown(to: viewer), href: customer),
            changes: forecast.facts.map {
                ActionPage.Change(
                    what: EntitlementActionText.name(of: $0.field, strings),
                    before: EntitlementActionText.text($0.before, viewer),
                    after: EntitlementActionText.text($0.after, viewer)
                )
            },
            facts: ActionPage.consequences(
                undo: form.action == .undoings ? strings.accessFactUndoNo : strings.accessFactUndoYes,
                notified: strings.accessFactToldNobody,
                strings
            ),
            factsTitle: String(strings.accessGoodToKnow),
            fields: fields,
            hidden: hidden.map { ActionPage.Hidden(name: $0.0, value: $0.1) } + [.newKey(key)],
            method: .post,
            action: DashboardPath.actions(form.action, of: known.customer),
            submit: EntitlementActionText.submit(form, strings),
            keep: ActionPage.Link(text: String(strings.accessKeep), href: customer),
            isDangerous: isTyped,
            warning: warning(form, known, viewer),
            from: form.from
        )
        if let error, problems.isEmpty {
            page.trouble = ActionPage.Trouble(
                headline: String(error.code == .stale ? strings.accessStale : strings.accessNothingDone),
                text: error.code == .stale
                    ? String(strings.accessStaleText) : EntitlementActionText.rejection(error, strings)
            )
        }
        return page
    }

    private static func frame(_ form: AccessForm, _ known: AccessCase, _ viewer: Viewer) -> DashboardFrame {
        DashboardFrame(
            viewer,
            section: .customers,
            path: DashboardPath.newAction(form.action, of: known.customer),
            now: known.now
        )
    }

    private static func fields(
        _ form: AccessForm,
        _ known: AccessCase,
        _ viewer: Viewer,
        _ problems: [String: String]
    ) -> [FormField] {
        let strings = viewer.strings
        func subject() -> FormField {
            FormField(
                "of",
                String(strings.accessFieldOf),
                value: form.of.isEmpty
                    ? known.held.entitlement(at: known.now)?.source.formValue : form.of,
                .radios(EntitlementActionText.subjects(of: form.action, known, viewer)),
                problem: problems["of"]
            )
        }
        func plan() -> FormField {
            let plans = known.settings.plans.filter { $0.plan.rank > 0 }.map {
                FormField.Option(value: $0.plan.code, label: $0.name)
            }
            return FormField(
                "plan",
                String(strings.accessFieldPlan),
                value: form.plan,
                .radios(plans),
                problem: problems["plan"]
            )
        }
        func days() -> FormField {
            FormField(
                "days",
                String(strings.accessFieldDays),
                value: form.days,
                hint: viewer.role == .support
                    ? strings.accessHintDaysLimit(days: strings.number(known.settings.supportGrantLimitDays))
                    : String(strings.accessHintDays),
                .number,
                problem: problems["days"]
            )
        }
        switch form.action {
        case .grants:
            var terms = [
                FormField.Option(value: "days", label: String(strings.accessTermDays)),
                FormField.Option(value: "until", label: String(strings.accessTermUntil)),
            ]
            if viewer.role != .support {
                terms.append(FormField.Option(value: "forever", label: String(strings.accessTermForever)))
            }
            return [
                plan(), FormField("term", String(strings.accessFieldTerm), value: form.term, .radios(terms)), days(),
                FormField(
                    "until",
                    String(strings.accessFieldUntil),
                    value: form.until,
                    hint: strings.accessHintUntil(zone: viewer.zone.label),
                    .date,
                    problem: problems["until"]
                ),
            ]
        case .extensions: return [subject(), days()]
        case .planChanges: return [subject(), plan()]
        case .revocations, .restorations, .cancellations: return [subject()]
        case .transfers:
            return [
                subject(),
                FormField(
                    "receiver",
                    String(strings.accessFieldReceiver),
                    value: form.receiver,
                    hint: String(strings.accessHintReceiver),
                    problem: problems["receiver"]
                ),
            ]
        case .undoings: return []
        }
    }

    private static func facts(_ known: AccessCase, _ viewer: Viewer) -> [ActionPage.Fact] {
        let strings = viewer.strings
        let entitlement = known.held.entitlement(at: known.now)
        let until = entitlement.map { entitlement in
            entitlement.until.map { DateText.full($0, in: viewer.zone, viewer.strings) }
                ?? String(strings.accessValueNoEnd)
        }
        return [
            ActionPage.Fact(
                name: String(strings.accessFactPlan),
                value: entitlement?.plan.code ?? String(strings.accessValueNone)
            ),
            ActionPage.Fact(
                name: String(strings.accessFactUntil),
                value: until ?? String(strings.accessValueNone),
                at: entitlement?.until.map { DateText($0, in: viewer.zone, strings) }
            ),
        ]
    }

    /// Returns the warning that the store could do this instead, with its limits.
    private static func warning(_ form: AccessForm, _ known: AccessCase, _ viewer: Viewer) -> String? {
        let strings = viewer.strings
        let source = Entitlement.Source(form: form.of) ?? known.held.entitlement(at: known.now)?.source
        guard case .subscription(let id)? = source, let held = known.held.subscription(id) else { return nil }
        switch (form.action, held.store) {
        case (.extensions, .apple): return String(strings.accessWarningExtendApple)
        case (.extensions, .google): return String(strings.accessWarningExtendGoogle)
        case (.extensions, _): return String(strings.accessWarningExtend)
        // Here a grant is cancelled; what was bought, the customer cancels.
        case (.cancellations, let store): return EntitlementActionText.howToCancel(at: store, strings)
        case (.revocations, _): return String(strings.accessWarningRevoke)
        case (.grants, _), (.restorations, _), (.planChanges, _), (.transfers, _), (.undoings, _): return nil
        }
    }

    static func problems(in error: OperationsError?, _ strings: Strings) -> [String: String] {
        guard let error else { return [:] }
        if let refused = error.underlying as? ActionRefused, let field = error.field {
            return [field: EntitlementActionText.text(of: refused, strings)]
        }
        return FormField.problems(in: error, strings)
    }
}
