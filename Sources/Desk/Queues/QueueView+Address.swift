package import HTTP
package import Storage

extension QueueView {
    /// Falls back to the default where a value cannot be read; only a cursor that is not ours is an error.
    package init(_ queue: QueueName, _ query: inout QueryReader) throws(InvalidCursor) {
        self.init(
            queue,
            state: query.choice("state", QueueState.self) ?? .discarded,
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
}
