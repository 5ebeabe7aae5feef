import Billing
import Foundation
import HTTP
import Storage
import Words

/// Nothing was done, because the request or its order has changed since the form was shown (dashboard.md, rule 36).
struct RefundStalePage: Sendable {
    let frame: DashboardFrame
    var strings: Strings { frame.strings }
    let title: String
    let headline: String
    /// The moment that the headline tells of.
    let at: DateText?
    let rows: [ActionPage.Change]
    let link: ActionPage.Link

    /// Another person was faster with a request.
    init(_ step: RefundAction, _ details: RefundDetails, viewer: Viewer, now: Date) {
        let (request, strings) = (details.request, viewer.strings)
        let text = RefundText(viewer, now: now)
        let own = DashboardPath.refund(request.number)
        frame = DashboardFrame(viewer, section: .refunds, path: own, now: now)
        title = strings.refundsStaleTitle(number: request.number)
        let act = request.finished ?? request.decided ?? request.requested
        let status = text.status(of: request).word.description
        headline = strings.refundsStaleBy(
            person: text.person(act, details.people),
            status: status,
            when: text.moment(act.at)
        )
        at = text.stamp(act.at)
        let amount = text.amount(request.refund.shown)
        rows = [
            ActionPage.Change(
                what: strings.refundsStaleRefund.description,
                before: step.submit(amount, nil, strings),
                after: "\(status), \(amount)"
            ),
            ActionPage.Change(
                what: strings.refundsStaleLeft.description,
                before: strings.refundsNothing.description,
                after: text.amount(details.refundable.left)
            ),
        ]
        link = ActionPage.Link(text: strings.refundsStaleOpen(number: request.number), href: own)
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
        let (order, strings) = (details.order, viewer.strings)
        let text = RefundText(viewer, now: now)
        let own = DashboardPath.order(order.number)
        frame = DashboardFrame(viewer, section: .orders, path: own, now: now)
        title = strings.refundsStaleTitle(number: order.number)
        headline = strings.refundsStaleOrderHeadline.description
        rows = [
            ActionPage.Change(
                what: strings.refundsStaleLeft.description,
                before: shownLeft,
                after: text.amount(refunds.refundable.left)
            )
        ]
        link = ActionPage.Link(text: strings.refundsStaleOrder(order: order.number), href: own)
    }
}
