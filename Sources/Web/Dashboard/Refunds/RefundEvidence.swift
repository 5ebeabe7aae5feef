import Billing
import Storage

/// What speaks for and against a refund, as facts beside its pages.
enum RefundEvidence {
    static func facts(
        _ evidence: RefundDetails.Evidence,
        _ refundable: RefundableOrder,
        _ details: OrderDetails,
        _ text: RefundText
    ) -> [ActionPage.Fact] {
        let words = text.words
        let spent = evidence.spent.map(text.amount).joined(separator: ", ")
        return [
            ActionPage.Fact(name: words.refundsEvidenceUsed.description, value: text.used(of: refundable)),
            ActionPage.Fact(
                name: words.refundsEvidenceRefunds.description,
                value: words.refundsEvidenceRefundsCount(count: evidence.refundsBefore)
            ),
            ActionPage.Fact(
                name: words.refundsEvidenceSpent.description,
                value: spent.isEmpty ? words.refundsNothing.description : spent
            ),
            ActionPage.Fact(
                name: words.refundsEvidenceOrders.description,
                value: words.number(evidence.orders),
                href: OrderFilter(customer: details.customer.id).path
            ),
            said(details.notifications, text),
        ]
    }

    /// The store's last word about a refund.
    private static func said(_ notifications: [OrderDetails.Notification], _ text: RefundText) -> ActionPage.Fact {
        let words = text.words
        let last = notifications.first { $0.type.contains("REFUND") || $0.type.contains("CONSUMPTION") }
        guard let last else {
            return ActionPage.Fact(
                name: words.refundsEvidenceStore.description,
                value: words.refundsEvidenceStoreNothing.description
            )
        }
        return ActionPage.Fact(
            name: words.refundsEvidenceStore.description,
            value: words.refundsEvidenceStoreLast(type: last.type, when: text.moment(last.signedAt)),
            href: DashboardPath.notification(last.id),
            at: DateText(last.signedAt, in: text.zone, words)
        )
    }
}
