import APITypes
package import Foundation
import HTTP
import HTTPTypes
import Operations
package import Storage

extension DashboardPath {
    package static let queues = "/dashboard/queues"

    package static func queue(_ name: QueueName) -> String { "\(queues)/\(name.rawValue)" }

    /// The address at which dead letters are tried again.
    package static func retries(in name: QueueName) -> String { queue(name) + "/retries" }

    /// The form that asks before.
    ///
    /// - Parameter id: nil for all dead letters of the queue.
    package static func newRetry(of id: UUID? = nil, in name: QueueName, from: String? = nil) -> String {
        var query = QueryText()
        query.add("id", id?.uuidString.lowercased())
        query.add("from", from)
        return retries(in: name) + "/new" + query.text
    }
}
