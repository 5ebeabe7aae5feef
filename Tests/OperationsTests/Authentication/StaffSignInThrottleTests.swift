import Foundation
import Storage
import Testing

@testable import Operations

@Suite("The limit on failed sign-ins") struct StaffSignInThrottleTests {
    private static let start = Date(timeIntervalSince1970: 1_795_228_800)
    private let throttle = SignInThrottle(limit: 5)

    @Test("waits double from one minute and stop at fifteen")
    func waits() {
        var known: SignInFailures?
        var now = Self.start
        var waits: [TimeInterval] = []
        for _ in 0..<12 {
            guard case .admitted(let counted) = throttle.verdict(on: known, at: now) else {
                Issue.record("refused after its own wait")
                return
            }
            known = counted
            let wait = counted.blockedUntil.map { $0.timeIntervalSince(now) } ?? 0
            waits.append(wait / 60)
            now += wait
        }
        #expect(waits == [0, 0, 0, 0, 1, 2, 4, 8, 15, 15, 15, 15])
    }

    @Test("while it waits nothing is admitted, and trying does not make it longer")
    func rejectionReason() {
        let until = Self.start.addingTimeInterval(60)
        let blocked = SignInFailures(failures: 5, countedSince: Self.start, blockedUntil: until)
        for second in stride(from: 0.0, to: 60, by: 7) {
            let verdict = throttle.verdict(on: blocked, at: Self.start.addingTimeInterval(second))
            #expect(verdict == .refused(until: until))
        }
        guard case .admitted = throttle.verdict(on: blocked, at: until) else {
            Issue.record("still refused when the wait is over")
            return
        }
    }

    @Test("failures of yesterday are forgotten")
    func memory() {
        let old = SignInFailures(failures: 30, countedSince: Self.start, blockedUntil: nil)
        let now = Self.start.addingTimeInterval(86_401)
        let verdict = throttle.verdict(on: old, at: now)
        #expect(verdict == .admitted(SignInFailures(failures: 1, countedSince: now, blockedUntil: nil)))
    }

    @Test("at most about a hundred guesses fit into a day")
    func budget() {
        var (known, now, guesses) = (nil as SignInFailures?, Self.start, 0)
        while now < Self.start.addingTimeInterval(86_400) {
            switch throttle.verdict(on: known, at: now) {
            case .admitted(let counted):
                known = counted
                guesses += 1
            case .refused(let until): now = until
            }
        }
        #expect(guesses <= 5 + 96 + 4)
    }

    @Test("a success takes its own count back, and the wait that only it had caused")
    func takingBack() {
        let since = Self.start
        #expect(throttle.takingBack(nil) == nil)
        #expect(throttle.takingBack(SignInFailures(failures: 1, countedSince: since, blockedUntil: nil)) == nil)
        let fifth = SignInFailures(failures: 5, countedSince: since, blockedUntil: since.addingTimeInterval(60))
        #expect(throttle.takingBack(fifth) == SignInFailures(failures: 4, countedSince: since, blockedUntil: nil))
    }
}

@Suite("Whose failures count") struct StaffSignInSubjectTests {
    @Test("an IPv6 address counts as its /64, an IPv4 address as itself, also where IPv6 carries it")
    func networks() {
        let cases = [
            ("203.0.113.9", "203.0.113.9"), ("2001:db8:1:2:3:4:5:6", "20010db800010002/64"),
            ("2001:db8:1:2::1", "20010db800010002/64"), ("::ffff:203.0.113.9", "203.0.113.9"), ("::1", "::1"),
            ("64:ff9b::203.0.113.9", "203.0.113.9"), ("64:ff9b::cb00:7109", "203.0.113.9"),
            ("64:ff9b:1::1", "0064ff9b00010000/64"), ("not:an:address", "not:an:address"),
        ]
        for (address, network) in cases { #expect(SignInSubjects.network(of: address) == network) }
    }

    @Test("the e-mail address itself is not in the subject's name")
    func hashed() {
        let subjects = SignInSubjects(email: "ada@example.com", address: nil)
        #expect(subjects.names.count == 1)
        #expect(!subjects.account.contains("ada"))
        #expect(subjects.account != SignInSubjects(email: nil, address: nil).account)
    }
}
