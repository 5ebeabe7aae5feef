import Billing
package import Foundation
import HTML
package import HTTP
package import Operations
package import Storage
package import Words

/// An order at a store for whoever is to pay it: `/pay/{order}`. Whoever knows its number sees it, so it says nothing of the customer.
package struct PayPage: Sendable {
    package let strings: Strings
    let assets: AssetPaths
    /// The name of the app; nil where there is no such order.
    let app: String?
    let heading: String
    let explanation: String
    /// `open` and the like, for the page's script; nil where nothing will change any more.
    let state: String?
    let facts: [Fact]
    let code: TrustedHTML?
    /// The button that goes on to the store.
    let link: String?
    let form: Form?
    let goOn: String
    let timer: Timer?
    /// The page that the customer came from, where it is the app's.
    let back: String?

    struct Fact: Sendable {
        var name: String
        var value: String
    }

    /// A form that the store takes.
    struct Form: Sendable {
        var target: String
        /// In their order; the names are the store's.
        var fields: [Fact]
    }

    /// The time in which it can be paid.
    struct Timer: Sendable {
        /// Whole seconds, the last one begun included: when they are over, so is the time.
        var left: Int
        /// "14:33"
        var text: String
        /// "21 Nov 2026 10:45 UTC+8"
        var end: String
        var date: DateText
    }

    /// No such order.
    package init(strings: Strings, assets: AssetPaths) {
        (self.strings, self.assets) = (strings, assets)
        (app, state, facts, code, link, form, timer, back) = (nil, nil, [], nil, nil, nil, nil, nil)
        (heading, explanation) = ("\(strings.payMissing)", "\(strings.payMissingWhy)")
        goOn = ""
    }

    package init(
        _ opened: OpenedCheckout,
        of app: AppRecord,
        at now: Date,
        strings: Strings,
        assets: AssetPaths
    ) {
        let checkout = opened.checkout
        let store = StoreText.name(of: checkout.store, strings)
        (self.strings, self.assets, self.app) = (strings, assets, app.name)
        (heading, explanation) = Self.words(opened, at: now, store, strings)
        facts = Self.facts(checkout, strings)
        goOn = strings.payGoOn(store: store)
        let isFinal = checkout.state == .paid || checkout.state == .closed
        state = isFinal ? nil : checkout.state.rawValue
        let payment = checkout.state == .open && checkout.expiresAt > now ? opened.payment : nil
        code = payment?.qr.flatMap { QRCode.svg(of: $0, label: strings.payCode(store: store)) }
        link = payment?.redirect
        form = payment.flatMap { Form($0) }
        timer = checkout.state.isOpen ? Timer(checkout.expiresAt, at: now, in: .named(app.timeZone), strings) : nil
        back = checkout.returnURL.flatMap { app.hasPage($0) ? $0 : nil }
    }

    private static func words(
        _ opened: OpenedCheckout,
        at now: Date,
        _ store: String,
        _ strings: Strings
    ) -> (heading: String, explanation: String) {
        let checkout = opened.checkout
        switch checkout.state {
        case .paid: return ("\(strings.payPaid)", "\(strings.payPaidWhy)")
        case .closed: return closed(checkout.closeReason ?? .expired, store, strings)
        case .opening, .open, .closing: break
        }
        guard checkout.state != .closing, checkout.expiresAt > now else {
            return ("\(strings.payClosing)", "\(strings.payClosingWhy)")
        }
        guard checkout.state == .open, let payment = opened.payment else {
            return ("\(strings.payOpening)", strings.payOpeningWhy(store: store))
        }
        if payment.qr != nil { return (strings.payScan(store: store), strings.payScanHow(store: store)) }
        if payment.redirect != nil || payment.url != nil {
            return (strings.payGoOnTitle(store: store), strings.payGoOnHow(store: store))
        }
        return ("\(strings.payInApp)", "\(strings.payInAppHow)")
    }

    private static func closed(
        _ reason: Checkout.CloseReason,
        _ store: String,
        _ strings: Strings
    ) -> (heading: String, explanation: String) {
        switch reason {
        case .expired, .accountDeleted: ("\(strings.payExpired)", "\(strings.payExpiredWhy)")
        case .replaced: ("\(strings.payReplaced)", "\(strings.payReplacedWhy)")
        case .refused, .closedByStore: ("\(strings.payFailed)", strings.payFailedWhy(store: store))
        }
    }

    private static func facts(_ checkout: Checkout, _ strings: Strings) -> [Fact] {
        var facts = [Fact(name: "\(strings.payProduct)", value: checkout.description)]
        if checkout.credit.minorUnits > 0 {
            let price = MoneyText(checkout.offer.price, strings).withCurrency
            facts.append(Fact(name: "\(strings.payPrice)", value: price))
            let credit = MoneyText(checkout.credit, strings).withCurrency
            facts.append(Fact(name: "\(strings.payCredit)", value: "−\(credit)"))
        }
        let amount = MoneyText(checkout.amount, strings).withCurrency
        facts.append(Fact(name: "\(strings.payAmount)", value: amount))
        facts.append(Fact(name: "\(strings.payNumber)", value: checkout.number))
        return facts
    }
}

extension PayPage.Timer {
    /// nil for a time that is over.
    init?(_ end: Date, at now: Date, in zone: BusinessZone, _ strings: Strings) {
        let seconds = end.timeIntervalSince(now).rounded(.up)
        guard seconds > 0, seconds < 86_400 else { return nil }
        left = Int(bounding: seconds)
        text = "\(left / 60):\(left % 60 < 10 ? "0" : "")\(left % 60)"
        self.end = DateText.full(end, in: zone, strings)
        date = DateText(end, in: zone, strings)
    }
}

extension PayPage.Form {
    /// nil for what is no form.
    init?(_ payment: CheckoutPayment) {
        guard let url = payment.url else { return nil }
        target = url
        fields = (payment.fields ?? []).map { pair in
            PayPage.Fact(name: pair.first ?? "", value: pair.dropFirst().first ?? "")
        }
    }
}

extension AppRecord {
    /// True for an address of one of its web pages: a link to any other would lend our page to strangers.
    fileprivate func hasPage(_ address: String) -> Bool {
        guard let url = URL(string: address), let scheme = url.scheme, let host = url.host() else { return false }
        let origin = "\(scheme)://\(host)\(url.port.map { ":\($0)" } ?? "")".lowercased()
        return url.user() == nil && corsOrigins.contains(origin)
    }
}
