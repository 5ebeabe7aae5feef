import Foundation
import HTTP
import Storage

/// Dead letters that somebody wants tried again: one of a queue, or all.
struct DeadLetters: Sendable {
    let queue: QueueName
    /// nil for all.
    let id: UUID?
    /// The newest of them; nothing when the one is none any more.
    let page: ListPage<QueueRow>

    /// nil for all, and when it is none any more.
    var one: QueueRow? { id == nil ? nil : page.rows.first }
}

extension ListPage where Row == QueueRow {
    /// True if any of them can be tried again; of those on later pages some might.
    var canBeTried: Bool { hasNext || rows.contains { $0.canBeTried } }
}
