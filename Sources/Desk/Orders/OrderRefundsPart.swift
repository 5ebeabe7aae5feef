import Billing
import Foundation
import HTTP
import Storage
import Words

/// The refund part of an order's page: its requests, and whether one more can be made.
struct OrderRefundsPart: Sendable {
    let heading: StaticString
    let none: StaticString
    let request: StaticString
    let count: String
    let cases: [Case]
    /// nil when nothing can be requested, or not by this person.
    let requestHref: String?
    /// The maximum, or why nothing can be requested.
    let hint: String

    struct Case: Sendable {
        var href: String
        var number: String
        var status: RefundStatusText
        /// "Prorated · 31.20 CNY · 2 h 10 min left to respond to Apple"
        var summary: String
        /// The reason, and who asked.
        var line: String
        var requested: DateText
        var link: StaticString
        var isPrimary: Bool
        /// Of its payment by the store, oldest first.
        var steps: [PayoutStep]

        var hasSteps: Bool { !steps.isEmpty }
    }

    /// - Parameter back: the page that the order's page leads back to.
    init(
        _ refunds: OrderRefundDetails,
        of order: OrderDetails.Order,
        back: String? = nil,
        person: RefundPerson,
        viewer: Viewer,
        now: Date
    ) {
        let text = RefundText(viewer, now: now)
        let strings = viewer.strings
        (heading, none, request) = (strings.refundsCases, strings.refundsNoCases, strings.refundsRequest)
        count = strings.refundsCaseCount(count: refunds.requests.count)
        let own = DashboardPath.order(order.number, from: back)
        cases = refunds.requests.reversed().map { request in
            Case(
                request,
                refunds.people,
                PayoutText(order.store, strings).steps(refunds.payoutSteps[request.id] ?? [], text),
                at: order.store,
                from: own,
                person: person,
                viewer,
                text
            )
        }
        do throws(RefundRefused) {
            try refunds.refundable.requireRefundable()
            requestHref =
                person.requests
                ? DashboardPath.refundRequest(for: order.number) + DashboardPath.suffix(from: back) : nil
            hint =
                person.requests
                ? strings.refundsMaximum(amount: text.amount(refunds.refundable.left))
                : strings.refundsWhoRequests.description
        } catch {
            requestHref = nil
            hint = text.sentence(error, refunds.refundable).description
        }
    }
}

extension OrderRefundsPart.Case {
    fileprivate init(
        _ request: RefundRequest,
        _ people: [Staff.ID: String],
        _ steps: [PayoutStep],
        at store: Store,
        from: String,
        person: RefundPerson,
        _ viewer: Viewer,
        _ text: RefundText
    ) {
        let strings = text.strings
        self.steps = steps
        href = DashboardPath.refund(request.number, from: from)
        number = request.number
        status = text.status(of: request)
        let amount = strings.refundsAmountOf(
            amount: text.amount(request.refund.shown),
            kind: text.name(of: request.refund.kind).description
        )
        summary = [amount, text.deadline(of: request, at: store)].compactMap { $0 }.joined(separator: " · ")
        let who = text.person(request.requested, people)
        requested = DateText(request.requested.at, in: viewer.zone, viewer.strings)
        // A reason that somebody wrote may name the customer.
        line =
            request.reason.shown(to: viewer).map { strings.refundsRequestedLine(person: who, reason: $0) }
            ?? strings.refundsRequestedLineShort(person: who)
        isPrimary = request.refund.status == .pending && person.decides
        link = isPrimary ? strings.refundsReview : strings.refundsOpenCase
    }
}
