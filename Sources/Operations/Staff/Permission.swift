package import Storage

/// A permission of a person or program. Routes, pages, buttons and tests consult this one table (product.md, roles).
package enum Permission: String, Sendable, CaseIterable {
    case viewOrders
    case viewRefunds
    /// Requests refunds, and cancels own requests.
    case requestRefunds
    /// Approves, rejects and cancels refunds, and marks them as paid.
    case decideRefunds
    /// The stores' messages, and the queues of background jobs.
    case viewNotifications
    /// Customers and their subscriptions.
    case viewCustomers
    /// Exports lists as files.
    case exportLists
    /// Saves views of lists, for oneself or for everybody.
    case saveViews
    /// Notes about customers: read and written.
    case writeNotes
    /// Customers' consent to tell their store how they used their purchases.
    case recordConsent
    /// Customers' sessions: seen and ended.
    case endCustomerSessions
    /// The stores' messages word for word; they may name the customer, so `viewPersonalData` is needed, too.
    case viewNotificationPayloads
    /// Replays notifications, and retries the queues' dead letters.
    case replayNotifications
    /// Connects apps to their stores and to their own servers: test notifications and keys.
    case connectStores
    /// The content of `Personal`: names and e-mail addresses of customers, notes about them, reasons and references that staff typed,
    /// stores' messages, before and after in the audit log, network addresses.
    case viewPersonalData
    /// Orders as JSON, for programs.
    case useAdminAPI
    /// Customers' entitlement sources as JSON, for programs.
    case viewSubscriptions
    /// Has purchases of customers verified, as the app's server does.
    case verifyPurchases
    /// Grants plans and more time to customers, support up to the app's limit; undoes own actions.
    case giveAccess
    /// Revokes, restores, transfers, and changes plans.
    case changeAccess
    /// Changes the access of many customers at once.
    case runBulkJobs
    /// Batches of promo codes, and their redemptions.
    case viewPromoCodes
    /// Creates, stops and resumes them, and exports their codes.
    case managePromoCodes
    /// Revenue and all other metrics of the business.
    case viewMetrics
    /// The audit log.
    case viewAudit
    /// Invites, changes and deactivates accounts; their tokens.
    case manageStaff

    /// The roles that have a permission, and the scope that a token needs for it.
    package struct Terms: Sendable, Hashable {
        package var roles: Set<StaffRole>
        package var scope: TokenScope
        /// It reaches beyond single apps, so it is only for those who see all of them.
        package var needsAllApps: Bool

        init(
            _ roles: Set<StaffRole>,
            _ area: TokenScope.Area,
            _ access: TokenScope.Access,
            needsAllApps: Bool = false
        ) {
            self.roles = roles
            scope = TokenScope(area, access)
            self.needsAllApps = needsAllApps
        }
    }

    /// The table: one line for each permission.
    package var terms: Terms {
        switch self {
        case .viewOrders: Terms([.support, .admin, .analyst], .orders, .read)
        case .viewRefunds: Terms([.support, .admin, .analyst], .refunds, .read)
        case .requestRefunds: Terms([.support, .admin], .refunds, .write)
        case .decideRefunds: Terms([.admin], .refunds, .write)
        case .viewNotifications: Terms([.support, .admin, .analyst], .notifications, .read)
        case .viewNotificationPayloads: Terms([.support, .admin], .notifications, .read)
        case .replayNotifications: Terms([.admin], .notifications, .write)
        case .connectStores: Terms([.admin], .notifications, .write)
        case .viewCustomers: Terms([.support, .admin, .analyst], .customers, .read)
        case .exportLists: Terms([.support, .admin, .analyst], .customers, .read)
        case .saveViews: Terms([.support, .admin, .analyst], .customers, .read)
        case .writeNotes: Terms([.support, .admin], .customers, .write)
        case .recordConsent: Terms([.support, .admin], .customers, .write)
        case .endCustomerSessions: Terms([.support, .admin], .customers, .write)
        case .viewPersonalData: Terms([.support, .admin], .customers, .read)
        case .useAdminAPI: Terms([.support, .admin, .analyst], .orders, .read)
        case .viewSubscriptions: Terms([.support, .admin, .analyst], .subscriptions, .read)
        case .verifyPurchases: Terms([.support, .admin], .subscriptions, .write)
        case .giveAccess: Terms([.support, .admin], .subscriptions, .write)
        case .changeAccess: Terms([.admin], .subscriptions, .write)
        case .runBulkJobs: Terms([.admin], .subscriptions, .write)
        case .viewPromoCodes: Terms([.support, .admin, .analyst], .subscriptions, .read)
        case .managePromoCodes: Terms([.admin], .subscriptions, .write)
        case .viewMetrics: Terms([.admin, .analyst], .metrics, .read)
        case .viewAudit: Terms([.support, .admin], .audit, .read)
        case .manageStaff: Terms([.admin], .staff, .write, needsAllApps: true)
        }
    }
}

extension StaffRole {
    package func may(_ permission: Permission) -> Bool {
        permission.terms.roles.contains(self)
    }
}

extension StaffSession {
    package func may(_ permission: Permission) -> Bool {
        role.may(permission) && (seesAllApps || !permission.terms.needsAllApps)
    }
}
