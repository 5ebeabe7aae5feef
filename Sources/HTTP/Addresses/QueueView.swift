package import Storage

/// The state of a queue's page, which is its address.
package struct QueueView: ListFilter, Hashable {
    package var queue: QueueName
    package var state: QueueState
    package var position: PagePosition

    package init(_ queue: QueueName, state: QueueState = .discarded, position: PagePosition = .first) {
        self.queue = queue
        self.state = state
        self.position = position
    }

    package func cursor(at row: QueueRow, rowsBefore: Int) -> PageCursor {
        PageCursor(kind: .queueRows, date: row.arrivedAt, id: row.id, rowsBefore: rowsBefore)
    }
}
