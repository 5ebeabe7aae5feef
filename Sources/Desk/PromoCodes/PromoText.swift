import Billing
import Foundation
import HTTP
import Storage
import Words

/// Promo codes in words.
enum PromoText {
    static func status(of state: PromoTerms.State, _ strings: Strings) -> StatusText {
        let word = name(of: state, strings)
        let shape: StaticString =
            switch state {
            case .scheduled: "pending"
            case .running: "active"
            case .expired: "expired"
            case .stopped: "revoked"
            }
        return StatusText(word, word, shape)
    }

    static func name(of state: PromoTerms.State, _ strings: Strings) -> StaticString {
        switch state {
        case .scheduled: strings.promoCodesScheduled
        case .running: strings.promoCodesRunning
        case .expired: strings.promoCodesExpired
        case .stopped: strings.promoCodesStopped
        }
    }

    /// "PRO for 30 days"
    static func gives(_ terms: PromoTerms, _ strings: Strings) -> String {
        strings.promoCodesGives(plan: terms.plan.code, span: strings.partsDays(count: terms.days))
    }

    /// "1,204", or "10,000+".
    static func count(_ redemptions: Int?, _ strings: Strings) -> String {
        redemptions.map { strings.number($0) } ?? "\(strings.number(ListedPromoBatch.mostCounted))+"
    }

    /// "12.5%"; a dash where nobody could convert.
    static func rate(_ report: PromoReport, _ strings: Strings) -> String {
        guard let rate = report.conversionRate else { return "–" }
        return strings.percent(Int64(bounding: (rate * 1_000).rounded()), places: 1)
    }

    /// Returns a batch's terms, a line each.
    static func facts(_ terms: PromoTerms, codes: Int, channel: String, _ viewer: Viewer) -> [ActionPage.Fact] {
        let strings = viewer.strings
        func moment(_ name: StaticString, _ date: Date?, _ none: StaticString) -> ActionPage.Fact {
            ActionPage.Fact(
                name: name.description,
                value: date.map { DateText.full($0, in: viewer.zone, strings) } ?? none.description,
                at: date.map { DateText($0, in: viewer.zone, strings) }
            )
        }
        return [
            ActionPage.Fact(name: strings.promoCodesChannel.description, value: channel),
            ActionPage.Fact(name: strings.promoCodesEach.description, value: gives(terms, strings)),
            ActionPage.Fact(name: strings.promoCodesCodes.description, value: strings.number(codes)),
            ActionPage.Fact(name: strings.promoCodesUsesPerCode.description, value: strings.number(terms.usesPerCode)),
            ActionPage.Fact(
                name: strings.promoCodesUsesPerCustomer.description,
                value: strings.number(terms.usesPerCustomer)
            ),
            moment(strings.promoCodesStarts, terms.startsAt, strings.promoCodesAtOnce),
            moment(strings.promoCodesExpires, terms.expiresAt, strings.partsNoEnd),
        ]
    }
}
