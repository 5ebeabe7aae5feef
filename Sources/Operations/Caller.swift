package import Billing
package import Storage

/// The party that acts, with its rights and its description for the audit log.
package struct Caller: Sendable {
    package var kind: Kind
    /// The name in the audit log: an e-mail address, a token's name, a store, a program.
    package var actor: String
    /// The role of a person, or of a token's owner.
    package var role: StaffRole?
    package var address: String?
    package var userAgent: String?
    package var requestID: String?

    package init(
        _ kind: Kind,
        actor: String,
        role: StaffRole? = nil,
        address: String? = nil,
        userAgent: String? = nil,
        requestID: String? = nil
    ) {
        self.kind = kind
        self.actor = actor
        self.role = role
        self.address = address
        self.userAgent = userAgent
        self.requestID = requestID
    }

    /// The kind of caller; only a person and a token have a role.
    package enum Kind: Hashable, Sendable {
        /// A person who is signed in, or holds a link that was made for them.
        case staff(Staff.ID)
        /// A program with a token of this person's.
        case token(owner: Staff.ID)
        /// An unauthenticated visitor who claims to be this person, if such an account exists.
        case stranger(claiming: Staff.ID?)
        /// An app's own server, with a secret key.
        case appServer(AppKey.ID)
        /// An app's customer, about their own data.
        case customer(Customer.ID)
        /// A store, through a message that it sent.
        case store(Store)
        /// A scheduled task, for the person who requested it, if any.
        case clock(for: Staff.ID?)
        /// The operator at the server's own command line.
        case commandLine
    }

    /// The staff member that the audit log names, if a person is responsible.
    package var staff: Staff.ID? {
        switch kind {
        case .staff(let staff), .token(owner: let staff): staff
        case .stranger(claiming: let staff), .clock(for: let staff): staff
        case .appServer, .customer, .store, .commandLine: nil
        }
    }

    /// The operator may do everything, staff and tokens what their role allows, and nobody else anything.
    func may(_ permission: Permission) -> Bool {
        switch kind {
        case .staff, .token: role?.may(permission) ?? false
        case .commandLine: true
        case .stranger, .appServer, .customer, .store, .clock: false
        }
    }

    /// The operator at the server's own command line, who may read everything.
    package static let commandLine = Caller(.commandLine, actor: "command line")

    /// The same by the name that the operating system knows them by.
    package static func commandLine(user: String) -> Caller {
        Caller(.commandLine, actor: user + commandLineMark)
    }

    /// The end of an actor's name at the command line.
    package static let commandLineMark = " (command line)"

    /// A store, through a message that it sent.
    package static func store(_ store: Store) -> Caller { Caller(.store(store), actor: store.rawValue) }

    /// An audit entry of this caller's action.
    ///
    /// - Parameter customer: the customer concerned; determined automatically for customers, subscriptions and orders.
    func entry(
        _ action: AuditAction,
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
            action: action.rawValue,
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
