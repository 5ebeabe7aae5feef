package import Billing
package import Storage
import Synchronization

/// Customers' entitlement sources, cached by customer and version.
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

    /// A customer's entitlement sources.
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
        // The sources read may be newer than the requested version; they are then read once more under their own version.
        let new = Known(
            entitlementVersion: session.entitlementVersion,
            catalogVersion: session.catalogVersion,
            sources: sources
        )
        known.withLock { $0.keep(new, for: customer) }
        return sources
    }
}
