package import Storage

/// What a person may do. Routes, pages and operations ask this one table (product.md, roles).
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
}

extension StaffRole {
    package func may(_ permission: Permission) -> Bool {
        switch permission {
        case .viewOrders, .viewNotifications: true
        case .viewNotificationPayloads, .viewPersonalData, .requestRefunds: self != .analyst
        case .decideRefunds: self == .admin
        case .useAdminAPI: true
        }
    }
}
