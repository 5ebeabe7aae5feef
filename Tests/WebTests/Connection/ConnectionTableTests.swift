import NIOCore
import Testing

@testable import Web

@Suite("Who is let in when many are connected") struct ConnectionTableTests {
    private static func group(_ address: String) throws -> AddressGroup {
        try #require(AddressGroup(try SocketAddress(ipAddress: address, port: 4711)))
    }

    private static func admitted(_ table: inout ConnectionTable, _ group: AddressGroup? = nil) throws -> Int {
        guard case .admitted(let id, nil) = table.admit(group) else {
            Issue.record("nobody had to make room")
            return -1
        }
        return id
    }

    @Test("when all places are taken, the connection that has been idle longest makes room")
    func longestIdle() throws {
        var table = ConnectionTable(ConnectionLimits(inTotal: 3))
        let ids = try (0..<3).map { _ in try Self.admitted(&table) }
        table.work(ids[0])
        table.rest(ids[0])
        table.work(ids[1])
        #expect(table.admit(nil) == .admitted(3, closing: ids[2]))
        table.leave(ids[2])
        #expect(table.admit(nil) == .admitted(ids[2], closing: ids[0]))
    }

    @Test("who is at work is not sent away: the newcomer is refused")
    func allAtWork() throws {
        var table = ConnectionTable(ConnectionLimits(inTotal: 2))
        for _ in 0..<2 { table.work(try Self.admitted(&table)) }
        #expect(table.admit(nil) == .refused)
        table.rest(1)
        #expect(table.admit(nil) == .admitted(2, closing: 1))
    }

    @Test("an address has so many places and no more; others do not make room for it")
    func perAddress() throws {
        var table = ConnectionTable(ConnectionLimits(inTotal: 100, perAddress: 2))
        let other = try Self.admitted(&table, try Self.group("192.0.2.2"))
        let greedy = try Self.group("192.0.2.1")
        let first = try Self.admitted(&table, greedy)
        let second = try Self.admitted(&table, greedy)
        #expect(table.admit(greedy) == .admitted(3, closing: first))
        table.leave(first)
        table.work(second)
        table.work(3)
        #expect(table.admit(greedy) == .refused)
        #expect(table.admit(try Self.group("192.0.2.2")) == .admitted(first, closing: nil))
        table.leave(other)
    }

    @Test("one IPv6 network of 64 bits is one address, and a mapped IPv4 address is itself")
    func groups() throws {
        #expect(try Self.group("2001:db8:0:1::1") == Self.group("2001:db8:0:1:ffff::9"))
        #expect(try Self.group("2001:db8:0:1::1") != Self.group("2001:db8:0:2::1"))
        #expect(try Self.group("::ffff:192.0.2.1") == Self.group("192.0.2.1"))
        #expect(try Self.group("192.0.2.1") != Self.group("192.0.2.2"))
    }

    @Test("whatever comes and goes, the table holds who is there, and idle ones in their order")
    func anyOrder() throws {
        for seed in UInt64(0)..<200 {
            var random = Lottery(state: seed)
            var table = ConnectionTable(ConnectionLimits(inTotal: 12, perAddress: 5))
            var connected: [(id: Int, group: AddressGroup?, isIdle: Bool)] = []
            for _ in 0..<300 {
                let chosen = connected.indices.randomElement(using: &random)
                switch (UInt8.random(in: 0..<4, using: &random), chosen) {
                case (0, let index?):
                    table.leave(connected.remove(at: index).id)
                case (1, let index?):
                    table.work(connected[index].id)
                    connected[index].isIdle = false
                case (2, let index?) where !connected[index].isIdle:
                    var resting = connected.remove(at: index)
                    resting.isIdle = true
                    table.rest(resting.id)
                    connected.append(resting)
                default:
                    let group =
                        Bool.random(using: &random)
                        ? try Self.group("192.0.2.\(UInt8.random(in: 0..<3, using: &random))") : nil
                    let isFull = group != nil && connected.count { $0.group == group } >= 5
                    let leaving =
                        isFull
                        ? connected.first { $0.isIdle && $0.group == group }
                        : connected.count >= 12 ? connected.first { $0.isIdle } : nil
                    switch table.admit(group) {
                    case .refused: #expect((isFull || connected.count >= 12) && leaving == nil)
                    case .admitted(let id, let closing):
                        #expect(closing == leaving?.id && !connected.contains { $0.id == id })
                        if let closing {
                            table.leave(closing)
                            connected.removeAll { $0.id == closing }
                        }
                        connected.append((id, group, true))
                    }
                }
                #expect(table.count == connected.count)
            }
        }
    }
}

/// Numbers that are the same each time.
private struct Lottery: RandomNumberGenerator {
    var state: UInt64

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = (state ^ (state >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }
}
