import Billing
import Foundation
import Logging
package import Operations
import ServiceLifecycle
import Storage
import Synchronization

/// Takes notifications off the inbox under a lease and applies them, one at a time for each subscription.
package final class NotificationWorker: Service, Sendable {
    private static let batch = 128
    private static let lease = Duration.seconds(30)
    private static let idleWait = Duration.milliseconds(500)
    /// Every five seconds.
    private static let ticksPerRescue = 10

    private let backOffice: BackOffice
    private let concurrency: Int
    private let policy = RetryPolicy()
    private let id: UUID
    private let arrivals: AsyncStream<Void>
    private let arrived: AsyncStream<Void>.Continuation
    private let lanes = Lanes()
    private let patience = Patience()

    /// - Parameters:
    ///   - concurrency: how many subscriptions are worked on at once; each takes a database connection.
    ///   - arrivals: where the inbox says that there is something new; without it the worker looks every half second.
    ///   - arrived: the other end of `arrivals`.
    package init(
        backOffice: BackOffice,
        concurrency: Int = 4,
        arrivals: AsyncStream<Void>,
        arrived: AsyncStream<Void>.Continuation
    ) {
        self.backOffice = backOffice
        self.concurrency = concurrency
        self.arrivals = arrivals
        self.arrived = arrived
        id = backOffice.database.newUUID()
    }

    /// Works until the service is told to stop; what is under way then is finished.
    package func run() async throws {
        await withGracefulShutdownHandler {
            await withDiscardingTaskGroup { group in
                group.addTask { await self.tick() }
                group.addTask { await self.work() }
            }
        } onGracefulShutdown: { [arrived] in
            arrived.finish()
        }
    }

    /// Works until nothing is due, and says how many notifications it took.
    package func drain() async throws -> Int {
        var total = 0
        while !Task.isShuttingDownGracefully {
            let leased = try await lease()
            guard !leased.isEmpty else { break }
            await process(leased)
            total += leased.count  // safe: a count of rows
        }
        return total
    }

    /// Keeps the lanes going. One that is held up by a customer whom somebody else has locked, or by a server process
    /// that hangs, holds up no other: the next notifications are leased by a free worker.
    private func work() async {
        await withDiscardingTaskGroup { group in
            for await _ in arrivals {
                while lanes.enter(of: concurrency) {
                    group.addTask {
                        await self.workInLane()
                        self.lanes.leave()
                    }
                }
            }
        }
    }

    private func workInLane() async {
        do {
            while let notifications = try await nextSubscription() { await process(inOrder: notifications) }
        } catch {
            backOffice.logger.error("inbox not readable", metadata: ["error": "\(error)"])
        }
    }

    /// What a free lane works on next: from what is leased, or else from what is due; nil when nothing is.
    private func nextSubscription() async throws -> [LeasedNotification]? {
        if let notifications = lanes.next() { return notifications }
        guard !Task.isShuttingDownGracefully, lanes.beginLease() else { return nil }
        defer { lanes.endLease() }
        let subscriptions = Self.bySubscription(try await lease())
        lanes.add(subscriptions)
        // Those who found nothing to do meanwhile have left.
        if subscriptions.count > 1 { arrived.yield() }
        return lanes.next()
    }

    private func lease() async throws -> [LeasedNotification] {
        try await backOffice.leaseNotifications(limit: Self.batch, by: id, for: Self.lease)
    }

    /// Wakes for what became due by itself, and gives back the leases of workers that are gone.
    private func tick() async {
        try? await cancelWhenGracefulShutdown {
            var ticks = 0
            while true {
                if ticks.isMultiple(of: Self.ticksPerRescue) { await self.rescue() }
                self.arrived.yield()
                ticks += 1
                try await Task.sleep(for: Self.idleWait)
            }
        }
        arrived.finish()
    }

    private func rescue() async {
        do {
            let rescued = try await backOffice.rescueNotifications(lastAttempt: policy.attempts)
            guard rescued > 0 else { return }
            backOffice.logger.notice("leases rescued", metadata: ["count": "\(rescued)"])
        } catch {
            guard !Task.isCancelled else { return }
            backOffice.logger.warning("leases not looked at", metadata: ["error": "\(error)"])
        }
    }

    private func process(_ leased: [LeasedNotification]) async {
        let queue = Lanes(Self.bySubscription(leased))
        await withDiscardingTaskGroup { group in
            for _ in 0..<concurrency {
                group.addTask {
                    while let notifications = queue.next() { await self.process(inOrder: notifications) }
                }
            }
        }
    }

    /// Applies the notifications of one subscription, in the order in which the store signed them. When somebody else
    /// has locked its customer, the rest is put back untried: each would wait as long, and hold up other subscriptions.
    private func process(inOrder notifications: [LeasedNotification]) async {
        for (index, notification) in notifications.enumerated() {
            do {
                _ = try await backOffice.apply(notification, patience: patience.now)
                patience.worked()
            } catch {
                let failure = NotificationFailure(error)
                let delay = delay(of: failure, of: notification)
                await record(failure, error, of: notification, delay)
                guard failure.isPassing, let delay else { continue }
                patience.waited()
                return await putBack(Array(notifications[(index + 1)...]), after: delay)  // safe: an index of it
            }
        }
    }

    private func record(
        _ failure: NotificationFailure,
        _ error: any Error,
        of leased: LeasedNotification,
        _ delay: Duration?
    ) async {
        backOffice.logger.warning(
            "notification not applied",
            metadata: [
                "notification": "\(leased.id)", "attempt": "\(leased.attempt)", "reason": "\(failure.reason)",
                "error": "\(error)",
            ]
        )
        do {
            if let delay {
                try await backOffice.retry(
                    leased,
                    after: delay,
                    because: failure.reason,
                    isWait: failure.isPassing
                )
            } else {
                try await backOffice.markFailed(leased, because: failure.reason)
            }
        } catch {
            // The lease runs out and the notification is taken again.
            backOffice.logger.error("attempt not recorded", metadata: ["error": "\(error)"])
        }
    }

    private func putBack(_ rest: [LeasedNotification], after delay: Duration) async {
        guard !rest.isEmpty else { return }
        do {
            try await backOffice.putBack(rest, after: delay)
        } catch {
            // Their leases run out and they are taken again.
            backOffice.logger.error("notifications not put back", metadata: ["error": "\(error)"])
        }
    }

    /// nil when it is left to people.
    private func delay(of failure: NotificationFailure, of leased: LeasedNotification) -> Duration? {
        let jitter = Double.random(in: 0..<1)
        if failure.isPassing { return policy.delayWhilePassing(afterAttempt: leased.attempt, jitter: jitter) }
        guard !failure.isFinal else { return nil }
        return policy.delay(afterAttempt: leased.attempt - leased.waits, jitter: jitter)
    }

    private static func inSignedOrder(_ left: LeasedNotification, _ right: LeasedNotification) -> Bool {
        (left.signedAt, left.event?.id ?? "") < (right.signedAt, right.event?.id ?? "")
    }

    private static func bySubscription(_ leased: [LeasedNotification]) -> [[LeasedNotification]] {
        Dictionary(grouping: leased) { SubscriptionKey($0) }.values.map { $0.sorted(by: inSignedOrder) }
    }

    /// What is leased and not begun, one subscription at a time, and who works on it.
    private final class Lanes: Sendable {
        private struct State {
            var subscriptions: [[LeasedNotification]]
            var running = 0
            var isLeasing = false
        }

        private let state: Mutex<State>

        init(_ subscriptions: [[LeasedNotification]] = []) {
            state = Mutex(State(subscriptions: subscriptions))
        }

        func next() -> [LeasedNotification]? {
            state.withLock { $0.subscriptions.popLast() }
        }

        func add(_ subscriptions: [[LeasedNotification]]) {
            state.withLock { $0.subscriptions += subscriptions }
        }

        /// True when one more lane may begin.
        func enter(of limit: Int) -> Bool {
            state.withLock { state in
                guard state.running < limit else { return false }
                state.running += 1
                return true
            }
        }

        func leave() {
            state.withLock { $0.running -= 1 }
        }

        /// True when nobody else is looking what is due.
        func beginLease() -> Bool {
            state.withLock { state in
                defer { state.isLeasing = true }
                return !state.isLeasing
            }
        }

        func endLease() {
            state.withLock { $0.isLeasing = false }
        }
    }

    /// What is worked off in turn.
    private enum SubscriptionKey: Hashable {
        case subscription(App.ID, Store, StoreEnvironment, originalID: String)
        /// Of which subscription it is nobody knows before its store was asked.
        case unresolved(Identifier<ReceivedNotification>)

        init(_ leased: LeasedNotification) {
            if let event = leased.event {
                self = .subscription(
                    leased.app,
                    event.store,
                    event.environment,
                    originalID: event.transaction.originalID
                )
            } else {
                self = .unresolved(leased.id)
            }
        }
    }
}
