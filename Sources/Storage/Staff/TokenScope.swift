/// A token's access to one area of the back office: `orders:read`, `refunds:write`.
package struct TokenScope: Hashable, Sendable {
    package var area: Area
    package var access: Access

    package init(_ area: Area, _ access: Access) {
        self.area = area
        self.access = access
    }

    /// The database keeps the raw values.
    package enum Area: String, Sendable, CaseIterable {
        case orders
        case customers
        case subscriptions
        case refunds
        /// Notifications of the stores.
        case notifications
        case staff
        case audit
        /// Metrics and charts.
        case metrics
    }

    package enum Access: String, Sendable, CaseIterable {
        case read
        /// Reading too.
        case write
    }

    package static let all = Area.allCases.flatMap { area in Access.allCases.map { TokenScope(area, $0) } }

    /// True if this scope includes the needed one.
    package func covers(_ needed: TokenScope) -> Bool {
        area == needed.area && (access == needed.access || access == .write)
    }
}

extension TokenScope: LosslessStringConvertible {
    package var description: String { "\(area.rawValue):\(access.rawValue)" }

    package init?(_ description: String) {
        guard let known = Self.all.first(where: { $0.description == description }) else { return nil }
        self = known
    }
}
