import Testing

@testable import Gateways

@Suite("Whose turn it is to ask")
struct TransferQueueTests {
    private let one = Origin(of: "https://one.example.com/a")
    private let two = Origin(of: "https://two.example.com/a")

    @Test("each host has its limit, and its requests their order")
    func perHost() throws {
        let one = try #require(one)
        var queue = TransferQueue<Int>(limit: 10)
        for number in 1...4 { queue.add(number, to: one, limit: 2) }
        #expect(taken(from: &queue) == [1, 2])
        queue.finished(at: one)
        #expect(taken(from: &queue) == [3])
        queue.finished(at: one)
        queue.finished(at: one)
        #expect(taken(from: &queue) == [4])
    }

    @Test("all hosts have one limit together, and take turns")
    func inTotal() throws {
        let (one, two) = (try #require(one), try #require(two))
        var queue = TransferQueue<Int>(limit: 3)
        for number in 1...4 { queue.add(number, to: one, limit: 3) }
        for number in 11...14 { queue.add(number, to: two, limit: 3) }
        #expect(taken(from: &queue) == [1, 11, 2])
        queue.finished(at: one)
        #expect(taken(from: &queue) == [12])
    }

    @Test("whoever may have more than the total at one host gets it")
    func more() throws {
        let one = try #require(one)
        var queue = TransferQueue<Int>(limit: 2)
        for number in 1...5 { queue.add(number, to: one, limit: 4) }
        #expect(taken(from: &queue) == [1, 2, 3, 4])
    }

    @Test("what nobody waits for is taken out, and another host's turn comes")
    func removed() throws {
        let (one, two) = (try #require(one), try #require(two))
        var queue = TransferQueue<Int>(limit: 1)
        for number in 1...3 { queue.add(number, to: one, limit: 1) }
        queue.add(11, to: two, limit: 1)
        #expect(queue.next() == 1)
        queue.removeWaiting { $0 < 4 }
        #expect(queue.waiting == [11])
        #expect(queue.next() == nil)
        queue.finished(at: one)
        #expect(queue.next() == 11)
        queue.add(4, to: one, limit: 1)
        queue.finished(at: two)
        #expect(queue.next() == 4)
    }

    @Test("hosts are told apart by scheme, name and port, not by case or path")
    func origins() {
        #expect(Origin(of: "HTTPS://One.example.com/b?c") == one)
        #expect(Origin(of: "http://one.example.com/a") != one)
        #expect(Origin(of: "https://one.example.com:8443/a") != one)
        #expect(Origin(of: "http://[::1]:80/") != Origin(of: "http://[::2]:80/"))
    }

    private func taken(from queue: inout TransferQueue<Int>) -> [Int] {
        var taken: [Int] = []
        while let next = queue.next() { taken.append(next) }
        return taken
    }
}
