import Billing
import Foundation
import Storage

/// Nothing was done, because the request or its order has changed since the form was shown (dashboard.md, rule 36).
struct RefundStalePage: Sendable {
    let frame: DashboardFrame
    var words: Words { frame.words }
    let title: String
    let headline: String
    /// The moment that the headline tells of.
    let at: DateText?
    let rows: [ActionPage.Change]
    let link: ActionPage.Link

    /// Somebody else was faster with a request.
    init(_ step: RefundAction, _ details: RefundDetails, viewer: Viewer, now: Date) {
        let (request, words) = (details.request, viewer.words)
        let text = RefundText(viewer, now: now)
        let own = DashboardPath.refund(request.number)
        frame = DashboardFrame(viewer, section: .refunds, path: own, now: now)
        title = words.refundsStaleTitle(number: request.number)
        let act = request.finished ?? request.decided ?? request.requested
        let status = text.status(of: request).word.description
        headline = words.refundsStaleBy(
            person: text.person(act, details.people),
            status: status,
            when: text.moment(act.at)
        )
        at = text.stamp(act.at)
        let amount = text.amount(request.refund.shown)
        rows = [
            ActionPage.Change(
                what: words.refundsStaleRefund.description,
                before: step.submit(amount, words),
                after: "\(status), \(amount)"
            ),
            ActionPage.Change(
                what: words.refundsStaleLeft.description,
                before: words.refundsNothing.description,
                after: text.amount(details.refundable.left)
            ),
        ]
        link = ActionPage.Link(text: words.refundsStaleOpen(number: request.number), href: own)
    }

    /// Less, or more, is left of the order than was shown.
    init(
        _ details: OrderDetails,
        _ refunds: OrderRefundDetails,
        shownLeft: String,
        viewer: Viewer,
        now: Date
    ) {
        at = nil
        let (order, words) = (details.order, viewer.words)
        let text = RefundText(viewer, now: now)
        let own = DashboardPath.order(order.number)
        frame = DashboardFrame(viewer, section: .orders, path: own, now: now)
        title = words.refundsStaleTitle(number: order.number)
        headline = words.refundsStaleOrderHeadline.description
        rows = [
            ActionPage.Change(
                what: words.refundsStaleLeft.description,
                before: shownLeft,
                after: text.amount(refunds.refundable.left)
            )
        ]
        link = ActionPage.Link(text: words.refundsStaleOrder(order: order.number), href: own)
    }
}
