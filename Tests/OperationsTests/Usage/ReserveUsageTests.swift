import Billing
import Foundation
import Operations
import Postgres
import Storage
import Testing

@Suite("Reserving usage") struct ReserveUsageTests {
    @Test("what is reserved counts, and what of it was not used is given back when it is settled")
    func settled() async throws {
        try await UsageOffice.run { office in
            let reservation = try await Self.reserve(90, office)
            #expect(reservation.usage.tightest?.remaining == 10)
            #expect(reservation.expiresAt == office.clock.read().addingTimeInterval(300))
            #expect((await office.refusal("scan", 11))?.code == .blocked)
            let answer = try await Self.settle(reservation, 30, office)
            #expect(answer.quantity == 30)
            #expect(answer.usage.windows.map(\.used) == [30, 30, 30])
            #expect(try await office.days() == ["2026-01-01 30 0"])
            // The same settlement again changes nothing; another one is refused.
            #expect(try await Self.settle(reservation, 30, office) == answer)
            #expect(await Self.refusal { _ = try await Self.settle(reservation, 31, office) }?.code == .conflict)
            #expect(await Self.refusal { try await Self.release(reservation, office) }?.code == .notFound)
            #expect(try await office.counters() == ["30 30 30"])
        }
    }

    @Test("all of it is used when nobody says how much, and none of it when it is released")
    func whole() async throws {
        try await UsageOffice.run { office in
            let (used, given) = (try await Self.reserve(5, office), try await Self.reserve(7, office))
            #expect(try await Self.settle(used, nil, office).quantity == 5)
            for _ in 0..<2 { try await Self.release(given, office) }
            #expect(await Self.refusal { _ = try await Self.settle(given, 1, office) }?.code == .conflict)
            #expect(try await office.counters() == ["5 5 5"])
        }
    }

    @Test("what is given back late leaves the windows alone that have begun since")
    func nextDay() async throws {
        try await UsageOffice.run { office in
            let reservation = try await Self.reserve(50, seconds: 86_400, office)
            office.clock.advance(by: 80_000)
            try await office.count("scan", 4)
            #expect(try await Self.settle(reservation, 10, office).usage.windows.map(\.used) == [4, 14, 14])
            #expect(try await office.days() == ["2026-01-01 10 0", "2026-01-02 4 0"])
        }
    }

    @Test("when its time is over it holds nothing any more, for counts and for who asks, also before it is swept")
    func expired() async throws {
        try await UsageOffice.run { office in
            let first = try await Self.reserve(100, seconds: 60, office)
            #expect((await office.refusal("scan"))?.code == .blocked)
            office.clock.advance(by: 60)
            #expect(await Self.refusal { _ = try await Self.settle(first, 1, office) }?.code == .conflict)
            #expect(try await office.count("scan", 100).usage.tightest?.used == 100)
            office.clock.advance(by: 86_400)
            let second = try await Self.reserve(20, seconds: 60, office)
            office.clock.advance(by: 61)
            let usage = try await office.backOffice.usage(for: try await office.current())
            #expect(usage.features.first { $0.feature == "scan" }?.remaining == 100)
            try await Self.release(second, office)
            _ = try await Self.reserve(20, seconds: 60, office)
            office.clock.advance(by: 61)
            #expect(try await office.backOffice.expireUsageReservations() == 1)
            #expect(try await office.counters() == ["0 100 100"])
            office.clock.advance(by: 31 * 86_400)
            #expect(try await office.backOffice.expireUsageReservations() == 0)
            #expect(try await office.office.count("usage_reservations") == 0)
        }
    }

    @Test("of fifty at once as many are held as the limit leaves, and settling and releasing at once gives back once")
    func race() async throws {
        try await UsageOffice.run { office in
            let held = try await withThrowingTaskGroup(of: UsageReservation?.self) { group in
                for _ in 0..<50 {
                    group.addTask {
                        do {
                            return try await Self.reserve(3, office)
                        } catch let error as OperationsError where error.underlying is UsageRefusal {
                            return nil
                        }
                    }
                }
                return try await group.reduce(into: [UsageReservation]()) { all, one in
                    if let one { all.append(one) }
                }
            }
            #expect(held.count == 33)
            #expect(try await office.counters() == ["99 99 99"])
            let one = try #require(held.first)
            await withTaskGroup(of: Void.self) { group in
                for index in 0..<20 {
                    group.addTask {
                        if index.isMultiple(of: 2) {
                            _ = try? await Self.settle(one, 1, office)
                        } else {
                            _ = try? await Self.release(one, office)
                        }
                    }
                }
            }
            let left = try await office.counters()
            #expect(left == ["97 97 97"] || left == ["96 96 96"])
        }
    }

    @Test("under one key it is held once")
    func keys() async throws {
        try await UsageOffice.run { office in
            let key = try IdempotencyKey("k1", of: office.session.customer.uuid, for: ["reservation"])
            let first = try await office.backOffice.reserve(
                "scan",
                quantity: 2,
                key: key,
                for: try await office.current()
            )
            let again = try await office.backOffice.reserve(
                "scan",
                quantity: 2,
                key: key,
                for: try await office.current()
            )
            #expect(first == again)
            #expect(try await office.counters() == ["2 2 2"])
        }
    }

    @Test("it is refused as a count is, and a number out of range by its field")
    func refused() async throws {
        try await UsageOffice.run { office in
            func refusal(_ feature: String, _ quantity: Int64 = 1, _ seconds: Int64 = 60) async -> OperationsError? {
                await Self.refusal {
                    _ = try await office.backOffice.reserve(
                        feature,
                        quantity: quantity,
                        seconds: seconds,
                        for: try await office.current()
                    )
                }
            }
            #expect(await refusal("scan", 101)?.code == .blocked)
            #expect(await refusal("call")?.code == .forbidden)
            #expect(await refusal("nothing")?.code == .notFound)
            for number in [Int64.min, -1, 0, 1_000_001, .max] {
                #expect(await refusal("scan", number)?.field == "quantity")
                #expect(await refusal("scan", 1, number)?.field == "expiresIn")
            }
            #expect(try await office.counters() == [])
            let reservation = try await Self.reserve(2, office)
            for number in [Int64.min, -1, 3, .max] {
                let error = await Self.refusal { _ = try await Self.settle(reservation, number, office) }
                #expect(error?.field == "quantity")
            }
            let other = UsageOffice(office: office.office, session: try await UsageOffice.session("u2", office.office))
            #expect(await Self.refusal { _ = try await Self.settle(reservation, 1, other) }?.code == .notFound)
            #expect(await Self.refusal { try await Self.release(reservation, other) }?.code == .notFound)
            #expect(try await office.counters() == ["2 2 2"])
        }
    }

    private static func reserve(
        _ quantity: Int64,
        seconds: Int64 = 300,
        _ office: UsageOffice
    ) async throws -> UsageReservation {
        try await office.backOffice.reserve(
            "scan",
            quantity: quantity,
            seconds: seconds,
            for: try await office.current()
        )
    }

    private static func settle(
        _ reservation: UsageReservation,
        _ quantity: Int64?,
        _ office: UsageOffice
    ) async throws -> UsageAnswer {
        try await office.backOffice.settle(
            StoredUsageReservation.ID(reservation.id),
            of: reservation.feature,
            quantity: quantity,
            for: try await office.current()
        )
    }

    private static func release(_ reservation: UsageReservation, _ office: UsageOffice) async throws {
        try await office.backOffice.release(
            StoredUsageReservation.ID(reservation.id),
            of: reservation.feature,
            for: try await office.current()
        )
    }

    private static func refusal(_ body: () async throws -> Void) async -> OperationsError? {
        await #expect(throws: OperationsError.self) { try await body() }
    }
}
