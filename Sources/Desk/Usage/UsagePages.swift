import Billing
import Foundation
import HTTP
import Operations
import Storage
import Words

/// The customer and the limits that a form is about.
struct UsageCase: Sendable {
    var customer: Customer.ID
    /// The customer's name.
    var person: String
    var meters: CustomerMeters
    /// The most days ahead that the person may raise a limit; nil for any number.
    var days: Int?
}

extension ActionPage {
    /// Asks which limit is raised, restored or reset, and why.
    init(
        _ action: UsageAction,
        _ form: UsageForm,
        _ known: UsageCase,
        key: String,
        error: OperationsError?,
        from: String?,
        viewer: Viewer,
        now: Date
    ) {
        let strings = viewer.strings
        let problems = error.map { FormField.problems(in: $0, strings) } ?? [:]
        let back = Link(text: known.person, href: DashboardPath.customer(known.customer, from: from))
        let options = UsageActionText.options(action, known.meters, viewer)
        self.init(
            frame: DashboardFrame(
                viewer,
                section: .customers,
                path: action.path(of: known.customer) + "/new",
                now: now
            ),
            title: UsageActionText.title(of: action, known.person, strings),
            back: back,
            trouble: error.flatMap { error in
                guard error.code == .conflict else { return nil }
                return Trouble(
                    headline: strings.accessNothingDone.description,
                    text: strings.usageNothingToChange.description
                )
            },
            facts: Self.consequences(
                undo: action == .resets ? strings.usageUndoNo : strings.usageUndoYes,
                notified: strings.accessFactToldNobody,
                strings
            ),
            factsTitle: strings.accessGoodToKnow.description,
            paragraphs: [UsageActionText.why(action, strings).description]
                + (options.isEmpty ? [strings.usageNothingToChange.description] : []),
            fields: options.isEmpty
                ? [] : Self.fields(action, form, options, known, problems, strings),
            hidden: [.newKey(key)],
            method: .post,
            action: action.path(of: known.customer),
            submit: options.isEmpty ? nil : UsageActionText.submit(action, strings).description,
            keep: Link(text: strings.accessKeep.description, href: back.href),
            from: from
        )
    }

    private static func fields(
        _ action: UsageAction,
        _ form: UsageForm,
        _ options: [FormField.Option],
        _ known: UsageCase,
        _ problems: [String: String],
        _ strings: Strings
    ) -> [FormField] {
        var fields = [
            FormField(
                "of",
                strings.usageFieldLimit.description,
                value: form.of,
                .select([FormField.Option(value: "", label: strings.actionsChoose.description)] + options),
                problem: problems["of"]
            )
        ]
        if action == .raises {
            fields += [
                FormField(
                    "increase",
                    strings.usageFieldIncrease.description,
                    value: form.increase,
                    hint: strings.usageHintIncrease.description,
                    .number,
                    problem: problems["increase"]
                ),
                FormField(
                    "until",
                    strings.usageFieldUntil.description,
                    value: form.until,
                    hint: known.days.map { strings.usageHintDays(days: strings.number($0)) }
                        ?? strings.usageHintUntil.description,
                    .date,
                    problem: problems["until"]
                ),
            ]
        }
        return fields + FormField.reason(category: form.category, text: form.reason, problems: problems, strings)
    }
}

/// The actions of staff on limits, in words.
enum UsageActionText {
    static func title(of action: UsageAction, _ person: String, _ strings: Strings) -> String {
        switch action {
        case .raises: strings.usageRaiseTitle(person: person)
        case .restorations: strings.usageRestoreTitle(person: person)
        case .resets: strings.usageResetTitle(person: person)
        }
    }

    static func button(of action: UsageAction, _ strings: Strings) -> StaticString {
        switch action {
        case .raises: strings.usageRaise
        case .restorations: strings.usageRestore
        case .resets: strings.usageReset
        }
    }

    static func submit(_ action: UsageAction, _ strings: Strings) -> StaticString {
        switch action {
        case .raises: strings.usageRaiseSubmit
        case .restorations: strings.usageRestoreSubmit
        case .resets: strings.usageResetSubmit
        }
    }

    static func why(_ action: UsageAction, _ strings: Strings) -> StaticString {
        switch action {
        case .raises: strings.usageRaiseWhy
        case .restorations: strings.usageRestoreWhy
        case .resets: strings.usageResetWhy
        }
    }

    static func name(of window: UsageWindow, _ strings: Strings) -> StaticString {
        switch window {
        case .day: strings.usageDay
        case .month: strings.usageMonth
        case .lifetime: strings.usageLifetime
        }
    }

    /// The limits about which something can be done.
    static func options(_ action: UsageAction, _ meters: CustomerMeters, _ viewer: Viewer) -> [FormField.Option] {
        let strings = viewer.strings
        return meters.features.flatMap { meter in
            meter.windows.filter { action.fits($0, for: viewer) }.map { window in
                let target = UsageTarget(feature: meter.feature.feature.code, window: window.usage.window)
                return FormField.Option(
                    value: target.formValue,
                    label: strings.usageOption(
                        feature: meter.feature.name(in: "\(strings.tag)"),
                        usage: used(window.usage, isIncluded: meter.isIncluded, strings),
                        window: name(of: window.usage.window, strings).description
                    )
                )
            }
        }
    }

    /// "4 of 5 used"
    static func used(_ usage: WindowUsage, isIncluded: Bool, _ strings: Strings) -> String {
        let used = strings.number(Int(clamping: usage.used))
        guard let limit = usage.limit else {
            return isIncluded ? strings.usageUsedUnlimited(used: used) : strings.usageUsed(used: used)
        }
        return strings.usageUsedOf(limit: strings.number(Int(clamping: limit)), used: used)
    }

    static func done(_ action: String, _ strings: Strings) -> String? {
        switch AuditAction(rawValue: action) {
        case .raiseUsageLimit: strings.usageRaiseDone.description
        case .restoreUsageLimit: strings.usageRestoreDone.description
        case .resetUsage: strings.usageResetDone.description
        default: nil
        }
    }
}
