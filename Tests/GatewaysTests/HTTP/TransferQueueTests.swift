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

    @Test("many who ask one silent host keep nobody else from asking it, nor another host")
    func manySilent() throws {
        let (one, two) = (try #require(one), try #require(two))
        var queue = TransferQueue<String>(limit: 20, share: 4)
        for app in 1...25 {
            for number in 1...8 { queue.add("\(app).\(number)", to: one, of: "\(app)", limit: 32) }
        }
        // Four for each app, whatever the total is.
        #expect(taken(from: &queue).count == 100)
        for number in 1...8 { queue.add("26.\(number)", to: one, of: "26", limit: 32) }
        queue.add("27", to: two, limit: 32)
        #expect(taken(from: &queue) == ["26.1", "27", "26.2", "26.3", "26.4"])
        queue.finished(at: one, of: "26")
        #expect(taken(from: &queue) == ["26.5"])
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

    private func taken<Item>(from queue: inout TransferQueue<Item>) -> [Item] {
        var taken: [Item] = []
        while let next = queue.next() { taken.append(next) }
        return taken
    }
}
