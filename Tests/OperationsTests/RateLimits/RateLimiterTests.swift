import Billing
import Foundation
import Gateways
import Operations
import Postgres
import Storage
import TestSupport
import Testing

@Suite("Rate limits") struct RateLimiterTests {
    @Test("of a thousand calls at once, on two servers of one database, exactly as many get through as the limit has")
    func exactly() async throws {
        try await TestOffice.run { office in
            let servers = [
                try Self.server(of: office, "customer=100/86400"), try Self.server(of: office, "customer=100/86400"),
            ]
            let subject = Self.somebody()
            let passed = try await withThrowingTaskGroup(of: Bool.self) { group in
                for call in 0..<1_000 {
                    group.addTask { try await Self.passes([subject], servers[call % 2]) }
                }
                return try await group.reduce(into: 0) { $0 += $1 ? 1 : 0 }
            }
            #expect(passed == 100)
            for server in servers { #expect(try await !Self.passes([subject], server)) }
            // Somebody else's bucket is full.
            #expect(try await Self.passes([Self.somebody()], servers[0]))
        }
    }

    @Test("what is counted call by call is exact as well", arguments: [1, 6, 1_000_000] as [Int64])
    func callByCall(_ calls: Int64) async throws {
        try await TestOffice.run { office in
            let servers = [
                try Self.server(of: office, "receipts=\(calls)/60"),
                try Self.server(of: office, "receipts=\(calls)/60"),
            ]
            let subject = RateLimitSubject.receipts(of: Customer.ID(UUID()))
            let passed = try await withThrowingTaskGroup(of: Bool.self) { group in
                for call in 0..<50 {
                    group.addTask { try await Self.passes([subject], servers[call % 2]) }
                }
                return try await group.reduce(into: 0) { $0 += $1 ? 1 : 0 }
            }
            #expect(passed == min(50, Int(calls)))
        }
    }

    @Test(
        "whoever waits as long as it is said gets through, and not a second before",
        arguments: [1, 7, 60] as [Int64]
    )
    func retryAfter(_ seconds: Int64) async throws {
        try await TestOffice.run { office in
            for policy in ["customer", "receipts"] {
                let server = try Self.server(of: office, "\(policy)=2/\(2 * seconds)")
                let id = Customer.ID(UUID())
                let subject = policy == "customer" ? RateLimitSubject.customer(id) : .receipts(of: id)
                for _ in 0..<2 { #expect(try await Self.passes([subject], server)) }
                let wait = try #require(try await Self.wait([subject], server))
                #expect(wait == Int(seconds))
                office.clock.advance(by: Double(wait) - 0.5)
                let rest = try await Self.wait([subject], server)
                #expect(rest == 1)
                office.clock.advance(by: 0.5)
                #expect(try await Self.passes([subject], server))
                #expect(try await !Self.passes([subject], server))
            }
        }
    }

    @Test("in a minute no more get through than the bucket has and the minute brings, however servers borrow")
    func overTime() async throws {
        try await TestOffice.run { office in
            let servers = [
                try Self.server(of: office, "customer=60/60"), try Self.server(of: office, "customer=60/60"),
            ]
            let subject = Self.somebody()
            var random = SystemRandomNumberGenerator()
            var (passed, quarters) = (0, 0)
            while quarters < 240 {
                // Bursts and pauses, so that leases lapse half spent.
                for _ in 0..<Int.random(in: 0...6, using: &random) {
                    passed += try await Self.passes([subject], servers[Int.random(in: 0...1, using: &random)]) ? 1 : 0
                }
                let pause = Int.random(in: 1...4, using: &random)
                quarters += pause
                office.clock.advance(by: Double(pause) / 4)
            }
            #expect(passed <= 60 + quarters / 4 + 1)
        }
    }

    @Test(
        "what a server has borrowed and not spent is in the bucket again a moment later, also where the server is gone"
    )
    func comesBack() async throws {
        try await TestOffice.run { office in
            let subject = Self.somebody()
            let gone = try Self.server(of: office, "customer=100/86400")
            #expect(try await Self.passes([subject], gone))
            // The first holds nine: the bucket has ninety.
            let next = try Self.server(of: office, "customer=100/86400")
            #expect(try await Self.all([subject], next) == 90)
            office.clock.advance(by: 86_400)
            #expect(try await Self.all([subject], try Self.server(of: office, "customer=100/86400")) == 100)
            // The first holds nothing any more.
            #expect(try await !Self.passes([subject], gone))
        }
    }

    @Test("a clock that is set back makes nobody wait longer than for one token")
    func backwards() async throws {
        try await TestOffice.run { office in
            for policy in ["customer", "receipts"] {
                let server = try Self.server(of: office, "\(policy)=6/60")
                let id = Customer.ID(UUID())
                let subject = policy == "customer" ? RateLimitSubject.customer(id) : .receipts(of: id)
                #expect(try await Self.all([subject], server) == 6)
                office.clock.advance(by: -86_400)
                let wait = try #require(try await Self.wait([subject], server))
                #expect(wait <= 10)
                office.clock.advance(by: Double(wait))
                #expect(try await Self.passes([subject], server))
                #expect(try await !Self.passes([subject], server))
            }
        }
    }

    @Test("a call that one limit refuses is not counted by the others")
    func together() async throws {
        try await TestOffice.run { office in
            let server = try Self.server(of: office, "session=100/86400, customer=1/86400")
            let (session, customer) = (RateLimitSubject.session(CustomerSession.ID(UUID())), Self.somebody())
            #expect(try await Self.passes([session, customer], server))
            for _ in 0..<20 { #expect(try await !Self.passes([session, customer], server)) }
            let left = try await server.rateLimiter.take([session])
            #expect(left.first?.left == 98)
        }
    }

    @Test(
        "where several limits are asked together, in whatever order, the lower one is exact, also on two servers at once",
        arguments: [
            ("session=1000/86400, customer=150/86400", 150), ("session=100/86400, customer=1000/86400", 200),
        ]
    )
    func severalAtOnce(_ limits: String, passing: Int) async throws {
        try await TestOffice.run { office in
            let servers = [try Self.server(of: office, limits), try Self.server(of: office, limits)]
            let customer = Self.somebody()
            let sessions = [UUID(), UUID()].map { RateLimitSubject.session(CustomerSession.ID($0)) }
            let passed = try await withThrowingTaskGroup(of: Bool.self) { group in
                for call in 0..<600 {
                    let session = sessions[call / 2 % 2]
                    let subjects = call % 3 == 0 ? [customer, session] : [session, customer]
                    group.addTask { try await Self.passes(subjects, servers[call % 2]) }
                }
                return try await group.reduce(into: 0) { $0 += $1 ? 1 : 0 }
            }
            #expect(passed == passing)
            #expect(try await office.count("rate_limit_buckets") == 3)
        }
    }

    @Test("an app's own limit takes the place of the usual one, and counts nothing where that is off")
    func own() async throws {
        try await TestOffice.run { office in
            let subject = Self.somebody()
            let server = try Self.server(of: office, "customer=100/60")
            let own = [RateLimitPolicy.customer: RateLimit(checked: 2, 60)]
            for left in [Int64(1), 0] {
                let states = try await server.rateLimiter.take([subject], own: own)
                #expect(states.map(\.left) == [left])
                #expect(states.map(\.limit) == [RateLimit(checked: 2, 60)])
            }
            let error = await #expect(throws: RateLimitExceeded.self) {
                _ = try await server.rateLimiter.take([subject], own: own)
            }
            #expect(error?.retryAfter == 30)
            let off = try Self.server(of: office, "customer=off")
            for _ in 0..<5 { #expect(try await off.rateLimiter.take([subject], own: own).isEmpty) }
        }
    }

    @Test("a limit that was lowered holds at once, and one that is off counts nothing")
    func changed() async throws {
        try await TestOffice.run { office in
            let subject = Self.somebody()
            #expect(try await Self.passes([subject], try Self.server(of: office, "customer=1000000/86400")))
            #expect(try await Self.all([subject], try Self.server(of: office, "customer=5/60")) <= 5)
            let off = try Self.server(of: office, "off")
            for _ in 0..<50 { #expect(try await off.rateLimiter.take([subject]).isEmpty) }
            #expect(try await office.count("rate_limit_buckets") == 1)
        }
    }

    @Test("buckets that are full again are forgotten, others stay")
    func swept() async throws {
        try await TestOffice.run { office in
            let server = try Self.server(of: office, "customer=60/86400")
            #expect(try await Self.passes([Self.somebody()], server))
            office.clock.advance(by: 43_200)
            let busy = Self.somebody()
            #expect(try await Self.all([busy], server) == 60)
            #expect(try await office.database.forgetFullBuckets() == 1)
            #expect(try await !Self.passes([busy], server))
            office.clock.advance(by: 86_401)
            #expect(try await office.database.forgetFullBuckets() == 1)
            #expect(try await office.count("rate_limit_buckets") == 0)
        }
    }

    @Test("no numbers of a caller's make the bucket fail")
    func edges() async throws {
        try await TestOffice.run { office in
            for (depth, interval) in [(Int64.min, Int64.min), (0, 0), (1, 1), (1_000_000, 86_400_000_000 / 1_000_000)] {
                let asks = (0..<2).map { _ in
                    RateLimitAsk(of: UUID(), depth: depth, interval: interval, most: .max)
                }
                let grants = try await office.database.takeTokens(asks, share: 0)
                #expect(grants.count == 2)
                #expect(grants.allSatisfy { $0.granted >= 1 && $0.left >= 0 })
            }
            #expect(RateLimit(calls: .max, seconds: 1) == nil)
            #expect(RateLimit(calls: 1, seconds: .max) == nil)
            #expect(RateLimit(calls: .min, seconds: .min) == nil)
        }
    }

    private static func somebody() -> RateLimitSubject { .customer(Customer.ID(UUID())) }

    private static func passes(_ subjects: [RateLimitSubject], _ server: BackOffice) async throws -> Bool {
        try await wait(subjects, server) == nil
    }

    /// Returns the seconds to wait after a refusal; nil for a call that passed.
    private static func wait(_ subjects: [RateLimitSubject], _ server: BackOffice) async throws -> Int? {
        do {
            _ = try await server.rateLimiter.take(subjects)
            return nil
        } catch let error as RateLimitExceeded {
            return error.retryAfter
        }
    }

    /// Takes all tokens; returns their number.
    private static func all(_ subjects: [RateLimitSubject], _ server: BackOffice) async throws -> Int {
        var passed = 0
        while try await passes(subjects, server) { passed += 1 }
        return passed
    }

    /// Returns another server of the installation, with these limits and no others.
    private static func server(of office: TestOffice, _ limits: String) throws -> BackOffice {
        var named = RateLimits.off
        let read = try RateLimits(limits)
        for policy in RateLimitPolicy.allCases where limits.contains("\(policy.rawValue)=") {
            named[policy] = read[policy]
        }
        return office.anotherServer(rateLimits: named)
    }
}
