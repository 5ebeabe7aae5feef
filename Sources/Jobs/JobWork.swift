package import Foundation
package import Operations
import ServiceLifecycle
package import Storage
import Synchronization

/// Does whatever is to be done in the background, step by step; another worker goes on where one was lost.
///
/// Each lane, which is a kind of one app's, has places of its own: no job waits until those of another app are done, or the store of
/// another app has answered. There is no limit in total but the number of apps. At the database they take turns (`BackgroundWork`).
package struct JobWork: QueuedWork {
    package let table = QueueTable.jobs
    private let backOffice: BackOffice
    private let handlers: [Job.Kind: JobHandler]
    private let underWay = JobsUnderWay()
    private let places = BackgroundPlaces()

    init(backOffice: BackOffice, handlers: [Job.Kind: JobHandler]) {
        self.backOffice = backOffice
        self.handlers = handlers
    }

    /// As many as have places: all of them begin at once, so that no lease runs out while its job waits.
    package func lease(by worker: UUID) async throws -> [LeasedJob] {
        let jobs = try await backOffice.leaseJobs(
            Dictionary(uniqueKeysWithValues: handlers.keys.map { ($0, $0.places) }),
            besides: underWay.counts,
            by: worker
        )
        underWay.begin(jobs)
        return jobs
    }

    package func lanes(of jobs: [LeasedJob]) -> [[LeasedJob]] { jobs.map { [$0] } }

    package func work(on job: LeasedJob) async throws {
        defer { underWay.end(job) }
        guard let handler = handlers[job.kind] else { throw JobFailure("Nothing here does a \(job.kind.rawValue).") }
        let work = BackgroundWork(for: job.app, job.kind.urgency, at: places)
        while !Task.isShuttingDownGracefully {
            let progress = try await whileRenewing(job.lease) {
                try await BackgroundWork.$current.withValue(work) { try await handler(job) }
            }
            switch progress {
            case .goesOn: continue
            case .notYet(let wait): return try await backOffice.queue(table).putBack([job.lease], after: wait)
            case .finished, .leaseLost: return
            }
        }
        try await backOffice.queue(table).putBack([job.lease])
    }

    package func lease(of job: LeasedJob) -> Lease { job.lease }

    package func policy(for job: LeasedJob) -> RetryPolicy {
        switch job.kind {
        case .report, .signInRevocation: RetryPolicy(first: .seconds(60), cap: .seconds(3_600))
        // An answer's attempts are enough for the twelve hours that it has, and its last one comes in the last minutes.
        case .consumptionAnswer: .store(atMost: .seconds(240))
        case .extensionRequest, .accountToken, .seatGroup, .refundPayout, .acknowledgement:
            .store(atMost: .seconds(600))
        // Somebody waits for what they have paid.
        case .checkout: .store(atMost: .seconds(60))
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

/// The number of jobs of each lane that this worker has under way.
private final class JobsUnderWay: Sendable {
    private let state = Mutex<[JobLane: Int]>([:])

    var counts: [JobLane: Int] { state.withLock(\.self) }

    func begin(_ jobs: [LeasedJob]) {
        state.withLock { counts in
            for job in jobs { counts[job.lane, default: 0] += 1 }  // safe: counts of tasks
        }
    }

    func end(_ job: LeasedJob) {
        state.withLock { counts in
            guard let count = counts[job.lane] else { return }
            counts[job.lane] = count > 1 ? count - 1 : nil  // safe: above one
        }
    }
}

extension Job.Kind {
    /// The number of jobs of the kind that one worker runs at once for one app: more where a store is slow to answer.
    fileprivate var places: Int {
        switch self {
        case .consumptionAnswer, .purchaseVerification, .checkout, .refundPayout, .acknowledgement: 8
        case .reconciliation: 1
        // One for each store that makes bills: none waits for another.
        case .dailyBill: 8
        default: 2
        }
    }

    /// The jobs that come first at the database.
    fileprivate var urgency: BackgroundWork.Urgency {
        switch self {
        case .consumptionAnswer, .acknowledgement: .deadline
        case .purchaseVerification, .signInRevocation, .seatGroup, .checkout, .refundPayout: .customer
        default: .housekeeping
        }
    }
}

package typealias JobWorker = QueueWorker<JobWork>

extension JobWorker {
    /// - Parameters:
    ///   - handlers: the handler of each kind of job; nil for the product's own.
    ///   - idleWait: the interval at which it looks for rows that became due by themselves; it hears of new ones.
    package convenience init(
        backOffice: BackOffice,
        handlers: [Job.Kind: JobHandler]? = nil,
        idleWait: Duration = .milliseconds(500)
    ) {
        let work = JobWork(backOffice: backOffice, handlers: handlers ?? backOffice.jobHandlers)
        // The work itself says how many jobs are under way at once.
        self.init(work, backOffice: backOffice, concurrency: .max, idleWait: idleWait)
    }
}
