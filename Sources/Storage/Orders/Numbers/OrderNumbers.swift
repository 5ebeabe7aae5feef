package import Billing
import Foundation
import Postgres
import Synchronization

/// Gives out order numbers of an app's business day from blocks taken in one statement each.
///
/// A block is twice the one before it on that day, up to 64: a quiet day wastes little, a busy one asks rarely, and no
/// transaction waits for another's order. Numbers lost with the process stay unused.
package final class OrderNumbers: Sendable {
    private struct Day: Hashable {
        let app: App.ID
        let day: BusinessDay
    }

    private struct Block {
        var next: Int
        var end: Int
        var size: Int
    }

    private let database: Database
    private let blocks = Mutex<[Day: Block]>([:])

    package init(database: Database) {
        self.database = database
    }

    /// The next number of that day, from 1.
    package func next(for app: App.ID, on day: BusinessDay) async throws -> Int {
        let key = Day(app: app, day: day)
        while true {
            let (taken, size) = blocks.withLock { take(from: &$0, key) }
            if let taken { return taken }
            let rows = try await database.writeAlone(
                """
                INSERT INTO order_numbers (app_id, day, last_sequence)
                VALUES (\(app), \(day), \(size))
                ON CONFLICT (app_id, day) DO UPDATE SET last_sequence = order_numbers.last_sequence + \(size)
                RETURNING last_sequence
                """
            )
            guard let last = try rows.first?.decode(0, as: Int.self) else { continue }
            return blocks.withLock { blocks in
                blocks[key] = Block(next: last - size + 2, end: last, size: size)
                return last - size + 1
            }
        }
    }

    private func take(from blocks: inout [Day: Block], _ key: Day) -> (Int?, Int) {
        guard var block = blocks[key] else { return (nil, 1) }
        guard block.next <= block.end else { return (nil, min(block.size * 2, 64)) }
        defer { blocks[key] = block }
        block.next += 1
        return (block.next - 1, block.size)
    }
}
