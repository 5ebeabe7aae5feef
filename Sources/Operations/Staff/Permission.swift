package import Storage

/// What a person or program may do. Routes, pages, buttons and tests ask this one table (product.md, roles).
package enum Permission: String, Sendable, CaseIterable {
    case viewOrders
    case viewRefunds
    /// Asks for refunds, and takes own requests back.
    case requestRefunds
    /// Approves, rejects and cancels refunds, and says that they are paid.
    case decideRefunds
    /// What the stores sent, and the queues of what is done in the background.
    case viewNotifications
    /// Customers and their subscriptions.
    case viewCustomers
    /// Lists as files.
    case exportLists
    /// Gives lists names, for oneself or for everybody.
    case saveViews
    /// Notes about customers: read and written.
    case writeNotes
    /// Whether customers let their store know how they used what they bought.
    case recordConsent
    /// Customers' sessions: seen and ended.
    case endCustomerSessions
    /// What a store sent, word for word; it may name the customer, so it takes `viewPersonalData` too.
    case viewNotificationPayloads
    /// Has notifications applied again, and dead letters of the queues tried again.
    case replayNotifications
    /// Connects apps to their stores and to their own servers: test notifications and keys.
    case connectStores
    /// What `Personal` holds: names and e-mail addresses of customers, notes about them, reasons and references that
    /// staff typed, what stores sent, before and after in the audit log, network addresses.
    case viewPersonalData
    /// Orders as JSON, for programs.
    case useAdminAPI
    /// What customers hold as JSON, for programs.
    case viewSubscriptions
    /// Has purchases of customers verified, as the app's server does.
    case verifyPurchases
    /// Gives plans and more time to customers, support up to the app's limit; takes own doings back.
    case giveAccess
    /// Revokes, restores, transfers, and changes plans.
    case changeAccess
    /// The same for many customers at once.
    case runBulkJobs
    /// Batches of promo codes, and what came of them.
    case viewPromoCodes
    /// Makes, stops and resumes them, and takes their codes away.
    case managePromoCodes
    /// Revenue and all other metrics of the business.
    case viewMetrics
    /// Who did what.
    case viewAudit
    /// Invite, change and shut accounts; their tokens.
    case manageStaff

    /// Who has a permission, and which scope a token needs for it.
    package struct Terms: Sendable, Hashable {
        package var roles: Set<StaffRole>
        package var scope: TokenScope
        /// It reaches beyond single apps, so it is for those alone who see all of them.
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
