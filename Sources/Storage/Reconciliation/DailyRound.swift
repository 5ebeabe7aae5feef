import Foundation
import Postgres

extension Reader {
    /// The latest moment of the round of the day before: 20 hours ago, so that a round that comes a little earlier than that one leaves
    /// nothing out.
    var roundBefore: Date { now.addingTimeInterval(-20 * 3_600) }
}
