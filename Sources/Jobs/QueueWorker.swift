import Foundation
import Logging
package import Operations
import ServiceLifecycle
import Storage

/// Works off one queue: takes what is due under a lease, one item of a lane at a time, and says when what failed is tried
/// again.
package final class QueueWorker<Work: QueuedWork>: Service, Sendable {
    let backOffice: BackOffice
    private let work: Work
    let concurrency: Int
    private let idleWait: Duration
    let id: UUID
    private let arrivals: AsyncStream<Void>
    private let arrived: AsyncStream<Void>.Continuation
    private let queued = Lanes<Work.Item>()

    /// - Parameters:
    ///   - concurrency: the number of lanes that are worked on at once; each takes a database connection.
    ///   - idleWait: the interval at which it looks for rows that became due by themselves; it hears of new ones.
    package init(
        _ work: Work,
        backOffice: BackOffice,
        concurrency: Int,
        idleWait: Duration = .milliseconds(500)
    ) {
        self.work = work
        self.backOffice = backOffice
        self.concurrency = concurrency
        self.idleWait = idleWait
        (arrivals, arrived) = AsyncStream<Void>.makeStream(bufferingPolicy: .bufferingNewest(1))
        id = backOffice.database.newUUID()
    }

    /// Works until the service is told to stop; what is under way then is finished.
    package func run() async throws {
        await withGracefulShutdownHandler {
            await withDiscardingTaskGroup { group in
                group.addTask { await self.hear() }
                group.addTask { await self.tick() }
                group.addTask { await self.workInLanes() }
            }
        } onGracefulShutdown: { [arrived] in
            arrived.finish()
        }
    }

    /// Works until nothing is due, and says how many items it took.
    package func drain() async throws -> Int {
        var total = 0
        while !Task.isShuttingDownGracefully {
            let items = try await work.lease(by: id)
            guard !items.isEmpty else { break }
            await process(items)
            total += items.count  // safe: a count of rows
        }
        return total
    }

    /// Keeps the lanes going. One that is held up by a customer whom somebody else has locked, or by a server process
    /// that hangs, holds up no other: what comes next is leased by whoever is free.
    private func workInLanes() async {
        await withDiscardingTaskGroup { group in
            for await _ in arrivals {
                for _ in 0..<queued.enter(of: concurrency) {
                    group.addTask {
                        await self.workInLane()
                        self.queued.leave()
                    }
                }
            }
        }
    }

    private func workInLane() async {
        do {
            while let items = try await nextLane() { await process(inOrder: items) }
        } catch {
            guard !Task.isCancelled else { return }
            backOffice.logger.error(
                "queue not readable",
                metadata: ["queue": "\(work.table.name)", "error": "\(error)"]
            )
        }
    }

    /// Returns the next lane: from what is leased, or else from what is due; nil when nothing is.
    private func nextLane() async throws -> [Work.Item]? {
        if let items = queued.next() { return items }
        guard !work.pauses, !Task.isShuttingDownGracefully, queued.beginLease() else { return nil }
        defer { if queued.endLease() { arrived.yield() } }
        let items = try await work.lease(by: id)
        queued.add(work.lanes(of: items))
        // Those who found nothing to do meanwhile have left.
        if !items.isEmpty { arrived.yield() }
        return queued.next()
    }

    /// Wakes for what any server has put into the queue.
    private func hear() async {
        try? await cancelWhenGracefulShutdown {
            while true {
                do {
                    for try await _ in try await self.backOffice.arrivals(in: self.work.table) { self.arrived.yield() }
                } catch {
                    try Task.checkCancellation()
                    self.backOffice.logger.warning("queue not heard", metadata: ["error": "\(error)"])
                }
                try await Task.sleep(for: .seconds(1))
            }
        }
    }

    /// Wakes for what became due by itself, and makes available what workers hold that are gone.
    private func tick() async {
        try? await cancelWhenGracefulShutdown {
            var nextRescue = ContinuousClock.now
            while true {
                if nextRescue <= .now {
                    await self.rescue()
                    nextRescue = .now + .seconds(5)
                }
                self.arrived.yield()
                try await Task.sleep(for: self.idleWait)
            }
        }
        arrived.finish()
    }

    private func rescue() async {
        do {
            let rescued = try await backOffice.queue(work.table).rescue()
            guard rescued > 0 else { return }
            backOffice.logger.notice(
                "leases rescued",
                metadata: ["queue": "\(work.table.name)", "count": "\(rescued)"]
            )
        } catch {
            guard !Task.isCancelled else { return }
            backOffice.logger.warning("leases not looked at", metadata: ["error": "\(error)"])
        }
    }

    private func process(_ items: [Work.Item]) async {
        let lanes = work.lanes(of: items)
        let waiting = Lanes(lanes)
        await withDiscardingTaskGroup { group in
            for _ in 0..<min(concurrency, lanes.count) {
                group.addTask {
                    while let items = waiting.next() { await self.process(inOrder: items) }
                }
            }
        }
    }

    /// When what an item needs is held by somebody else, the rest of its lane is put back untried: each would wait as long,
    /// and hold up other lanes.
    func process(inOrder items: [Work.Item]) async {
        for (index, item) in items.enumerated() {
            do {
                try await work.work(on: item)
            } catch {
                let failure = AttemptFailure(error)
                let delay = delay(of: failure, of: item)
                await record(failure, error, of: work.lease(of: item), delay)
                guard failure.isPassing, let delay else { continue }
                return await putBack(items[(index + 1)...].map(work.lease(of:)), after: delay)  // safe: an index of it
            }
        }
    }

    private func record(_ failure: AttemptFailure, _ error: any Error, of lease: Lease, _ delay: Duration?) async {
        backOffice.logger.warning(
            "attempt failed",
            metadata: [
                "queue": "\(work.table.name)", "id": "\(lease.id)", "attempt": "\(lease.attempt)",
                "reason": "\(failure.reason)", "error": "\(error)",
            ]
        )
        let queue = backOffice.queue(work.table)
        do {
            if let delay {
                try await queue.retry(lease, after: delay, because: failure.reason, isSnooze: failure.doesNotCount)
            } else {
                try await queue.discard(lease, because: failure.reason)
            }
        } catch {
            // The lease runs out and the item is taken again.
            backOffice.logger.error("attempt not recorded", metadata: ["error": "\(error)"])
        }
    }

    private func putBack(_ rest: [Lease], after delay: Duration) async {
        guard !rest.isEmpty else { return }
        do {
            try await backOffice.queue(work.table).putBack(rest, after: delay)
        } catch {
            // Their leases run out and they are taken again.
            backOffice.logger.error("items not put back", metadata: ["error": "\(error)"])
        }
    }

    /// nil when it is left to people.
    private func delay(of failure: AttemptFailure, of item: Work.Item) -> Duration? {
        let (lease, policy) = (work.lease(of: item), work.policy(for: item))
        let jitter = Double.random(in: 0..<1)
        if failure.isOfASetting {
            return policy.delayWhileMisconfigured(afterAttempt: lease.attempt, jitter: jitter)
        }
        if failure.isPassing { return policy.delayWhilePassing(afterAttempt: lease.attempt, jitter: jitter) }
        guard !failure.isFinal else { return nil }
        return policy.delay(afterAttempt: lease.countedAttempt, of: lease.maxAttempts, jitter: jitter)
    }
}
