import Billing
import Foundation
import Storage

extension ActionPage {
    /// The page that asks before a step on a refund request is taken.
    ///
    /// - Parameters:
    ///   - typed: what the form said when it was refused.
    ///   - problems: what was wrong with it, by field.
    init(
        _ step: RefundAction,
        _ details: RefundDetails,
        key: String,
        typed: TypedFields = [:],
        problems: [String: String] = [:],
        person: RefundPerson,
        viewer: Viewer,
        now: Date
    ) {
        let (request, order, words) = (details.request, details.order.order, viewer.words)
        let text = RefundText(viewer, now: now)
        let amount = text.amount(request.refund.shown)
        let own = DashboardPath.refund(request.number)
        let keep = request.refund.status == .approved ? words.refundsKeepWaiting : words.refundsKeepOpen
        self.init(
            frame: DashboardFrame(viewer, section: .refunds, path: step.path(of: request.number), now: now),
            title: step.title(amount, order.number, words),
            subtitle: Self.subtitle(details, text),
            back: Link(text: request.number, href: own),
            changes: RefundChanges(step, details, viewer, text).rows,
            facts: RefundEvidence.facts(details.evidence, details.refundable, details.order, text),
            factsTitle: words.refundsEvidence.description,
            fields: Self.fields(step, details, typed, problems, text),
            hidden: [.newKey(key), Hidden(name: "version", value: String(request.version))],
            method: .post,
            action: step.path(of: request.number),
            submit: step.submit(amount, words),
            keep: Link(text: keep.description, href: own),
            isDangerous: step == .payment,
            remark: Self.remark(step, request, person, words)
        )
    }

    private static func subtitle(_ details: RefundDetails, _ text: RefundText) -> String {
        let (request, words) = (details.request, text.words)
        let asked = words.refundsRequestedBy(
            ago: text.ago(request.requested.at),
            person: text.person(request.requested, details.people)
        )
        let line = words.refundsSubtitle(
            kind: text.name(of: request.refund.kind).description,
            number: request.number,
            requested: asked
        )
        guard let question = request.question, question.answerBy > text.now else { return line }
        let store = StoreText.name(of: details.order.order.store, words).description
        return line + " · " + words.refundsStoreWaits(store: store, when: text.moment(question.answerBy))
    }

    private static func remark(
        _ step: RefundAction,
        _ request: RefundRequest,
        _ person: RefundPerson,
        _ words: Words
    ) -> String? {
        guard step == .approval else { return nil }
        let word =
            request.requested.staff == person.staff ? words.refundsRemarkOwnAllowed : words.refundsRemarkOther
        return word.description
    }

    private static func fields(
        _ step: RefundAction,
        _ details: RefundDetails,
        _ typed: TypedFields,
        _ problems: [String: String],
        _ text: RefundText
    ) -> [FormField] {
        let (request, order, words) = (details.request, details.order.order, text.words)
        let store = StoreText.name(of: order.store, words).description
        var fields: [FormField] = []
        if step == .approval, order.store.decidesRefunds {
            fields.append(
                FormField(
                    "answer",
                    words.refundsAnswerLabel(store: store),
                    value: typed["answer"] ?? RefundPreference.proposed(for: request.refund.kind).rawValue,
                    hint: words.refundsAnswerHint(store: store),
                    .radios([
                        FormField.Option(
                            value: RefundPreference.grantFull.rawValue,
                            label: words.refundsAnswerFull.description
                        ),
                        FormField.Option(
                            value: RefundPreference.grantProrated.rawValue,
                            label: words.refundsAnswerProrated.description
                        ),
                    ]),
                    problem: problems["answer"]
                )
            )
        }
        if step == .payment {
            fields.append(
                FormField(
                    "payer",
                    words.refundsPayerLabel.description,
                    value: typed["payer"] ?? RefundPayer.store.rawValue,
                    .radios([
                        FormField.Option(
                            value: RefundPayer.store.rawValue,
                            label: words.refundsPayerStore(store: store)
                        ),
                        FormField.Option(
                            value: RefundPayer.elsewhere.rawValue,
                            label: words.refundsPayerElsewhere.description
                        ),
                    ]),
                    problem: problems["payer"]
                )
            )
            fields.append(
                FormField(
                    "reference",
                    words.refundsReferenceLabel.description,
                    value: typed["reference"],
                    hint: words.refundsReferenceHint.description,
                    problem: problems["reference"]
                )
            )
        }
        fields += FormField.reason(category: typed["category"], text: typed["reason"], problems: problems, words)
        if step == .approval, details.policy.asksToType(for: request.refund.requested, after: details.before) {
            let limit = text.amount(details.policy.typedConfirmationFrom)
            fields.append(
                FormField(
                    "confirmation",
                    words.refundsConfirmLabel(text: RefundPolicy.confirmation(of: order.number)),
                    value: typed["confirmation"],
                    hint: words.refundsConfirmHint(amount: limit),
                    problem: problems["confirmation"]
                )
            )
        }
        return fields
    }
}
