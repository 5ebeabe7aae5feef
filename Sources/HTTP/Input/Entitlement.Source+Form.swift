import Billing

extension Entitlement.Source {
    /// As a form names it: `grant:…`, `subscription:…`.
    package init?(form text: String) {
        let parts = text.split(separator: ":", maxSplits: 1)
        guard parts.count == 2 else { return nil }
        switch parts[0] {
        case "grant":
            guard let id = Grant.ID(parts[1]) else { return nil }
            self = .grant(id)
        case "subscription":
            guard let id = Subscription.ID(parts[1]) else { return nil }
            self = .subscription(id)
        case _: return nil
        }
    }

    package var formValue: String {
        switch self {
        case .grant(let id): "grant:\(id)"
        case .subscription(let id): "subscription:\(id)"
        }
    }
}
