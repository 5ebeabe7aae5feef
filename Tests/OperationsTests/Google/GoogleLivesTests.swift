import Billing
import Foundation
import Gateways
import Operations
import Postgres
import Storage
import StoreSimulator
import TestSupport
import Testing

@Suite("Lives at Google Play come out the same whatever becomes of the messages") struct GoogleLivesTests {
    /// Subscribers whom people, banks and time happen to, the same for the same seed.
    struct Lives {
        /// The standing of a life at Google.
        enum Standing { case none, active, grace, hold, paused, cancelled, ended }

        private let office: GoogleOffice
        private var random: SeededRandom
        private var tokens: [String?]
        private var standings: [Standing]
        /// Whose next charge was put off beyond the next end.
        private var isPutOff: [Bool]
        /// Those of whom that was ever so.
        private(set) var everPutOff: [String] = []
        /// The purchases that the apps have and have not sent yet.
        private(set) var unsent: [(token: String, customer: String)] = []

        init(_ count: Int, seed: UInt64, _ office: GoogleOffice) {
            self.office = office
            random = SeededRandom(seed: seed)
            tokens = Array(repeating: nil, count: count)
            standings = Array(repeating: .none, count: count)
            isPutOff = Array(repeating: false, count: count)
        }

        private static func account(_ index: Int) -> String {
            UUID(uuid: (9, 0, 0, 0, 0, 0, 0x40, 0, 0x80, 0, 0, 0, 0, 0, UInt8(index / 256), UInt8(index % 256)))
                .uuidString
        }

        private mutating func bought(_ index: Int, _ token: String) {
            tokens[index] = token
            standings[index] = .active
            unsent.append((token, "customer \(index)"))
        }

        mutating func send() async throws {
            for (token, customer) in unsent { try await office.verify(token, for: customer) }
            unsent = []
        }

        /// The turns that each takes in the middle of a period.
        mutating func middle() {
            for index in tokens.indices {
                let chance = Int.random(in: 0..<20, using: &random)
                guard let token = tokens[index] else { continue }
                let order = office.google.purchase(token)?.orders.last ?? ""
                switch (standings[index], chance) {
                case (.active, 0):
                    isPutOff[index] = false
                    bought(index, office.google.change(token, to: GoogleOffice.monthly))
                case (.active, 1):
                    let moves = index.isMultiple(of: 2)
                    bought(index, office.google.changeLater(token, to: GoogleOffice.basic, movesOrders: moves))
                case (.active, 2), (.active, 3):
                    office.google.cancel(token)
                    standings[index] = .cancelled
                case (.active, 4):
                    office.google.revoke(token)
                    standings[index] = .ended
                case (.active, 5):
                    office.google.revoke(token, refunding: false)
                    standings[index] = .ended
                case (.active, 6): office.google.chargeBack(order)
                case (.active, 7): office.google.refund(order, revoking: false)
                case (.active, 8): office.google.planPause(token)
                case (.active, 9):
                    let price = Money(minorUnits: 1_099, currency: GoogleOffice.eur)
                    office.google.raisePrice(token, to: price, isConfirmed: true)
                case (.active, 10), (.active, 11):
                    guard !isPutOff[index] else { continue }
                    office.google.postpone(token, days: 30)
                    isPutOff[index] = true
                    everPutOff.append("customer \(index)")
                case (.cancelled, 0..<6):
                    office.google.restart(token)
                    standings[index] = .active
                default: break
                }
            }
        }

        /// The turns that each takes at a period's end.
        mutating func end() {
            for index in tokens.indices {
                let chance = Int.random(in: 0..<20, using: &random)
                if isPutOff[index] {
                    isPutOff[index] = false
                    guard standings[index] == .ended else { continue }
                }
                let token = tokens[index] ?? ""
                switch (standings[index], chance) {
                case (.none, 0..<15), (.ended, 0..<5):
                    let plan = chance.isMultiple(of: 2) ? GoogleOffice.basic : GoogleOffice.monthly
                    let trial = standings[index] == .none && chance < 6 ? 30 : 0
                    bought(index, office.google.buy(plan, account: Self.account(index), trial: trial))
                case (.active, 0..<13), (.grace, 0..<10), (.hold, 0..<8), (.paused, 0..<14):
                    office.google.renew(token)
                    standings[index] = .active
                case (.active, 13..<16):
                    office.google.failCharge(token, grace: 7)
                    standings[index] = .grace
                case (.active, 16..<18):
                    office.google.pause(token, days: 30)
                    standings[index] = .paused
                case (.active, _), (.grace, _):
                    office.google.hold(token)
                    standings[index] = .hold
                case (.hold, 8..<14), (.cancelled, _):
                    office.google.expire(token)
                    standings[index] = .ended
                default: break
                }
            }
        }
    }

    /// The facts that are known at the end, without those that only say how they became known.
    struct Outcome: Equatable {
        var access: [String]
        var books: [String]
    }

    /// - Parameter disturbance: nil where every push comes once and at once.
    private static func live(_ count: Int, seed: UInt64, disturbedBy disturbance: UInt64?) async throws -> Outcome {
        try await GoogleOffice.run { office in
            var lives = Lives(count, seed: seed, office)
            var noise = SeededRandom(seed: disturbance ?? 0)
            var heard = 0
            var late: [SimulatedPush] = []
            func hear() async throws {
                let new = Array(office.google.pushes.dropFirst(heard))
                heard = office.google.pushes.count
                guard disturbance != nil else {
                    for push in new {
                        try await office.take(push)
                        try await office.work()
                    }
                    return try await lives.send()
                }
                let due = late
                late = []
                for push in new {
                    switch Int.random(in: 0..<10, using: &noise) {
                    case 0..<3: break
                    case 3..<6: late.append(push)
                    case 6: for _ in 0..<2 { try await office.take(push) }
                    default: try await office.take(push)
                    }
                }
                for push in due.shuffled(using: &noise) { try await office.take(push) }
                try await office.work()
                try await lives.send()
            }
            for _ in 0..<5 {
                lives.end()
                try await hear()
                office.days(10)
                lives.middle()
                try await hear()
                office.days(20)
            }
            // Nothing more happens; what was lost is found by asking.
            for push in late { try await office.take(push) }
            try await office.work()
            for _ in 0..<3 {
                office.days(1.1)
                #expect(try await office.reconcile()?.problem == nil)
            }
            #expect(try await office.lines("SELECT last_error FROM store_notifications WHERE state = 'failed'") == [])
            #expect(try await office.backOffice.verifyRollups().allSatisfy { $0.differences == 0 })
            // Of a deferral that nobody told Google says no more once its time is over: neither how long it was, nor that it was cut short.
            let access: Query = """
                SELECT concat_ws(' ', c.external_id, p.store_product_id, CASE
                    WHEN c.external_id = ANY(\(lives.everPutOff)::text[])
                        THEN CASE WHEN s.state IN ('expired', 'trial_expired', 'revoked') THEN 'over' ELSE s.state END
                    ELSE concat_ws(' ', s.state, s.period_ends_at, s.renews_automatically AND s.state <> 'revoked') END)
                FROM subscriptions s
                JOIN customers c ON c.id = s.customer_id
                LEFT JOIN products p ON p.id = s.product_id
                ORDER BY 1
                """
            return Outcome(access: try await office.lines(access), books: try await office.books())
        }
    }

    @Test("with messages dropped, doubled and late: access and books equal the undisturbed run's", arguments: 1...3)
    func disturbed(seed: UInt64) async throws {
        let count = TestScale.rounds(100, sampled: 10)
        let expected = try await Self.live(count, seed: seed, disturbedBy: nil)
        let found = try await Self.live(count, seed: seed, disturbedBy: seed &+ 100)
        #expect(expected.books.count > count)
        #expect(Set(found.books).symmetricDifference(expected.books).sorted() == [])
        #expect(Set(found.access).symmetricDifference(expected.access).sorted() == [])
    }
}
