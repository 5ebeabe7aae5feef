import Billing
import Foundation
import Testing

@Suite("Credits") struct CreditBookTests {
    private let now = Date(timeIntervalSince1970: 1_767_225_600)

    private func bucket(
        _ number: Int,
        of granted: Int64,
        from start: TimeInterval = -100,
        until end: TimeInterval? = nil,
        isSandbox: Bool = false
    ) -> CreditBucket {
        CreditBucket(
            id: Self.order(number),
            isSandbox: isSandbox,
            granted: granted,
            remaining: granted,
            startsAt: now.addingTimeInterval(start),
            expiresAt: end.map { now.addingTimeInterval($0) }
        )
    }

    private static func order(_ number: Int) -> Order.ID {
        Order.ID(UUID(uuid: (0, 0, 0, 0, 0, 0, 0x70, 0, 0x80, 0, 0, 0, 0, 0, 0, UInt8(number))))
    }

    @Test("what expires first is spent first, what never does last, and of equals the older")
    func order() {
        var book = CreditBook([
            bucket(1, of: 10), bucket(2, of: 10, from: -200), bucket(3, of: 10, until: 50),
            bucket(4, of: 10, until: 20),
        ])
        let isSpent = book.spend(25, at: now)
        #expect(isSpent)
        #expect(book.buckets.map(\.id) == [4, 3, 2, 1].map(Self.order))
        #expect(book.buckets.map(\.remaining) == [0, 0, 5, 10])
        #expect(book.left(at: now) == 15)
    }

    @Test("all is spent or nothing, and what is over or has not begun cannot be")
    func bounds() {
        var book = CreditBook([bucket(1, of: 10, until: 0), bucket(2, of: 10, from: 1), bucket(3, of: 5)])
        let tooMany = book.spend(6, at: now)
        #expect(!tooMany)
        #expect(book.left(at: now) == 5)
        let rest = book.spend(5, at: now)
        #expect(rest)
        #expect(book.left(at: now.addingTimeInterval(1)) == 10)
    }

    @Test("a refund takes what is left; what was spent is owed, and the next credits pay it")
    func debt() {
        var book = CreditBook([bucket(1, of: 100)])
        let some = book.spend(30, at: now)
        #expect(some)
        book.take(100, of: Self.order(1), at: now)
        #expect((book.left(at: now), book.owed(at: now)) == (0, 30))
        let more = book.spend(1, at: now)
        #expect(!more)
        var next = CreditBook(book.buckets + [bucket(2, of: 100)])
        #expect((next.left(at: now), next.owed(at: now)) == (70, 0))
        let rest = next.spend(70, at: now)
        #expect(rest)
        #expect((next.left(at: now), next.owed(at: now)) == (0, 0))
    }

    @Test("what was spent of a refunded order is paid by what the customer has of others")
    func others() {
        var book = CreditBook([bucket(1, of: 100, from: -200), bucket(2, of: 100)])
        let all = book.spend(100, at: now)
        #expect(all)
        book.take(100, of: Self.order(1), at: now)
        #expect((book.left(at: now), book.owed(at: now)) == (0, 0))
    }

    @Test("a refund that the store takes back gives back what it took")
    func reversed() {
        var book = CreditBook([bucket(1, of: 100)])
        let some = book.spend(30, at: now)
        #expect(some)
        book.take(100, of: Self.order(1), at: now)
        book.take(50, of: Self.order(1), at: now)
        #expect((book.left(at: now), book.owed(at: now)) == (20, 0))
        book.take(0, of: Self.order(1), at: now)
        #expect((book.left(at: now), book.owed(at: now)) == (70, 0))
    }

    @Test("the sandbox's credits and production's do not pay for each other")
    func sandbox() {
        var book = CreditBook([bucket(1, of: 100, isSandbox: true)])
        let some = book.spend(40, at: now)
        #expect(some)
        book.take(100, of: Self.order(1), at: now)
        book = CreditBook(book.buckets + [bucket(2, of: 10)])
        #expect((book.left(at: now), book.owed(at: now)) == (10, 40))
    }

    /// The model knows of no buckets: what remains less what is owed is all that was granted, less what was taken back and what was spent.
    @Test("after any grants, spends, refunds and expiries the sums agree", arguments: 1...200)
    func model(seed: Int) {
        var random = SplitMix64(seed: UInt64(seed))
        let hasEnds = seed.isMultiple(of: 2)
        var (book, moment) = (CreditBook([]), now)
        var (granted, taken, spent) = ([Int64](), [Int64](), Int64(0))
        for _ in 0..<60 {
            switch Int.random(in: 0..<4, using: &random) {
            case 0:
                let amount = Int64.random(in: 1...50, using: &random)
                let end = hasEnds && random.happens(60) ? Double.random(in: 1...400, using: &random) : nil
                let age = moment.timeIntervalSince(now)
                let bought = bucket(granted.count, of: amount, from: age, until: end.map { $0 + age })
                book = CreditBook(book.buckets + [bought])
                granted.append(amount)
                taken.append(0)
            case 1:
                let (amount, left) = (Int64.random(in: 1...60, using: &random), book.left(at: moment))
                let before = book
                let isSpent = book.spend(amount, at: moment)
                #expect(isSpent == (amount <= left))
                if amount <= left {
                    spent += amount
                    #expect(book.left(at: moment) == left - amount)
                } else {
                    #expect(book.left(at: moment) == before.left(at: moment))
                }
            case 2:
                guard let order = granted.indices.randomElement(using: &random) else { continue }
                taken[order] = Int64.random(in: 0...granted[order], using: &random)
                book.take(taken[order], of: Self.order(order), at: moment)
            default:
                moment += Double.random(in: 0...120, using: &random)
            }
            let (left, owed) = (book.left(at: moment), book.owed(at: moment))
            #expect(left == 0 || owed == 0)
            let balance = granted.reduce(0, +) - taken.reduce(0, +) - spent
            let kept = book.buckets.reduce(Int64(0)) { $0 + $1.remaining - $1.owed }
            #expect(kept == balance)
            if !hasEnds { #expect(left - owed == balance) }
            for bucket in book.buckets {
                #expect((0...bucket.granted).contains(bucket.taken))
                #expect((0...(bucket.granted - bucket.taken)).contains(bucket.remaining))
                #expect((0...bucket.taken).contains(bucket.owed))
                #expect(bucket.remaining == 0 || bucket.owed == 0)
            }
        }
    }
}
