import Billing
import Foundation
import Testing

@testable import Storage

@Suite("Whose turn it is at the database") struct TurnQueueTests {
    private static let (ada, eve, zoe) = (App.ID(UUID()), App.ID(UUID()), App.ID(UUID()))

    @Test("apps take turns, however many one of them waits for; what one waits for comes in its order")
    func fair() {
        var queue = TurnQueue<Int>(places: 2)
        for number in 1...100 { queue.add(number, of: Self.ada, .customer) }
        queue.add(201, of: Self.eve, .customer)
        queue.add(301, of: Self.zoe, .customer)
        var served: [Int] = []
        while served.count < 5, let next = queue.next() {
            served.append(next)
            queue.leave(.customer)
        }
        #expect(served == [1, 201, 301, 2, 3])
    }

    @Test("the most urgent come first, and no urgency takes the last place from the others")
    func urgent() {
        var queue = TurnQueue<Int>(places: 3)
        for number in 1...4 { queue.add(number, of: Self.ada, .housekeeping) }
        #expect(Self.taken(from: &queue) == [1, 2])
        queue.add(11, of: Self.ada, .customer)
        queue.add(21, of: Self.ada, .deadline)
        #expect(Self.taken(from: &queue) == [21])
        queue.leave(.deadline)
        #expect(Self.taken(from: &queue) == [11])
        queue.leave(.housekeeping)
        queue.leave(.customer)
        #expect(Self.taken(from: &queue) == [3])
    }

    @Test("who does not wait any more has no turn")
    func removed() {
        var queue = TurnQueue<Int>(places: 1)
        for number in 1...3 { queue.add(number, of: Self.ada, .deadline) }
        queue.add(11, of: Self.eve, .deadline)
        #expect(queue.next() == 1)
        #expect(queue.remove(of: Self.ada, .deadline) { $0 == 2 } == 2)
        #expect(queue.remove(of: Self.ada, .deadline) { $0 == 2 } == nil)
        #expect(queue.remove(of: Self.eve, .deadline) { $0 == 11 } == 11)
        queue.leave(.deadline)
        #expect(Self.taken(from: &queue) == [3])
    }

    @Test("who is cancelled before their turn is told so, and the place goes to the next")
    func cancelled() async throws {
        let turns = Turns(places: 1)
        let (taken, begun) = AsyncStream<Void>.makeStream()
        let (freed, end) = AsyncStream<Void>.makeStream()
        let first = Task {
            try await turns.take(of: Self.ada, .deadline) {
                begun.yield()
                for await _ in freed { break }
            }
        }
        for await _ in taken { break }
        let second = Task { try await turns.take(of: Self.ada, .deadline) { 2 } }
        let third = Task { try await turns.take(of: Self.eve, .housekeeping) { 3 } }
        second.cancel()
        await #expect(throws: CancellationError.self) { try await second.value }
        end.yield()
        try await first.value
        #expect(try await third.value == 3)
    }

    private static func taken(from queue: inout TurnQueue<Int>) -> [Int] {
        var taken: [Int] = []
        while let next = queue.next() { taken.append(next) }
        return taken
    }
}
