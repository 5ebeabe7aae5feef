import Billing
import Foundation
import HTTP
import Operations
import Storage
import Words

extension ActionPage {
    /// Asks whether a customer lets their store know how they used what they bought: `/dashboard/customers/{id}/consent`.
    init(
        consentOf details: CustomerDetails,
        key: String,
        typed: TypedFields = [:],
        problems: [String: String] = [:],
        from: String?,
        viewer: Viewer,
        now: Date
    ) {
        let (customer, strings) = (details.customer, viewer.strings)
        let back = DashboardPath.customer(customer.id, from: from)
        let action = DashboardPath.customer(customer.id) + "/consent"
        self.init(
            frame: DashboardFrame(viewer, section: .customers, path: action, now: now),
            title: strings.customersConsentTitle.description,
            subtitle: PersonText(customer, viewer).name,
            back: Link(text: strings.partsCustomer.description, href: back),
            facts: ConsentText.facts(details.consent, viewer),
            factsTitle: strings.customersConsent.description,
            paragraphs: [strings.customersConsentWhy.description],
            fields: [
                FormField(
                    "consent",
                    strings.customersConsentLabel.description,
                    value: typed["consent"],
                    .radios(
                        ConsentChoice.allCases.map {
                            FormField.Option(value: $0.rawValue, label: $0.name(strings).description)
                        }
                    ),
                    problem: problems["consent"]
                )
            ] + FormField.reason(category: typed["category"], text: typed["reason"], problems: problems, strings),
            hidden: [.newKey(key)],
            method: .post,
            action: action,
            submit: strings.customersConsentSubmit.description,
            keep: Link(text: strings.accessKeep.description, href: back),
            from: from
        )
    }
}

/// The choices of the form.
enum ConsentChoice: String, CaseIterable {
    case given
    case withdrawn

    var isGiven: Bool { self == .given }

    /// - Throws: `OperationsError` with the field `consent`.
    init(_ form: URLEncoded) throws {
        let chosen = try form.single("consent") ?? ""
        guard let choice = ConsentChoice(rawValue: chosen) else {
            throw OperationsError(problems: [FieldProblem("consent", chosen.isEmpty ? .missing : .unknownChoice)])
        }
        self = choice
    }

    func name(_ strings: Strings) -> StaticString {
        switch self {
        case .given: strings.customersConsentGiven
        case .withdrawn: strings.customersConsentWithdrawn
        }
    }
}

/// A consent to consumption data in words.
enum ConsentText {
    static func state(_ consent: ConsumptionConsent?, _ strings: Strings) -> StaticString {
        switch consent?.isGiven {
        case true: strings.customersConsentGiven
        case false: strings.customersConsentWithdrawn
        case nil: strings.customersConsentNever
        }
    }

    static func facts(_ consent: ConsumptionConsent?, _ viewer: Viewer) -> [ActionPage.Fact] {
        let strings = viewer.strings
        var facts = [
            ActionPage.Fact(
                name: strings.customersConsentState.description,
                value: state(consent, strings).description
            )
        ]
        guard let consent else { return facts }
        facts.append(
            ActionPage.Fact(
                name: strings.customersConsentRecorded.description,
                value: DateText.full(consent.at, in: viewer.zone, strings),
                at: DateText(consent.at, in: viewer.zone, strings)
            )
        )
        let source: StaticString
        switch consent.source {
        case .app: source = strings.customersConsentByApp
        case .staff: source = strings.customersConsentByStaff
        }
        facts.append(
            ActionPage.Fact(
                name: strings.customersConsentSource.description,
                value: "\(source) (\(consent.actor))"
            )
        )
        if let reason = consent.reason?.shown(to: viewer) {
            facts.append(ActionPage.Fact(name: strings.refundsFactReason.description, value: reason))
        }
        return facts
    }
}
