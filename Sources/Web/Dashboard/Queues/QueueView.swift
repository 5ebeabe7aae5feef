package import Storage

/// What the page of one queue shows: its whole state, which is its address.
package struct QueueView: ListFilter, Hashable {
    package var queue: QueueName
    package var state: QueueState
    package var position: PagePosition

    package init(_ queue: QueueName, state: QueueState = .discarded, position: PagePosition = .first) {
        self.queue = queue
        self.state = state
        self.position = position
    }

    /// What cannot be read falls back to its default; only a cursor that is not ours is an error.
    package init(_ queue: QueueName, _ query: inout QueryReader) throws(InvalidCursor) {
        self.init(
            queue,
            state: query.value("state", QueueState.init(rawValue:)) ?? .discarded,
            position: try query.position(of: .queueRows)
        )
    }

    /// The address of this state; defaults are left out.
    package var path: String {
        var query = QueryText()
        query.add("state", state == .discarded ? nil : state.rawValue)
        query.add(position)
        return DashboardPath.queue(queue) + query.text
    }

    package func cursor(at row: QueueRow, rowsBefore: Int) -> PageCursor {
        PageCursor(kind: .queueRows, date: row.arrivedAt, id: row.id, rowsBefore: rowsBefore)
    }
}
