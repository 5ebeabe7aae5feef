import Billing
import Foundation
import Storage

// The changes of an action in the audit log: writing and reading them.

extension [FieldChange] {
    /// The side of each change as the audit log keeps it; what there was not is null.
    func json(_ side: KeyPath<FieldChange, FieldChange.Value>) -> String {
        AuditJSON(map { ($0.field.name, $0[keyPath: side].text) }, keepsAbsent: true).text
    }
}

extension FieldChange.Field {
    package var name: String {
        switch self {
        case .plan: "plan"
        case .until: "until"
        case .source: "source"
        case .next: "next"
        case .grant(let id): "grant \(id)"
        case .subscription(let id): "subscription \(id)"
        case .holder(let id): "holder of \(id)"
        case .receiverPlan: "plan of the receiver"
        }
    }

    /// Nil for a name that `name` does not give.
    package init?(name: String) {
        func id<Kind>(after words: String, of _: Kind.Type) -> Identifier<Kind>? {
            name.hasPrefix(words) ? UUID(uuidString: String(name.dropFirst(words.count))).map { Identifier($0) } : nil
        }
        switch name {
        case "plan": self = .plan
        case "until": self = .until
        case "source": self = .source
        case "next": self = .next
        case "plan of the receiver": self = .receiverPlan
        case _:
            if let id = id(after: "grant ", of: Grant.self) {
                self = .grant(id)
            } else if let id = id(after: "subscription ", of: Subscription.self) {
                self = .subscription(id)
            } else if let id = id(after: "holder of ", of: Subscription.self) {
                self = .holder(id)
            } else {
                return nil
            }
        }
    }
}

extension FieldChange.Value {
    /// Nil for nothing.
    package var text: String? {
        switch self {
        case .none: nil
        case .plan(let code): code
        case .moment(let date): Self.time(date)
        case .noEnd: "no end"
        case .store(let store): store.rawValue
        case .given: "grant"
        case .from(let date, let plan): "\(plan ?? "nothing") from \(Self.time(date))"
        case .renewal(let date): "renews at \(Self.time(date))"
        case .span(let plan, let start, let end): "\(plan) \(Self.time(start)) to \(end.map(Self.time) ?? "no end")"
        case .ended(let date): "ended \(Self.time(date))"
        case .counts: "gives access"
        case .suspended: "suspended"
        case .customer(let id): id.description
        }
    }

    /// Nil for what `text` does not give for a field. Dates are whole seconds.
    package init?(text: String, of field: FieldChange.Field) {
        let words = text.split(separator: " ").map(String.init)
        func date(_ index: Int) -> Date? {
            words.indices.contains(index) ? Date(rfc3339: words[index]) : nil
        }
        let value: Self? =
            switch (field, words.first) {
            case (.plan, _), (.receiverPlan, _): .plan(text)
            case (.until, _) where text == "no end": .noEnd
            case (.until, _): date(0).map { .moment($0) }
            case (.source, _) where text == "grant": .given
            case (.source, _): Store(rawValue: text).map { .store($0) }
            case (.next, "renews"): date(2).map { .renewal($0) }
            case (.next, let plan): date(2).map { .from($0, plan: plan == "nothing" ? nil : plan) }
            case (.grant, "ended"): date(1).map { .ended($0) }
            case (.grant, let plan?): date(1).map { .span(plan: plan, $0, date(3)) }
            case (.subscription, _) where text == "gives access": .counts
            case (.subscription, _) where text == "suspended": .suspended
            case (.holder, _): UUID(uuidString: text).map { .customer(Customer.ID($0)) }
            case (.grant, nil), (.subscription, _): nil
            }
        guard let value else { return nil }
        self = value
    }

    private static func time(_ date: Date) -> String {
        date.formatted(.iso8601)
    }
}
