import Billing
import Foundation
import Operations
import Storage

/// The pages of what staff do for one customer.
enum AccessPages {
    /// The first step: what is needed to show what would change.
    static func form(
        _ form: AccessForm,
        _ known: AccessCase,
        _ viewer: Viewer,
        error: OperationsError? = nil
    ) -> ActionPage {
        let words = viewer.words
        let problems = Self.problems(in: error, words)
        let back = ActionPage.Link(text: known.person.shown(to: viewer), href: DashboardPath.customer(known.customer))
        var page = ActionPage(
            frame: frame(form, known, viewer),
            title: AccessWords.title(of: form.deed, known, viewer),
            back: back,
            facts: facts(known, viewer),
            factsTitle: String(words.accessHasNow),
            fields: fields(form, known, viewer, problems),
            hidden: [ActionPage.Hidden(name: "step", value: "2")],
            method: .get,
            action: DashboardPath.newDeed(form.deed, of: known.customer),
            submit: String(words.accessNext),
            keep: ActionPage.Link(text: String(words.accessKeep), href: back.href),
            remark: remark(form, known, viewer)
        )
        if let error, problems.isEmpty {
            page.trouble = ActionPage.Trouble(
                headline: String(words.accessNothingDone),
                text: AccessWords.refusal(error, words)
            )
        }
        return page
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
        let words = viewer.words
        let problems = Self.problems(in: error, words)
        let isTyped = forecast.decision.revokesPaid
        var fields = FormField.reason(category: form.category, text: form.reason, problems: problems, words)
        if isTyped {
            fields.append(
                FormField(
                    "confirmation",
                    words.accessFieldConfirmation(code: known.confirmationCode),
                    value: form.confirmation,
                    hint: String(words.accessHintConfirmation),
                    problem: problems["confirmation"]
                )
            )
        }
        let hidden = [
            ("of", form.of), ("plan", form.plan), ("term", form.term), ("days", form.days), ("until", form.until),
            ("receiver", form.receiver), ("version", String(forecast.version)), ("step", "2"),
        ].filter { !$1.isEmpty }
        let customer = DashboardPath.customer(known.customer)
        var page = ActionPage(
            frame: frame(form, known, viewer),
            title: AccessWords.question(of: form, known, viewer),
            subtitle: known.person.shown(to: viewer) + " · " + known.customer.description,
            back: ActionPage.Link(text: known.person.shown(to: viewer), href: customer),
            changes: forecast.facts.map {
                ActionPage.Change(
                    what: AccessWords.name(of: $0.field, words),
                    before: AccessWords.text($0.before, viewer),
                    after: AccessWords.text($0.after, viewer)
                )
            },
            facts: ActionPage.consequences(undo: words.accessFactUndoYes, told: words.accessFactToldNobody, words),
            factsTitle: String(words.accessGoodToKnow),
            fields: fields,
            hidden: hidden.map { ActionPage.Hidden(name: $0.0, value: $0.1) } + [.newKey(key)],
            method: .post,
            action: DashboardPath.deeds(form.deed, of: known.customer),
            submit: AccessWords.submit(form, words),
            keep: ActionPage.Link(text: String(words.accessKeep), href: customer),
            isDangerous: isTyped,
            remark: remark(form, known, viewer)
        )
        if let error, problems.isEmpty {
            page.trouble = ActionPage.Trouble(
                headline: String(error.code == .stale ? words.accessStale : words.accessNothingDone),
                text: error.code == .stale ? String(words.accessStaleText) : AccessWords.refusal(error, words)
            )
        }
        return page
    }

    private static func frame(_ form: AccessForm, _ known: AccessCase, _ viewer: Viewer) -> DashboardFrame {
        DashboardFrame(
            viewer,
            section: .customers,
            path: DashboardPath.newDeed(form.deed, of: known.customer),
            now: known.now
        )
    }

    private static func fields(
        _ form: AccessForm,
        _ known: AccessCase,
        _ viewer: Viewer,
        _ problems: [String: String]
    ) -> [FormField] {
        let words = viewer.words
        func subject() -> FormField {
            FormField(
                "of",
                String(words.accessFieldOf),
                value: form.of.isEmpty
                    ? known.held.entitlement(at: known.now)?.source.formValue : form.of,
                .radios(AccessWords.subjects(of: form.deed, known, viewer)),
                problem: problems["of"]
            )
        }
        func plan() -> FormField {
            let plans = known.settings.plans.filter { $0.plan.rank > 0 }.map {
                FormField.Option(value: $0.plan.code, label: $0.name)
            }
            return FormField(
                "plan",
                String(words.accessFieldPlan),
                value: form.plan,
                .radios(plans),
                problem: problems["plan"]
            )
        }
        func days() -> FormField {
            FormField(
                "days",
                String(words.accessFieldDays),
                value: form.days,
                hint: viewer.role == .support
                    ? words.accessHintDaysLimit(days: words.number(known.settings.supportGrantLimitDays))
                    : String(words.accessHintDays),
                .number,
                problem: problems["days"]
            )
        }
        switch form.deed {
        case .grants:
            var terms = [
                FormField.Option(value: "days", label: String(words.accessTermDays)),
                FormField.Option(value: "until", label: String(words.accessTermUntil)),
            ]
            if viewer.role != .support {
                terms.append(FormField.Option(value: "forever", label: String(words.accessTermForever)))
            }
            return [
                plan(), FormField("term", String(words.accessFieldTerm), value: form.term, .radios(terms)), days(),
                FormField(
                    "until",
                    String(words.accessFieldUntil),
                    value: form.until,
                    hint: words.accessHintUntil(zone: viewer.zone.label),
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
                    String(words.accessFieldReceiver),
                    value: form.receiver,
                    hint: String(words.accessHintReceiver),
                    problem: problems["receiver"]
                ),
            ]
        case .undoings: return []
        }
    }

    private static func facts(_ known: AccessCase, _ viewer: Viewer) -> [ActionPage.Fact] {
        let words = viewer.words
        let entitlement = known.held.entitlement(at: known.now)
        let until = entitlement.map { entitlement in
            entitlement.until.map { DateText.full($0, in: viewer.zone, viewer.words) } ?? String(words.accessValueNoEnd)
        }
        return [
            ActionPage.Fact(
                name: String(words.accessFactPlan),
                value: entitlement?.plan.code ?? String(words.accessValueNone)
            ),
            ActionPage.Fact(
                name: String(words.accessFactUntil),
                value: until ?? String(words.accessValueNone),
                at: entitlement?.until.map { DateText($0, in: viewer.zone, words) }
            ),
        ]
    }

    /// What the store could do instead, with its limits.
    private static func remark(_ form: AccessForm, _ known: AccessCase, _ viewer: Viewer) -> String? {
        let words = viewer.words
        let source = Entitlement.Source(form: form.of) ?? known.held.entitlement(at: known.now)?.source
        guard case .subscription(let id)? = source, let held = known.held.subscription(id) else { return nil }
        switch (form.deed, held.store) {
        case (.extensions, .apple): return String(words.accessRemarkExtendApple)
        case (.extensions, .google): return String(words.accessRemarkExtendGoogle)
        case (.extensions, .wechat), (.extensions, .alipay): return String(words.accessRemarkExtend)
        case (.cancellations, let store): return AccessWords.howToCancel(at: store, words)
        case (.revocations, _): return String(words.accessRemarkRevoke)
        case (.grants, _), (.restorations, _), (.planChanges, _), (.transfers, _), (.undoings, _): return nil
        }
    }

    static func problems(in error: OperationsError?, _ words: Words) -> [String: String] {
        guard let error else { return [:] }
        if let refused = error.underlying as? ActionRefused, let field = error.field {
            return [field: AccessWords.text(of: refused, words)]
        }
        return FormField.problems(in: error, words)
    }
}
