import Logging
import Operations
import Storage
import Synchronization

extension NotificationWorker {
    /// Applies a history that came in whole: subscription by subscription, each from its first event to its last in one transaction.
    /// Notifications that cannot be applied so are worked on one by one.
    ///
    /// - Parameter progress: called with how many have been dealt with, from any task.
    package func drainHistory(progress: @escaping @Sendable (Int) -> Void = { _ in }) async throws {
        let done = Tally()
        while !Task.isCancelled {
            let leased = try await backOffice.leaseHistory(
                subscriptions: Self.subscriptionsAtOnce,
                by: id,
                for: .seconds(60)
            )
            guard !leased.isEmpty else { return }
            let lanes = Lanes(NotificationWork(backOffice: backOffice).lanes(of: leased))
            await withDiscardingTaskGroup { group in
                for _ in 0..<concurrency {
                    group.addTask {
                        while let lane = lanes.next() {
                            await self.apply(lane)
                            progress(done.add(lane.count))
                        }
                    }
                }
            }
        }
        try Task.checkCancellation()
    }

    private static let subscriptionsAtOnce = 100

    private func apply(_ lane: [LeasedNotification]) async {
        do {
            try await backOffice.apply(history: lane)
        } catch {
            guard !Task.isCancelled else { return }
            backOffice.logger.debug("a history is applied one by one", metadata: ["error": "\(error)"])
            await process(inOrder: lane)
        }
    }
}

/// Counts from any task.
private final class Tally: Sendable {
    private let count = Mutex(0)

    func add(_ more: Int) -> Int {
        count.withLock { count in
            count += more  // safe: a count of rows
            return count
        }
    }
}
