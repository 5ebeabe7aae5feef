package import Foundation
package import Storage

/// The work of one queue: how its items are leased, grouped and done.
package protocol QueuedWork: Sendable {
    associatedtype Item: Sendable

    var table: QueueTable { get }

    /// True while a running worker takes nothing from the queue, because somebody else works on it.
    var pauses: Bool { get }

    /// Leases what is due; none when nothing is.
    func lease(by worker: UUID) async throws -> [Item]

    /// Groups items into lanes: those of one lane are worked on in turn, different lanes at once.
    func lanes(of items: [Item]) -> [[Item]]

    /// Does what is to be done for one item, and finishes it.
    ///
    /// - Throws: why it could not be done; the worker says when it is tried again.
    func work(on item: Item) async throws

    func lease(of item: Item) -> Lease

    func policy(for item: Item) -> RetryPolicy
}

extension QueuedWork {
    package var pauses: Bool { false }
}
