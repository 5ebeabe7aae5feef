package import Billing
package import Storage

extension BackOffice {
    /// The customer whom an app's own server names.
    ///
    /// - Throws: `OperationsError`: `.invalid` for an id that cannot be kept, by the field `externalId`; `.notFound` where the app has
    ///   named nobody so.
    package func customer(named externalID: String, of app: App.ID) async throws -> NamedCustomer {
        try Self.requireKeepable(externalID)
        guard let known = try await find(externalID, of: app) else {
            throw OperationsError(.notFound, "The app has no customer of this id.")
        }
        return known
    }

    /// The same; who is named for the first time is made.
    package func customerOrNew(named externalID: String, of app: App.ID) async throws -> NamedCustomer {
        try Self.requireKeepable(externalID)
        if let known = try await find(externalID, of: app) { return known }
        _ = try await database.write { transaction in
            try await transaction.identify(CustomerIdentity(externalID: externalID, isAnonymous: false), of: app)
        }
        return try await customer(named: externalID, of: app)
    }

    private static func requireKeepable(_ externalID: String) throws(OperationsError) {
        let problems = PurchaseRequest.problems(ofExternalID: externalID, field: "externalId")
        guard problems.isEmpty else { throw OperationsError(problems: problems) }
    }

    private func find(_ externalID: String, of app: App.ID) async throws -> NamedCustomer? {
        try await database.readPrimary { try await $0.customer(named: externalID, of: app) }
    }
}
