import Billing
import Foundation
import Storage

extension ActionPage {
    /// The page that asks what to give back of an order, and why.
    init(
        requestFor details: OrderDetails,
        _ refunds: OrderRefundDetails,
        key: String,
        typed: TypedFields = [:],
        problems: [String: String] = [:],
        viewer: Viewer,
        now: Date
    ) {
        let (order, words) = (details.order, viewer.words)
        let text = RefundText(viewer, now: now)
        let (own, form) = (DashboardPath.order(order.number), DashboardPath.refundRequest(for: order.number))
        let left = refunds.refundable.left
        self.init(
            frame: DashboardFrame(viewer, section: .orders, path: form, now: now),
            title: words.refundsNewTitle(order: order.number),
            subtitle: words.refundsNewSubtitle(
                charged: text.amount(refunds.refundable.amount),
                left: text.amount(left),
                product: order.productName
            ),
            back: Link(text: order.number, href: own),
            changes: [
                Change(
                    what: words.refundsNewCase.description,
                    before: words.refundsNewCaseBefore.description,
                    after: words.refundsNewCaseAfter.description
                ),
                Change(
                    what: words.refundsChangeRefunded.description,
                    before: text.amount(refunds.refundable.refunded),
                    after: words.refundsAccessSame.description
                ),
                Change(
                    what: words.refundsChangeTold.description,
                    before: words.refundsNothing.description,
                    after: words.refundsNewTold.description
                ),
                Change(
                    what: words.refundsChangeUndo.description,
                    before: words.refundsNothing.description,
                    after: words.refundsNewUndo.description
                ),
            ],
            facts: RefundEvidence.facts(refunds.evidence, refunds.refundable, details, text),
            factsTitle: words.refundsEvidence.description,
            fields: Self.fields(refunds.refundable, typed, problems, text),
            hidden: [
                .newKey(key),
                Hidden(name: "shown_at", value: String(Int64(bounding: (now.timeIntervalSince1970 * 1_000).rounded()))),
                Hidden(name: "shown_left", value: left.decimalText),
            ],
            method: .post,
            action: form,
            submit: words.refundsNewSubmit.description,
            keep: Link(text: words.refundsNewKeep.description, href: own)
        )
    }

    private static func fields(
        _ order: RefundableOrder,
        _ typed: TypedFields,
        _ problems: [String: String],
        _ text: RefundText
    ) -> [FormField] {
        let words = text.words
        let kinds: [FormField.Option] = Refund.Kind.allCases.compactMap { kind in
            switch kind {
            case .full:
                FormField.Option(
                    value: kind.rawValue,
                    label: words.refundsNewFull(amount: text.amount(order.left)),
                    detail: words.refundsNewFullDetail.description
                )
            case .partial:
                FormField.Option(
                    value: kind.rawValue,
                    label: words.refundsNewPartial.description,
                    detail: words.refundsNewPartialDetail.description
                )
            case .prorated:
                (try? order.proration(at: text.now)).map { proration in
                    FormField.Option(
                        value: kind.rawValue,
                        label: words.refundsNewProrated(amount: text.amount(proration.amount)),
                        detail: explanation(of: proration, order.amount, text)
                    )
                }
            }
        }
        return [
            FormField(
                "kind",
                words.refundsNewKind.description,
                value: typed["kind"],
                hint: words.refundsNewKindHint(amount: text.amount(order.left)),
                .radios(kinds),
                problem: problems["kind"]
            ),
            FormField(
                "amount",
                words.refundsNewAmount(currency: order.amount.currency.code),
                value: typed["amount"],
                hint: words.refundsNewAmountHint(amount: text.amount(order.left)),
                .number,
                problem: problems["amount"]
            ),
        ] + FormField.reason(category: typed["category"], text: typed["reason"], problems: problems, words) + [
            FormField(
                "note",
                words.refundsNewNote.description,
                value: typed["note"],
                hint: words.refundsNewNoteHint.description,
                .area,
                problem: problems["note"]
            )
        ]
    }

    private static func explanation(of proration: Proration, _ charged: Money, _ text: RefundText) -> String {
        let words = text.words
        let unused = words.refundsDays(count: proration.unusedDays)
        let total = words.refundsDays(count: proration.totalDays)
        return proration.isLimited
            ? words.refundsNewProratedLimited(
                amount: text.amount(proration.amount),
                share: text.amount(proration.share),
                total: total,
                unused: unused
            )
            : words.refundsNewProratedDetail(
                charged: text.amount(charged),
                share: text.amount(proration.share),
                total: total,
                unused: unused
            )
    }
}
