import NIOCore
import Testing

@testable import Desk
@testable import HTTP

@Suite("Who is let in when many are connected") struct ConnectionTableTests {
    private static func group(_ address: String) throws -> AddressGroup {
        try #require(AddressGroup(try SocketAddress(ipAddress: address, port: 4711)))
    }

    private static func seconds(_ seconds: UInt64) -> NIODeadline { .uptimeNanoseconds(seconds * 1_000_000_000) }

    private static func admitted(_ table: inout ConnectionTable, _ group: AddressGroup? = nil) throws -> Int {
        guard case .admitted(let id, nil) = table.admit(group, at: seconds(0)) else {
            Issue.record("nobody had to make room")
            return -1
        }
        return id
    }

    @Test("when all places are taken, the connection that has been idle longest makes room")
    func longestIdle() throws {
        var table = ConnectionTable(ConnectionLimits(inTotal: 3))
        let ids = try (0..<3).map { _ in try Self.admitted(&table) }
        let now = Self.seconds(1)
        table.change(ids[0], to: .working, at: now)
        table.change(ids[0], to: .idle, at: now)
        table.change(ids[1], to: .working, at: now)
        #expect(table.admit(nil, at: now) == .admitted(3, closing: ids[2]))
        table.leave(ids[2], at: now)
        #expect(table.admit(nil, at: now) == .admitted(ids[2], closing: ids[0]))
    }

    @Test("who is at work is not sent away: the newcomer is refused")
    func allAtWork() throws {
        var table = ConnectionTable(ConnectionLimits(inTotal: 2))
        let now = Self.seconds(0)
        for _ in 0..<2 { table.change(try Self.admitted(&table), to: .working, at: now) }
        #expect(table.admit(nil, at: now) == .refused)
        table.change(1, to: .idle, at: now)
        #expect(table.admit(nil, at: now) == .admitted(2, closing: 1))
    }

    @Test("who is to make room, and was asked something meanwhile, makes room for one newcomer and not for another")
    func chosenOnce() throws {
        var table = ConnectionTable(ConnectionLimits(inTotal: 1))
        let id = try Self.admitted(&table)
        let now = Self.seconds(1)
        #expect(table.admit(nil, at: now) == .admitted(1, closing: id))
        table.change(1, to: .working, at: now)
        for activity in [ConnectionTable.Activity.working, .idle, .stalled] {
            table.change(id, to: activity, at: now)
            #expect(table.admit(nil, at: now) == .refused)
        }
        table.leave(id, at: now)
        #expect(table.count == 1)
        table.change(1, to: .idle, at: now)
        #expect(table.admit(nil, at: now) == .admitted(id, closing: 1))
    }

    @Test("when nobody is idle, the client that has kept us waiting longest makes room")
    func longestStalled() throws {
        var table = ConnectionTable(ConnectionLimits(inTotal: 3))
        let now = Self.seconds(0)
        let ids = try (0..<3).map { _ in try Self.admitted(&table) }
        table.change(ids[0], to: .working, at: now)
        table.change(ids[2], to: .stalled, at: now)
        table.change(ids[1], to: .stalled, at: now)
        // Further parts of a request do not renew the time.
        table.change(ids[2], to: .stalled, at: Self.seconds(9))
        #expect(table.admit(nil, at: Self.seconds(10)) == .admitted(3, closing: ids[2]))
    }

    @Test("who stalls makes room before one who has become idle only now, and after one who was idle for a while")
    func newcomers() throws {
        var table = ConnectionTable(ConnectionLimits(inTotal: 3))
        let ids = try (0..<3).map { _ in try Self.admitted(&table) }
        for id in ids[1...] { table.change(id, to: .stalled, at: Self.seconds(0)) }
        #expect(table.admit(nil, at: Self.seconds(1)) == .admitted(3, closing: ids[1]))
        #expect(table.admit(nil, at: Self.seconds(2)) == .admitted(4, closing: ids[0]))
        // Those that were admitted above have been idle for a second, and for none.
        #expect(table.admit(nil, at: Self.seconds(2)) == .admitted(5, closing: ids[2]))
        #expect(table.admit(nil, at: Self.seconds(2)) == .admitted(6, closing: 3))
    }

    @Test("an address has so many places and no more; others do not make room for it")
    func perAddress() throws {
        var table = ConnectionTable(ConnectionLimits(inTotal: 100, perAddress: 2))
        let other = try Self.admitted(&table, try Self.group("192.0.2.2"))
        let greedy = try Self.group("192.0.2.1")
        let first = try Self.admitted(&table, greedy)
        let second = try Self.admitted(&table, greedy)
        let now = Self.seconds(0)
        #expect(table.admit(greedy, at: now) == .admitted(3, closing: first))
        table.leave(first, at: now)
        table.change(second, to: .working, at: now)
        table.change(3, to: .working, at: now)
        table.change(other, to: .stalled, at: now)
        #expect(table.admit(greedy, at: now) == .refused)
        table.change(second, to: .stalled, at: now)
        #expect(table.admit(greedy, at: now) == .admitted(first, closing: second))
        #expect(table.admit(try Self.group("192.0.2.2"), at: now) == .admitted(4, closing: nil))
        table.leave(other, at: now)
    }

    @Test("one IPv6 network of 64 bits is one address, and an IPv4 address that IPv6 carries is itself")
    func groups() throws {
        #expect(try Self.group("2001:db8:0:1::1") == Self.group("2001:db8:0:1:ffff::9"))
        #expect(try Self.group("2001:db8:0:1::1") != Self.group("2001:db8:0:2::1"))
        #expect(try Self.group("::ffff:192.0.2.1") == Self.group("192.0.2.1"))
        #expect(try Self.group("64:ff9b::192.0.2.1") == Self.group("192.0.2.1"))
        #expect(try Self.group("64:ff9b::192.0.2.1") != Self.group("64:ff9b::192.0.2.2"))
        #expect(try Self.group("192.0.2.1") != Self.group("192.0.2.2"))
    }

    private struct Connected {
        var id: Int
        var group: AddressGroup?
        var activity = ConnectionTable.Activity.idle
        var since: NIODeadline
    }

    /// Returns the connection that makes room; the connections are in the order in which they entered their activity.
    private static func leaving(of connected: [Connected], at now: NIODeadline) -> Connected? {
        let (idle, stalled) = (connected.first { $0.activity == .idle }, connected.first { $0.activity == .stalled })
        guard let idle, let stalled else { return idle ?? stalled }
        return now - idle.since >= .seconds(2) ? idle : stalled
    }

    @Test("whatever comes and goes, the table holds who is there, and those who wait in their order")
    func anyOrder() throws {
        for seed in UInt64(0)..<200 {
            var random = Lottery(state: seed)
            var table = ConnectionTable(ConnectionLimits(inTotal: 12, perAddress: 5))
            var connected: [Connected] = []
            for step in UInt64(0)..<300 {
                let now = NIODeadline.uptimeNanoseconds(step * 200_000_000)
                let chosen = connected.indices.randomElement(using: &random)
                switch (UInt8.random(in: 0..<4, using: &random), chosen) {
                case (0, let index?):
                    table.leave(connected.remove(at: index).id, at: now)
                case (1...2, let index?):
                    let all = [ConnectionTable.Activity.working, .idle, .stalled]
                    let activity = all[Int.random(in: 0..<3, using: &random)]
                    table.change(connected[index].id, to: activity, at: now)
                    guard connected[index].activity != activity else { break }
                    var changed = connected.remove(at: index)
                    (changed.activity, changed.since) = (activity, now)
                    connected.append(changed)
                default:
                    let group =
                        Bool.random(using: &random)
                        ? try Self.group("192.0.2.\(UInt8.random(in: 0..<3, using: &random))") : nil
                    let isFull = group != nil && connected.count { $0.group == group } >= 5
                    let candidates = isFull ? connected.filter { $0.group == group } : connected
                    let leaving = isFull || connected.count >= 12 ? Self.leaving(of: candidates, at: now) : nil
                    switch table.admit(group, at: now) {
                    case .refused: #expect((isFull || connected.count >= 12) && leaving == nil)
                    case .admitted(let id, let closing):
                        #expect(closing == leaving?.id && !connected.contains { $0.id == id })
                        if let closing {
                            table.leave(closing, at: now)
                            connected.removeAll { $0.id == closing }
                        }
                        connected.append(Connected(id: id, group: group, since: now))
                    }
                }
                #expect(table.count == connected.count)
            }
        }
    }
}

/// Generates the same numbers each time.
private struct Lottery: RandomNumberGenerator {
    var state: UInt64

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = (state ^ (state >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }
}
