import Foundation
import Logging
package import Operations
import ServiceLifecycle
import Storage

/// Takes bulk jobs under a lease and works on them batch by batch; another worker goes on where one was lost.
package final class BulkWorker: Service, Sendable {
    private static let idleWait = Duration.milliseconds(500)

    private let backOffice: BackOffice
    private let id: UUID

    package init(backOffice: BackOffice) {
        self.backOffice = backOffice
        id = backOffice.database.newUUID()
    }

    /// Works until the service is told to stop; the batch under way then is finished.
    package func run() async throws {
        while !Task.isShuttingDownGracefully, !Task.isCancelled {
            do {
                _ = try await drain()
            } catch {
                guard !Task.isCancelled else { return }
                backOffice.logger.error("bulk jobs not looked at", metadata: ["error": "\(error)"])
            }
            try? await cancelWhenGracefulShutdown { try await Task.sleep(for: Self.idleWait) }
        }
    }

    /// Works until no job has work, and says how many batches that were.
    package func drain() async throws -> Int {
        var batches = 0
        while !Task.isShuttingDownGracefully {
            guard let leased = try await backOffice.leaseBulk(by: id) else { break }
            batches += await work(on: leased)
        }
        return batches
    }

    private func work(on leased: LeasedBulkJob) async -> Int {
        var batches = 0
        do {
            while try await backOffice.workOnBulk(leased) == .goesOn {
                batches += 1
                guard Task.isShuttingDownGracefully else { continue }
                try await backOffice.giveBack(leased)
                break
            }
        } catch {
            backOffice.logger.error("bulk job not worked on", metadata: ["job": "\(leased.id)", "error": "\(error)"])
            await recordFailure(of: leased)
        }
        return batches
    }

    /// The lease runs out and the job is taken again, whether or not this could be written down.
    private func recordFailure(of leased: LeasedBulkJob) async {
        do {
            try await backOffice.recordFailure(of: leased, because: "Internal error; it is tried again.")
        } catch {
            backOffice.logger.warning("failure not recorded", metadata: ["job": "\(leased.id)", "error": "\(error)"])
        }
    }
}
