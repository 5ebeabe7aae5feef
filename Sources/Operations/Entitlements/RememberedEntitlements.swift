package import Billing
package import Storage
import Synchronization

/// What customers hold, kept in memory by customer and version.
///
/// The session carries the current version, and the database raises it with every change, so a change that another server made is
/// seen at the next call. Callers evaluate expiry themselves.
package final class RememberedEntitlements: Sendable {
    private struct Known {
        var entitlementVersion: Int64
        var catalogVersion: Int64
        var sources: EntitlementSources
    }

    private let reads: GroupedCalls<Customer.ID, EntitlementSources>
    private let known: Mutex<GenerationalCache<Customer.ID, Known>>

    /// - Parameter generation: half of how many customers are kept at most; some 500 bytes each.
    init(database: Database, generation: Int = 100_000) {
        reads = GroupedCalls { customers, _ in
            let read = try await database.readPrimary { try await $0.entitlementSources.of(customers) }
            return customers.map { read[$0] ?? EntitlementSources(customer: $0) }
        }
        known = Mutex(GenerationalCache(generation: generation))
    }

    /// What a customer holds.
    ///
    /// - Throws: the database's errors.
    package func sources(of session: some VersionedCustomer) async throws -> EntitlementSources {
        let customer = session.customer
        if let known = known.withLock({ $0.value(of: customer) }),
            known.entitlementVersion == session.entitlementVersion, known.catalogVersion == session.catalogVersion
        {
            return known.sources
        }
        let sources = try await reads.answer(to: customer)
        // What was read may be newer than the version that was asked for; then it is read once more, under its own.
        let new = Known(
            entitlementVersion: session.entitlementVersion,
            catalogVersion: session.catalogVersion,
            sources: sources
        )
        known.withLock { $0.keep(new, for: customer) }
        return sources
    }
}
