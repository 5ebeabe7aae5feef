import HTTP
import Operations
import Words

/// The kinds of actions that the list of the audit log can be filtered by, in groups.
struct AuditActionChoice: Sendable {
    var label: String
    var options: [Option]

    struct Option: Sendable {
        var value: String
        var label: String
        var isChosen: Bool
    }

    /// - Parameter chosen: the filter of the list.
    static func groups(chosen: String, _ strings: Strings) -> [AuditActionChoice] {
        let byArea = Dictionary(grouping: AuditAction.allCases) { area(of: $0) }
        return Area.allCases.map { area in
            let actions = byArea[area] ?? []
            let name = area.name(strings).description
            let nouns = Set(actions.map(\.noun))
            // One noun is a filter of its own; a group of several has none.
            let whole = nouns.count == 1 ? nouns.map { Option(value: $0, group: name, chosen, strings) } : []
            return AuditActionChoice(
                label: name,
                options: whole
                    + actions.map {
                        let label = ActionText.name(of: $0, strings).description
                        return Option(value: $0.rawValue, label: label, isChosen: $0.rawValue == chosen)
                    }
            )
        }
    }

    /// Returns the filter in words.
    static func name(of chosen: String, _ strings: Strings) -> String {
        guard !chosen.contains(".") else { return ActionText.title(of: chosen, strings) }
        guard let action = AuditAction.allCases.first(where: { $0.noun == chosen }) else { return chosen }
        return area(of: action).name(strings).description
    }

    private enum Area: CaseIterable {
        case access, refunds, usage, consent, notes, bulk, promoCodes, work, lists, staff, signIn, keys, appKeys, server

        func name(_ strings: Strings) -> StaticString {
            switch self {
            case .access: strings.entriesGroupAccess
            case .refunds: strings.entriesGroupRefunds
            case .usage: strings.entriesGroupUsage
            case .consent: strings.entriesGroupConsent
            case .notes: strings.entriesGroupNotes
            case .bulk: strings.entriesGroupBulk
            case .promoCodes: strings.promoCodesTitle
            case .work: strings.entriesGroupWork
            case .lists: strings.entriesGroupLists
            case .staff: strings.entriesGroupStaff
            case .signIn: strings.entriesGroupSignIn
            case .keys: strings.entriesGroupKeys
            case .appKeys: strings.appKeysTitle
            case .server: strings.entriesGroupServer
            }
        }
    }

    private static func area(of action: AuditAction) -> Area {
        switch action.noun {
        case "access", "subscription", "renewal", "customer_session", "identity", "customer": .access
        case "refund": .refunds
        case "note": .notes
        case "usage": .usage
        case "consent": .consent
        case "bulk": .bulk
        case "promo_code": .promoCodes
        case "order", "notification", "queue", "external_purchase", "bill_difference", "checkout": .work
        case "list", "view", "report": .lists
        case "staff": .staff
        case "session", "two_factor": .signIn
        case "token": .keys
        case "app_key": .appKeys
        case _: .server
        }
    }
}

extension AuditActionChoice.Option {
    fileprivate init(value: String, group: String, _ chosen: String, _ strings: Strings) {
        self.init(value: value, label: strings.entriesGroupAll(group: group), isChosen: value == chosen)
    }
}

extension AuditAction {
    /// The part before the point: `refund` finds every action on refunds.
    fileprivate var noun: String { String(rawValue.prefix { $0 != "." }) }
}
