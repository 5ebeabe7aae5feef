package import Storage

/// What a person or program may do. Routes, pages, buttons and tests ask this one table (product.md, roles).
package enum Permission: String, Sendable, CaseIterable {
    case viewOrders
    /// Asks for refunds, and takes own requests back.
    case requestRefunds
    /// Approves, rejects and cancels refunds, and says that they are paid.
    case decideRefunds
    case viewNotifications
    /// What a store sent, word for word; it may name the customer.
    case viewNotificationPayloads
    /// Names and e-mail addresses of customers.
    case viewPersonalData
    /// Orders as JSON, for programs.
    case useAdminAPI
    /// Who did what.
    case viewAudit
    /// Invite, change and shut accounts; their tokens.
    case manageStaff

    /// Who has a permission, and which scope a token needs for it.
    package struct Terms: Sendable, Hashable {
        package var roles: Set<StaffRole>
        package var scope: TokenScope

        init(_ roles: Set<StaffRole>, _ area: TokenScope.Area, _ access: TokenScope.Access) {
            self.roles = roles
            scope = TokenScope(area, access)
        }
    }

    /// The table: one line for each permission.
    package var terms: Terms {
        switch self {
        case .viewOrders: Terms([.support, .admin, .analyst], .orders, .read)
        case .requestRefunds: Terms([.support, .admin], .refunds, .write)
        case .decideRefunds: Terms([.admin], .refunds, .write)
        case .viewNotifications: Terms([.support, .admin, .analyst], .notifications, .read)
        case .viewNotificationPayloads: Terms([.support, .admin], .notifications, .read)
        case .viewPersonalData: Terms([.support, .admin], .customers, .read)
        case .useAdminAPI: Terms([.support, .admin, .analyst], .orders, .read)
        case .viewAudit: Terms([.support, .admin], .audit, .read)
        case .manageStaff: Terms([.admin], .staff, .write)
        }
    }
}

extension StaffRole {
    package func may(_ permission: Permission) -> Bool {
        permission.terms.roles.contains(self)
    }
}
