package import Storage

extension BackOffice {
    /// Tells who the customers behind account tokens are. Tokens not seen yet make customers.
    ///
    /// - Throws: `OperationsError` with `.notFound` for an app that does not exist.
    package func identifyCustomers(_ introductions: [CustomerIntroduction], toApp slug: String) async throws {
        try await database.write { transaction in
            guard try await transaction.customers.introduce(introductions, toApp: slug) else {
                throw OperationsError(.notFound, "There is no app \(slug).", field: "app")
            }
        }
    }
}
