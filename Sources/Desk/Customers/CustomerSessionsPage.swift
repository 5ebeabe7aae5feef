import Billing
import Foundation
import HTTP
import Operations
import Storage
import Words

extension ActionPage {
    /// Where a customer is signed in, and which of it to end: `/dashboard/customers/{id}/sessions`.
    init(
        sessions: [ListedCustomerSession],
        of details: CustomerDetails,
        key: String,
        typed: TypedFields = [:],
        error: OperationsError? = nil,
        from: String?,
        viewer: Viewer,
        now: Date
    ) {
        let (customer, strings) = (details.customer, viewer.strings)
        let problems = error.map { FormField.problems(in: $0, strings) } ?? [:]
        let back = DashboardPath.customer(customer.id, from: from)
        let action = DashboardPath.customer(customer.id) + "/sessions"
        let all = FormField.Option(
            value: CustomerSessionChoice.all,
            label: strings.customersSessionsAll.description,
            detail: strings.customersSessionsAllWhy.description
        )
        self.init(
            frame: DashboardFrame(viewer, section: .customers, path: action, now: now),
            title: strings.customersSessionsTitle.description,
            subtitle: PersonText(customer, viewer).name,
            back: Link(text: strings.partsCustomer.description, href: back),
            trouble: error?.code == .notFound ? Trouble(headline: strings.customersSessionsGone.description) : nil,
            paragraphs: [
                sessions.isEmpty
                    ? strings.customersSessionsNone.description : strings.customersSessionsWhy.description
            ],
            fields: sessions.isEmpty
                ? []
                : [
                    FormField(
                        "session",
                        strings.customersSessionsLabel.description,
                        value: typed["session"],
                        .radios([all] + sessions.map { CustomerSessionText.option($0, viewer) }),
                        problem: problems["session"]
                    )
                ] + FormField.reason(category: typed["category"], text: typed["reason"], problems: problems, strings),
            hidden: [.newKey(key)],
            method: .post,
            action: action,
            submit: sessions.isEmpty ? nil : strings.customersSessionsSubmit.description,
            keep: Link(text: strings.accessKeep.description, href: back),
            from: from
        )
    }
}

/// The sessions that the form ends.
enum CustomerSessionChoice: Hashable {
    case every
    case one(CustomerSession.ID)

    static let all = "all"

    /// - Throws: `OperationsError` with the field `session`.
    init(_ form: URLEncoded) throws {
        let chosen = try form.single("session") ?? ""
        if chosen == Self.all {
            self = .every
        } else if let id = CustomerSession.ID(chosen) {
            self = .one(id)
        } else {
            throw OperationsError(problems: [FieldProblem("session", chosen.isEmpty ? .missing : .unknownChoice)])
        }
    }

    var session: CustomerSession.ID? {
        switch self {
        case .every: nil
        case .one(let id): id
        }
    }
}

/// A customer's session in words.
enum CustomerSessionText {
    static func option(_ session: ListedCustomerSession, _ viewer: Viewer) -> FormField.Option {
        let (strings, zone) = (viewer.strings, viewer.zone)
        let used =
            session.lastUsedAt.map { strings.customersSessionsUsed(moment: DateText.full($0, in: zone, strings)) }
            ?? strings.customersSessionsUnused.description
        return FormField.Option(
            value: session.id.description,
            label: strings.customersSessionsOne(
                method: method(session.method, strings).description,
                moment: DateText.full(session.createdAt, in: zone, strings)
            ),
            detail: used
        )
    }

    static func method(_ method: CustomerSession.Method, _ strings: Strings) -> StaticString {
        switch method {
        case .apple: strings.customersSessionsApple
        case .wechat: strings.customersSessionsWechat
        case .alipay: strings.customersSessionsAlipay
        case .minted: strings.customersSessionsMinted
        case .issuer: strings.customersSessionsIssuer
        }
    }
}
