import Billing
import Foundation
import HTTP
import Storage
import Words

extension ActionPage {
    /// The page that asks before a step on a refund request is taken.
    ///
    /// - Parameters:
    ///   - typed: the form's fields when it was refused.
    ///   - problems: the problems of its fields, by name.
    ///   - chosen: the preference that an approval tells a store that decides for itself; nil for the proposed one.
    init(
        _ step: RefundAction,
        _ details: RefundDetails,
        key: String,
        typed: TypedFields = [:],
        problems: [String: String] = [:],
        answer chosen: RefundPreference? = nil,
        person: RefundPerson,
        from: String? = nil,
        viewer: Viewer,
        now: Date
    ) {
        let (request, order, strings) = (details.request, details.order.order, viewer.strings)
        let text = RefundText(viewer, now: now)
        let amount = text.amount(request.refund.shown)
        let own = DashboardPath.refund(request.number, from: from)
        let answer = chosen ?? details.proposedGrant
        let isTold = step == .approval && request.isDecided(by: order.store)
        let payback = isTold ? text.payback(of: details, for: answer) : nil
        let prospect = step.decision(answer).flatMap { details.prospect(deciding: $0, at: now) }
        let store = StoreText.name(of: order.store, strings).description
        let keep = request.refund.status == .approved ? strings.refundsKeepWaiting : strings.refundsKeepOpen
        self.init(
            frame: DashboardFrame(viewer, section: .refunds, path: step.path(of: request.number), now: now),
            title: step.title(amount, payback, order.number, strings),
            subtitle: Self.subtitle(details, text),
            back: Link(text: request.number, href: own),
            notice: prospect.flatMap { text.before($0, at: store) },
            noticeLink: details.consentLink(prospect, from: step.path(of: request.number), viewer),
            choices: isTold ? Self.choices(step, details, answer, from: from, text) : nil,
            changes: RefundChanges(step, details, answer, viewer, text).rows,
            facts: RefundEvidence.facts(details.evidence, details.refundable, details.order, text)
                + Self.consent(details, strings) + Self.words(step, details, strings),
            factsTitle: strings.refundsEvidence.description,
            fields: Self.fields(step, details, answer, typed, problems, text),
            hidden: [.newKey(key), Hidden(name: "version", value: String(request.version))]
                + (isTold ? [Hidden(name: "answer", value: answer.rawValue)] : []),
            method: .post,
            action: step.path(of: request.number),
            submit: step.submit(amount, payback, strings),
            keep: Link(text: keep.description, href: own),
            isDangerous: step == .payment || step == .settlement,
            warning: Self.warning(step, details, answer, person, text),
            from: from
        )
    }

    /// Without the customer's consent the store that asked is told nothing.
    private static func consent(_ details: RefundDetails, _ strings: Strings) -> [Fact] {
        guard let answering = details.answering else { return [] }
        return [
            Fact(
                name: strings.refundsAnsweringConsent.description,
                value: ConsentText.state(answering.consent, strings).description
            )
        ]
    }

    /// The store's last words about a payment that people see to.
    private static func words(_ step: RefundAction, _ details: RefundDetails, _ strings: Strings) -> [Fact] {
        guard step == .sending || step == .settlement, let words = details.payout?.words else { return [] }
        let store = StoreText.name(of: details.order.order.store, strings).description
        return [Fact(name: strings.refundsPayoutWords(store: store), value: words)]
    }

    private static func subtitle(_ details: RefundDetails, _ text: RefundText) -> String {
        let (request, strings) = (details.request, text.strings)
        let asked = strings.refundsRequestedBy(
            ago: text.ago(request.requested.at),
            person: text.person(request.requested, details.people)
        )
        let line = strings.refundsSubtitle(
            kind: text.name(of: request.refund.kind).description,
            number: request.number,
            requested: asked
        )
        guard let consumption = request.consumptionRequest, consumption.dueAt > text.now else { return line }
        let store = StoreText.name(of: details.order.order.store, strings).description
        return line + " · " + strings.refundsStoreWaits(store: store, when: text.moment(consumption.dueAt))
    }

    /// Returns the preferences that an approval can tell a store that decides for itself, each with what it comes to.
    private static func choices(
        _ step: RefundAction,
        _ details: RefundDetails,
        _ answer: RefundPreference,
        from: String?,
        _ text: RefundText
    ) -> Choices {
        let strings = text.strings
        let store = StoreText.name(of: details.order.order.store, strings).description
        let payback = StorePayback(details.refundable, at: text.now)
        func label(_ preference: RefundPreference) -> String {
            switch preference {
            case .grantFull: strings.refundsAnswerFull.description
            case .grantProrated: strings.refundsAnswerProrated.description
            case .decline: text.name(of: .decline).description
            }
        }
        return Choices(
            title: strings.refundsAnswerLabel(store: store),
            hint: strings.refundsAnswerHint(store: store),
            tabs: RefundPreference.grants.map { preference in
                let path = step.path(of: details.request.number) + "?answer=\(preference.rawValue)"
                return FilterTab(
                    label: text.name(of: preference).description,
                    href: path + (from.map { "&from=" + DashboardPath.encoded($0) } ?? ""),
                    isCurrent: preference == answer
                )
            },
            details: RefundPreference.grants.map { preference in
                "\(label(preference)): \(text.payback(payback, for: preference, at: store))"
            }
        )
    }

    private static func warning(
        _ step: RefundAction,
        _ details: RefundDetails,
        _ answer: RefundPreference,
        _ person: RefundPerson,
        _ text: RefundText
    ) -> String? {
        guard step == .approval else { return nil }
        let (request, strings) = (details.request, text.strings)
        let word =
            request.requested.staff == person.staff ? strings.refundsWarningOwnAllowed : strings.refundsWarningOther
        guard let told = toldInstead(details, answer, text) else { return word.description }
        return "\(told) \(word)"
    }

    /// Returns the warning about a store that takes no amounts and is told something else in place of a part of the charge; nil
    /// where it is told the amount asked for.
    private static func toldInstead(
        _ details: RefundDetails,
        _ answer: RefundPreference,
        _ text: RefundText
    ) -> String? {
        let (request, order, strings) = (details.request, details.order.order, text.strings)
        guard request.isDecided(by: order.store), request.refund.kind == .partial, answer == .grantProrated else {
            return nil
        }
        let store = StoreText.name(of: order.store, strings).description
        let asked = text.amount(request.refund.shown)
        return StorePayback(details.refundable, at: text.now).prorated.map { share in
            strings.refundsWarningStoreShare(amount: asked, share: text.amount(share.amount), store: store)
        } ?? strings.refundsWarningStoreUnknown(amount: asked, store: store)
    }

    private static func fields(
        _ step: RefundAction,
        _ details: RefundDetails,
        _ answer: RefundPreference,
        _ typed: TypedFields,
        _ problems: [String: String],
        _ text: RefundText
    ) -> [FormField] {
        let (order, strings) = (details.order.order, text.strings)
        let store = StoreText.name(of: order.store, strings).description
        var fields: [FormField] = []
        if step == .approval, details.isPaidByStore, order.store.rules.revokesOnRequest {
            fields.append(
                FormField(
                    "access",
                    strings.refundsRevokeLabel(store: store),
                    value: typed["access"] ?? "end",
                    .radios([
                        FormField.Option(value: "end", label: strings.refundsRevokeYes.description),
                        FormField.Option(value: "keep", label: strings.refundsRevokeNo.description),
                    ]),
                    problem: problems["access"]
                )
            )
        }
        if step == .settlement { fields += RefundSettlementFields.fields(store, typed, problems, strings) }
        if step == .payment {
            fields.append(
                FormField(
                    "payer",
                    strings.refundsPayerLabel.description,
                    value: typed["payer"] ?? RefundPayer.store.rawValue,
                    .radios([
                        FormField.Option(
                            value: RefundPayer.store.rawValue,
                            label: strings.refundsPayerStore(store: store)
                        ),
                        FormField.Option(
                            value: RefundPayer.elsewhere.rawValue,
                            label: strings.refundsPayerElsewhere.description
                        ),
                    ]),
                    problem: problems["payer"]
                )
            )
            fields.append(
                FormField(
                    "reference",
                    strings.refundsReferenceLabel.description,
                    value: typed["reference"],
                    hint: strings.refundsReferenceHint.description,
                    problem: problems["reference"]
                )
            )
        }
        fields += FormField.reason(category: typed["category"], text: typed["reason"], problems: problems, strings)
        let weight = details.weight(telling: answer)
        if step == .approval, details.policy.asksToType(for: weight.amount, after: weight.before) {
            fields.append(
                FormField(
                    "confirmation",
                    strings.refundsConfirmLabel(text: RefundPolicy.confirmation(of: order.number)),
                    value: typed["confirmation"],
                    hint: confirmationHint(details, answer, text, strings),
                    problem: problems["confirmation"]
                )
            )
        }
        return fields
    }

    /// Returns the reason why the confirmation is typed, after what a store that decides for itself would pay back.
    private static func confirmationHint(
        _ details: RefundDetails,
        _ answer: RefundPreference,
        _ text: RefundText,
        _ strings: Strings
    ) -> String {
        let why = confirmationReason(details, answer, text, strings)
        guard case .about(let amount) = text.payback(of: details, for: answer) else { return why }
        let store = StoreText.name(of: details.order.order.store, strings).description
        return "\(strings.refundsPaybackFull(amount: amount, store: store)) \(why)"
    }

    private static func confirmationReason(
        _ details: RefundDetails,
        _ answer: RefundPreference,
        _ text: RefundText,
        _ strings: Strings
    ) -> String {
        let (limit, asked) = (details.policy.typedConfirmationFrom, details.request.refund.requested)
        guard let worth = details.weight(telling: answer).amount else {
            return strings.refundsConfirmHintNoRate(currency: asked.currency.code, reporting: limit.currency.code)
        }
        guard asked.currency != limit.currency else { return strings.refundsConfirmHint(amount: text.amount(limit)) }
        return strings.refundsConfirmHintConverted(amount: text.amount(limit), worth: text.amount(worth))
    }
}

extension RefundAction {
    /// The preference that this decides on, of an approval the given one; nil for what tells a store nothing.
    fileprivate func decision(_ answer: RefundPreference) -> RefundPreference? {
        switch self {
        case .approval: answer
        case .rejection: .decline
        case .payment, .cancellation, .sending, .settlement: nil
        }
    }
}

extension RefundDetails {
    /// The preference that an approval tells a store that decides for itself, unless somebody chooses otherwise: the answer of
    /// the app's rules to a case that the store opened, else the one that goes with the kind.
    var proposedGrant: RefundPreference {
        if request.isOpenedByStore, let proposed = answering?.match?.rule.answer,
            RefundPreference.grants.contains(proposed)
        {
            return proposed
        }
        return .proposed(for: request.refund.kind)
    }
}
