package import Billing
package import Storage

/// Who acts: what they may do, and what the audit log says of them.
package struct Caller: Sendable {
    package var kind: Kind
    /// In words, as the audit log shows it: an e-mail address, a token's name, a store, a program.
    package var actor: String
    /// Of a person, or of the owner of a token.
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

    /// What acts; only a person and a token have a role to be asked about.
    package enum Kind: Hashable, Sendable {
        /// A person who is signed in, or holds a link that was made for them.
        case staff(Staff.ID)
        /// A program with a token of that person's.
        case token(owner: Staff.ID)
        /// Somebody at the door, who says to be that person, if there is one of that name.
        case stranger(claiming: Staff.ID?)
        /// An app's own server, with a secret key.
        case appServer(AppKey.ID)
        /// An app's customer, about what is theirs.
        case customer(Customer.ID)
        /// A store, by what it sent.
        case store(Store)
        /// What was due, for the person who had asked for it, if one had.
        case clock(for: Staff.ID?)
        /// The operator at the server's own command line.
        case commandLine
    }

    /// Whom the audit log names, where it is a person's doing.
    package var staff: Staff.ID? {
        switch kind {
        case .staff(let staff), .token(owner: let staff): staff
        case .stranger(claiming: let staff), .clock(for: let staff): staff
        case .appServer, .customer, .store, .commandLine: nil
        }
    }

    /// The operator may do everything; without a role nobody else may do anything.
    func may(_ permission: Permission) -> Bool {
        switch kind {
        case .staff, .token: role?.may(permission) ?? false
        case .commandLine: true
        case .stranger, .appServer, .customer, .store, .clock: false
        }
    }

    /// The operator at the server's own command line, who may read everything.
    package static let commandLine = Caller(.commandLine, actor: "command line")

    /// A store, by what it sent.
    package static func store(_ store: Store) -> Caller { Caller(.store(store), actor: store.rawValue) }

    /// An entry that says this caller did something.
    ///
    /// - Parameter customer: whom it is about; found out by itself for customers, subscriptions and orders.
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
