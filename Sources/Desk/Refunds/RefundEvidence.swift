import Billing
import HTTP
import Storage
import Words

/// The evidence for and against a refund, as facts on its pages.
enum RefundEvidence {
    static func facts(
        _ evidence: RefundDetails.Evidence,
        _ refundable: RefundableOrder,
        _ details: OrderDetails,
        _ text: RefundText
    ) -> [ActionPage.Fact] {
        let strings = text.strings
        let unpriced =
            evidence.ordersWithoutAmount > 0 ? [strings.analyticsUnpriced(count: evidence.ordersWithoutAmount)] : []
        let amounts = evidence.spent.map(text.amount).joined(separator: ", ")
        let spent = ([amounts].filter { !$0.isEmpty } + unpriced).joined(
            separator: strings.language == .chinese ? "；" : "; "
        )
        return [
            ActionPage.Fact(name: strings.refundsEvidenceUsed.description, value: text.used(of: refundable)),
            ActionPage.Fact(
                name: strings.refundsEvidenceRefunds.description,
                value: strings.refundsEvidenceRefundsCount(count: evidence.refundsBefore)
            ),
            ActionPage.Fact(
                name: strings.refundsEvidenceSpent.description,
                value: spent.isEmpty ? strings.refundsNothing.description : spent
            ),
            ActionPage.Fact(
                name: strings.refundsEvidenceOrders.description,
                value: strings.number(evidence.orders),
                href: OrderFilter(customer: details.customer.id).path
            ),
            said(details.notifications, text),
        ]
    }

    /// The store's last word about a refund.
    private static func said(_ notifications: [OrderDetails.Notification], _ text: RefundText) -> ActionPage.Fact {
        let strings = text.strings
        let last = notifications.first { $0.type.contains("REFUND") || $0.type.contains("CONSUMPTION") }
        guard let last else {
            return ActionPage.Fact(
                name: strings.refundsEvidenceStore.description,
                value: strings.refundsEvidenceStoreNothing.description
            )
        }
        return ActionPage.Fact(
            name: strings.refundsEvidenceStore.description,
            value: strings.refundsEvidenceStoreLast(type: last.type, when: text.moment(last.signedAt)),
            href: DashboardPath.notification(last.id),
            at: DateText(last.signedAt, in: text.zone, strings)
        )
    }
}
