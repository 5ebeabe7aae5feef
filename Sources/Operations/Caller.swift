import Billing
package import Storage

/// Who asks, for the audit log.
package struct Caller: Sendable {
    package var staff: Staff.ID?
    /// In words: an e-mail address, or the program that acts.
    package var actor: String
    package var role: StaffRole?
    package var address: String?
    package var userAgent: String?
    package var requestID: String?

    package init(
        staff: Staff.ID? = nil,
        actor: String,
        role: StaffRole? = nil,
        address: String? = nil,
        userAgent: String? = nil,
        requestID: String? = nil
    ) {
        self.staff = staff
        self.actor = actor
        self.role = role
        self.address = address
        self.userAgent = userAgent
        self.requestID = requestID
    }

    /// The operator at the server's own command line, who may read everything.
    package static let commandLine = Caller(actor: "command line")

    /// An entry that says this caller did something.
    ///
    /// - Parameter customer: whom it is about; found out by itself for customers, subscriptions and orders.
    func entry(
        _ action: String,
        on objectType: String? = nil,
        _ objectID: String? = nil,
        app: App.ID? = nil,
        customer: Customer.ID? = nil,
        before: String? = nil,
        after: String? = nil,
        reason: String? = nil
    ) -> AuditEntry {
        AuditEntry(
            app: app,
            staff: staff,
            actor: actor,
            role: role,
            action: action,
            objectType: objectType,
            objectID: objectID,
            customer: customer,
            before: before,
            after: after,
            reason: reason,
            requestID: requestID,
            address: address
        )
    }
}

extension Caller: PersonalDataReader {
    package var seesPersonalData: Bool { may(.viewPersonalData) }
}
