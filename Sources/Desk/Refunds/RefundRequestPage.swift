import Billing
import Foundation
import HTTP
import Storage
import Words

extension ActionPage {
    /// The page that asks what to give back of an order, and why.
    init(
        requestFor details: OrderDetails,
        _ refunds: OrderRefundDetails,
        key: String,
        typed: TypedFields = [:],
        problems: [String: String] = [:],
        from: String? = nil,
        viewer: Viewer,
        now: Date
    ) {
        let (order, strings) = (details.order, viewer.strings)
        let text = RefundText(viewer, now: now)
        let (own, form) = (
            DashboardPath.order(order.number, from: from), DashboardPath.refundRequest(for: order.number)
        )
        let left = refunds.refundable.left
        self.init(
            frame: DashboardFrame(viewer, section: .orders, path: form, now: now),
            title: strings.refundsNewTitle(order: order.number),
            subtitle: strings.refundsNewSubtitle(
                charged: text.amount(refunds.refundable.amount),
                left: text.amount(left),
                product: order.productName
            ),
            back: Link(text: order.number, href: own),
            changes: [
                Change(
                    what: strings.refundsNewCase.description,
                    before: strings.refundsNewCaseBefore.description,
                    after: strings.refundsNewCaseAfter.description
                ),
                Change(
                    what: strings.refundsChangeRefunded.description,
                    before: text.amount(refunds.refundable.refunded),
                    after: strings.refundsAccessSame.description
                ),
                Change(
                    what: strings.refundsChangeTold.description,
                    before: strings.refundsNothing.description,
                    after: strings.refundsNewTold.description
                ),
                Change(
                    what: strings.refundsChangeUndo.description,
                    before: strings.refundsNothing.description,
                    after: strings.refundsNewUndo.description
                ),
            ],
            facts: RefundEvidence.facts(refunds.evidence, refunds.refundable, details, text),
            factsTitle: strings.refundsEvidence.description,
            paragraphs: Self.storeDecides(refunds.refundable, at: order.store, text)
                + Self.carried(refunds.refundable, text),
            copies: Self.copies(order, strings),
            fields: Self.fields(refunds.refundable, at: order.store, typed, problems, text),
            hidden: [
                .newKey(key),
                Hidden(name: "shown_at", value: String(Int64(bounding: (now.timeIntervalSince1970 * 1_000).rounded()))),
                Hidden(name: "shown_left", value: left.decimalText),
            ],
            method: .post,
            action: form,
            submit: strings.refundsNewSubmit.description,
            keep: Link(text: strings.refundsNewKeep.description, href: own),
            from: from
        )
    }

    /// That the customer asks a store that decides for itself, and what an approval means there.
    private static func storeDecides(_ order: RefundableOrder, at store: Store, _ text: RefundText) -> [String] {
        guard store.rules.decidesRefunds else { return [] }
        let (strings, name) = (text.strings, StoreText.name(of: store, text.strings).description)
        let payback = StorePayback(order, at: text.now)
        return [
            strings.refundsNewStoreDecides(store: name),
            [
                strings.refundsNewStoreMeans(store: name),
                "GRANT_FULL: " + text.payback(payback, for: .grantFull, at: name),
                "GRANT_PRORATED: " + text.payback(payback, for: .grantProrated, at: name),
            ].joined(separator: " "),
        ]
    }

    /// The effect of a refund in full on the money of earlier orders.
    private static func carried(_ order: RefundableOrder, _ text: RefundText) -> [String] {
        guard order.carriedIn.minorUnits > 0 else { return [] }
        return [text.strings.refundsNewCarried(amount: text.amount(order.carriedIn))]
    }

    private static func copies(_ order: OrderDetails.Order, _ strings: Strings) -> [Copy] {
        guard let address = order.store.rules.refundsPage else { return [] }
        return [
            Copy(
                label: strings.refundsCopyText.description,
                text: strings.refundsTellApple(address: address, product: order.productName)
            ),
            Copy(label: strings.refundsCopyAddress.description, text: address),
        ]
    }

    private static func fields(
        _ order: RefundableOrder,
        at store: Store,
        _ typed: TypedFields,
        _ problems: [String: String],
        _ text: RefundText
    ) -> [FormField] {
        let strings = text.strings
        let kinds: [FormField.Option] = Refund.Kind.allCases.compactMap { kind in
            switch kind {
            case .full:
                FormField.Option(
                    value: kind.rawValue,
                    label: strings.refundsNewFull(amount: text.amount(order.left)),
                    detail: strings.refundsNewFullDetail.description
                )
            case .partial:
                FormField.Option(
                    value: kind.rawValue,
                    label: strings.refundsNewPartial.description,
                    detail: partialDetail(order, at: store, text)
                )
            case .prorated:
                (try? order.proration(at: text.now)).map { proration in
                    FormField.Option(
                        value: kind.rawValue,
                        label: strings.refundsNewProrated(amount: text.amount(proration.amount)),
                        detail: explanation(of: proration, order, text)
                    )
                }
            }
        }
        return [
            FormField(
                "kind",
                strings.refundsNewKind.description,
                value: typed["kind"],
                hint: strings.refundsNewKindHint(amount: text.amount(order.left)),
                .radios(kinds),
                problem: problems["kind"]
            ),
            FormField(
                "amount",
                strings.refundsNewAmount(currency: order.amount.currency.code),
                value: typed["amount"],
                hint: strings.refundsNewAmountHint(amount: text.amount(order.left)),
                .number,
                problem: problems["amount"]
            ),
        ] + FormField.reason(category: typed["category"], text: typed["reason"], problems: problems, strings) + [
            FormField(
                "note",
                strings.refundsNewNote.description,
                value: typed["note"],
                hint: strings.refundsNewNoteHint.description,
                .area,
                problem: problems["note"]
            )
        ]
    }

    /// A store that takes no amounts is told something else.
    private static func partialDetail(_ order: RefundableOrder, at store: Store, _ text: RefundText) -> String {
        let strings = text.strings
        guard store.rules.decidesRefunds else { return strings.refundsNewPartialDetail.description }
        let name = StoreText.name(of: store, strings).description
        return StorePayback(order, at: text.now).prorated.map {
            strings.refundsNewPartialStore(share: text.amount($0.amount), store: name)
        } ?? strings.refundsNewPartialStoreUnknown(store: name)
    }

    private static func explanation(
        of proration: Proration,
        _ order: RefundableOrder,
        _ text: RefundText
    ) -> String {
        let strings = text.strings
        let unused = strings.refundsDays(count: proration.unusedDays)
        let total = strings.refundsDays(count: proration.totalDays)
        if order.carriedIn.minorUnits > 0, !proration.isLimited {
            return strings.refundsNewProratedCovered(
                price: text.amount(order.covered),
                share: text.amount(proration.share),
                total: total,
                unused: unused
            )
        }
        return proration.isLimited
            ? strings.refundsNewProratedLimited(
                amount: text.amount(proration.amount),
                share: text.amount(proration.share),
                total: total,
                unused: unused
            )
            : strings.refundsNewProratedDetail(
                charged: text.amount(order.amount),
                share: text.amount(proration.share),
                total: total,
                unused: unused
            )
    }
}
