package import Foundation
package import Operations
import ServiceLifecycle
package import Storage

/// Does whatever is to be done in the background, step by step; another worker goes on where one was lost.
package struct JobWork: QueuedWork {
    package let table = QueueTable.jobs
    private let backOffice: BackOffice
    private let handlers: [Job.Kind: JobHandler]

    init(backOffice: BackOffice, handlers: [Job.Kind: JobHandler]) {
        self.backOffice = backOffice
        self.handlers = handlers
    }

    /// One at a time: its lease is not to run out while it waits for its turn.
    package func lease(by worker: UUID) async throws -> [LeasedJob] {
        try await backOffice.leaseJobs(of: Array(handlers.keys), limit: 1, by: worker)
    }

    package func lanes(of jobs: [LeasedJob]) -> [[LeasedJob]] { jobs.map { [$0] } }

    package func work(on job: LeasedJob) async throws {
        guard let handler = handlers[job.kind] else { throw JobFailure("Nothing here does a \(job.kind.rawValue).") }
        while true {
            switch try await whileRenewing(job.lease, { try await handler(job) }) {
            case .goesOn:
                guard Task.isShuttingDownGracefully else { continue }
                return try await backOffice.queue(table).putBack([job.lease])
            case .notYet(let wait): return try await backOffice.queue(table).putBack([job.lease], after: wait)
            case .finished, .leaseLost: return
            }
        }
    }

    package func lease(of job: LeasedJob) -> Lease { job.lease }

    package func policy(for job: LeasedJob) -> RetryPolicy {
        switch job.kind {
        case .report, .signInRevocation: RetryPolicy(first: .seconds(60), cap: .seconds(3_600))
        default: RetryPolicy()
        }
    }

    /// Keeps the lease going while one step takes its time. A step whose lease is lost is cancelled: it could finish nothing.
    private func whileRenewing(
        _ lease: Lease,
        _ step: @escaping @Sendable () async throws -> JobProgress
    ) async throws -> JobProgress {
        try await withThrowingTaskGroup(of: JobProgress?.self) { group in
            group.addTask { try await step() }
            group.addTask {
                repeat { try await Task.sleep(for: BackOffice.jobLease / 3) } while try await isRenewed(lease)
                return nil
            }
            defer { group.cancelAll() }
            return try await group.next().flatMap(\.self) ?? .leaseLost
        }
    }

    /// A database that does not answer now may answer before the lease runs out.
    private func isRenewed(_ lease: Lease) async throws -> Bool {
        do {
            return try await backOffice.queue(table).renew(lease, for: BackOffice.jobLease)
        } catch {
            try Task.checkCancellation()
            return true
        }
    }
}

package typealias JobWorker = QueueWorker<JobWork>

extension JobWorker {
    /// - Parameters:
    ///   - handlers: what does the jobs of each kind; nil for the product's own.
    ///   - concurrency: how many jobs are worked on at once.
    ///   - idleWait: how often it looks whether something became due by itself; it hears of what is new.
    package convenience init(
        backOffice: BackOffice,
        handlers: [Job.Kind: JobHandler]? = nil,
        concurrency: Int = 2,
        idleWait: Duration = .milliseconds(500)
    ) {
        let work = JobWork(backOffice: backOffice, handlers: handlers ?? backOffice.jobHandlers)
        self.init(work, backOffice: backOffice, concurrency: concurrency, idleWait: idleWait)
    }
}
