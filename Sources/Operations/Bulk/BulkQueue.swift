package import Foundation
package import Storage

/// What a worker does with the queue of bulk jobs, around `workOnBulk`.
extension BackOffice {
    /// Leases the oldest job that has work, for `bulkLease` from now by the database's clock; nil when there is none.
    package func leaseBulk(by worker: UUID) async throws -> LeasedBulkJob? {
        try await database.leaseBulkJob(by: worker, for: Self.bulkLease)
    }

    /// Lets another worker go on at once.
    package func giveBack(_ leased: LeasedBulkJob) async throws {
        try await database.giveBack(leased)
    }

    /// Says why a job could not go on; it is tried again when the lease would have ended.
    package func recordFailure(of leased: LeasedBulkJob, because error: String) async throws {
        try await database.recordFailure(of: leased, because: error)
    }
}
