import Billing
import Foundation
import HTTP
import Storage
import Words

/// The part of an order's page about its payment at a store at which our server opened it.
struct OrderCheckoutPart: Sendable {
    let title: StaticString
    let status: StatusText
    let number: String
    let facts: [Fact]
    /// The reason that people have to look at it, in English as it is kept.
    let problem: String?
    /// The list of what waits for people; nil where this does not.
    let waitingHref: String?
    let waitingText: StaticString

    struct Fact: Sendable {
        var name: StaticString
        var value: String
        var moment: DateText?
        var isCode = false
    }

    init(_ checkout: OrderDetails.Checkout, _ viewer: Viewer) {
        let (strings, zone) = (viewer.strings, viewer.zone)
        title = strings.checkoutsPart
        status = CheckoutText.status(of: checkout.state, strings)
        number = checkout.number
        func moment(_ name: StaticString, _ date: Date?) -> Fact? {
            date.map { Fact(name: name, value: "", moment: DateText($0, in: zone, strings, showsSeconds: true)) }
        }
        let facts: [Fact?] = [
            Fact(name: strings.checkoutsMethod, value: CheckoutText.name(of: checkout.method, strings).description),
            moment(strings.checkoutsOpened, checkout.openedAt), moment(strings.checkoutsPaidAt, checkout.paidAt),
            // Paid after it could not be paid any more.
            checkout.closeReason.map {
                Fact(name: strings.checkoutsGivenUp, value: CheckoutText.name(of: $0, strings).description)
            },
            checkout.transactionID.map { Fact(name: strings.checkoutsTransaction, value: $0, isCode: true) },
            checkout.payer?.shown(to: viewer).map { Fact(name: strings.checkoutsPayer, value: $0, isCode: true) },
            checkout.bank.map { Fact(name: strings.checkoutsBank, value: $0, isCode: true) },
            checkout.kind.map { Fact(name: strings.checkoutsKind, value: $0, isCode: true) },
        ]
        self.facts = facts.compactMap(\.self)
        problem = checkout.problem
        waitingHref = checkout.problem == nil || checkout.isSeenTo ? nil : DashboardPath.checkouts
        waitingText = strings.checkoutsTitle
    }
}
