/// The action of an audit entry: every action that is ever written into the log has a case here.
///
/// The database keeps the raw values, `noun.verb`; one that was ever written keeps its case.
package enum AuditAction: String, Sendable, CaseIterable {
    case grantAccess = "access.grant"
    case extendAccess = "access.extend"
    case revokeAccess = "access.revoke"
    case restoreAccess = "access.restore"
    case changeTier = "access.change_tier"
    case cancelAccess = "access.cancel"
    case undoAccess = "access.undo"
    case transferSubscription = "subscription.transfer"
    /// An attempt without permission.
    case denyAccess = "access.deny"

    case requestRefund = "refund.request"
    case approveRefund = "refund.approve"
    case rejectRefund = "refund.reject"
    case cancelRefund = "refund.cancel"
    case processRefund = "refund.process"
    /// To its store, once more, under the same number.
    case sendRefund = "refund.send"
    /// To another account than the customer's, which takes nothing.
    case settleRefund = "refund.settle"
    /// A store's message told of a refund that was marked as paid before.
    case confirmRefund = "refund.confirm"
    /// By the store.
    case declineRefund = "refund.decline"
    case changeRefund = "refund.change"
    case expireRefund = "refund.expire"
    /// The store that asked was told what we think, or refused that.
    case answerStore = "refund.answer"

    /// It is void: its purchase has another order.
    case joinOrders = "order.join"

    /// At the store.
    case extendRenewal = "renewal.extend"
    case extendRenewals = "renewal.extend_all"

    /// Of a group, for a member.
    case claimSeat = "seat.claim"
    case endSeat = "seat.end"

    case giveConsent = "consent.give"
    case withdrawConsent = "consent.withdraw"

    /// The customer's sandbox purchases give access from now on.
    case markTester = "customer.mark_tester"
    case unmarkTester = "customer.unmark_tester"

    /// Of a customer, beyond their plan's.
    case raiseUsageLimit = "usage.raise_limit"
    case restoreUsageLimit = "usage.restore_limit"
    case resetUsage = "usage.reset"

    case endCustomerSession = "customer_session.end"

    /// A customer's own doing: another provider for the same customer.
    case linkIdentity = "identity.link"
    /// The provider's account is another customer's.
    case refuseIdentity = "identity.refuse"
    /// By Apple: its sessions have ended, the account stays.
    case endIdentity = "identity.end"
    /// By Apple: the account there is gone, others are left.
    case removeIdentity = "identity.remove"
    /// By Apple: mail to the customer's relay address is forwarded again, or no more.
    case turnOnEmailRelay = "identity.email_on"
    case turnOffEmailRelay = "identity.email_off"
    case deleteCustomer = "customer.delete"

    case addNote = "note.add"
    case withdrawNote = "note.withdraw"

    case requestBulk = "bulk.request"
    /// To a second person.
    case sendBulk = "bulk.send"
    case startBulk = "bulk.start"
    case approveBulk = "bulk.approve"
    case cancelBulk = "bulk.cancel"
    case finishBulk = "bulk.finish"
    case undoBulk = "bulk.undo"
    case finishUndoingBulk = "bulk.undone"
    case exportBulk = "bulk.export"

    case makePromoBatch = "promo_code.make"
    case stopPromoBatch = "promo_code.stop"
    case resumePromoBatch = "promo_code.resume"
    case exportPromoCodes = "promo_code.export"
    /// By the customer.
    case redeemPromoCode = "promo_code.redeem"

    case replayNotification = "notification.replay"
    case retryQueue = "queue.retry"
    case requestReconciliation = "reconciliation.request"
    /// A row in which a store's bill and the books differ.
    case noteBillDifference = "bill_difference.note"
    case closeBillDifference = "bill_difference.close"
    /// A payment that waited for people.
    case closeCheckoutProblem = "checkout.close"
    case requestTestNotification = "store.test"
    case saveStoreKey = "store.key_save"
    case removeStoreKey = "store.key_remove"
    /// Of the app's own login.
    case saveIssuerSecret = "token_issuer.secret_add"
    case removeIssuerSecret = "token_issuer.secret_remove"
    /// At the store: whose a purchase is.
    case setAccountToken = "store.account_token"
    /// By hand, at the store.
    case reportExternalPurchase = "external_purchase.report"

    case exportList = "list.export"
    case chooseColumns = "list.columns"
    case saveView = "view.save"
    case changeView = "view.change"
    case deleteView = "view.delete"
    case addReport = "report.add"
    case removeReport = "report.remove"
    case writeReport = "report.write"

    case addStaff = "staff.add"
    case inviteStaff = "staff.invite"
    /// By setting the password of an invitation.
    case joinStaff = "staff.join"
    case linkStaff = "staff.link"
    case setPassword = "staff.password"
    case changeRole = "staff.role"
    case changeApps = "staff.apps"
    case disableStaff = "staff.disable"
    case enableStaff = "staff.enable"
    case endStaffSessions = "staff.end_sessions"
    case addDemoStaff = "staff.demo"

    /// The password was right, the second factor is still owed.
    case askSession = "session.ask"
    case openSession = "session.open"
    case confirmSession = "session.confirm"
    case closeSession = "session.close"
    case endSession = "session.end"
    case endOtherSessions = "session.end_others"
    case refuseSession = "session.refuse"
    case throttleSession = "session.throttle"

    case beginTwoFactor = "two_factor.begin"
    case turnOnTwoFactor = "two_factor.on"
    case renewRecoveryCodes = "two_factor.codes"
    case turnOffTwoFactor = "two_factor.off"
    /// Of somebody else.
    case removeTwoFactor = "two_factor.remove"

    /// By the operator, for a customer of an app.
    case issueCustomerToken = "customer_token.issue"
    case issueToken = "token.issue"
    case revokeToken = "token.revoke"

    /// Of an app's own server.
    case issueAppKey = "app_key.issue"
    case revokeAppKey = "app_key.revoke"

    /// By the operator: an app's catalogue made equal to a file.
    case applyCatalog = "catalog.apply"
    case importRates = "rates.import"
    /// An app's rollups made again from its ledger.
    case rebuildRollups = "rollups.rebuild"

    case forgetSecret = "secret.forget"
    /// By the operator: the database as a whole.
    case migrateSchema = "schema.migrate"
    case makeBackup = "backup.make"
    case restoreBackup = "backup.restore"
    /// To another major version of PostgreSQL.
    case upgradeCluster = "cluster.upgrade"
    case fillDemo = "demo.fill"
    case prepareDemoRefunds = "demo.refunds"
}
