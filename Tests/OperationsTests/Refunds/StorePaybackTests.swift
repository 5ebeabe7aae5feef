import Billing
import Foundation
import Operations
import Postgres
import Storage
import Testing

/// The store of `RefundOffice` decides for itself: of its order of 128.00, 345 of 365 days are unused on day 20, and 15 on day 350.
@Suite("At a store that decides for itself the limits look at what it pays back, whatever was asked for")
struct StorePaybackTests {
    @Test("10.00 that were asked for are 120.99 that the store pays back: too much for one person, and typed")
    func prorated() async throws {
        try await RefundOffice.run { desk in
            try await Self.allowAlone(below: 20, desk)
            let number = try await desk.ask(.partial, .yuan(10), by: desk.ada)
            let weight = try await Self.details(number, desk).weight(telling: .grantProrated).amount
            #expect(weight == Money(minorUnits: 12_099, currency: .cny))
            #expect(await rejectionReason { try await desk.approve(number) }?.code == .forbidden)
            let untyped = await rejectionReason { try await desk.approve(number, RefundApproval(), by: desk.bea) }
            #expect(untyped?.field == "confirmation")
            try await desk.approve(number, by: desk.bea)
            #expect(try await desk.requests() == ["RF-000001 partial approved 1000 1000 GRANT_PRORATED f"])
            #expect(try await Self.paybacks(desk) == ["RF-000001 12099"])
        }
    }

    @Test("at the end of the period the unused rest may be approved alone, the whole charge may not: by the answer")
    func byTheAnswer() async throws {
        try await RefundOffice.run { desk in
            try await Self.allowAlone(below: 20, desk)
            desk.office.clock.set(.day(350))
            let number = try await desk.ask(.partial, .yuan(100), by: desk.ada)
            let alone = await rejectionReason {
                try await desk.approve(number, RefundApproval(answer: .grantFull), by: desk.ada)
            }
            #expect(alone?.code == .forbidden)
            let untyped = await rejectionReason {
                try await desk.approve(number, RefundApproval(answer: .grantFull), by: desk.bea)
            }
            #expect(untyped?.field == "confirmation")
            let details = try await Self.details(number, desk)
            #expect(details.weight(telling: .grantFull).amount == .yuan(128))
            #expect(details.weight(telling: .grantProrated).amount == Money(minorUnits: 526, currency: .cny))
            // 100.00 were asked for, and 5.26 come back.
            try await desk.approve(number, RefundApproval())
            #expect(try await Self.paybacks(desk) == ["RF-000001 526"])
        }
    }

    @Test("what the store was expected to pay back counts towards the sums of an order and of a day")
    func sums() async throws {
        try await RefundOffice.run { desk in
            let first = try await desk.ask(.partial, .yuan(5))
            let second = try await desk.ask(.partial, .yuan(5))
            desk.office.clock.set(.day(21))
            try await desk.approve(first)
            desk.office.clock.set(.day(45))
            let refused = await rejectionReason { try await desk.approve(second, RefundApproval(), by: desk.bea) }
            #expect(refused?.field == "confirmation")
            let before = try await Self.details(second, desk).weight(telling: .grantProrated).before
            #expect(before.onOrder > 12_000)
        }
    }

    @Test("where no unused share can be worked out all that is left counts; an answer that approves nothing is refused")
    func unknown() async throws {
        try await RefundOffice.run { desk in
            desk.office.clock.set(.day(366))
            let number = try await desk.ask(.partial, .yuan(10))
            let untyped = await rejectionReason { try await desk.approve(number, RefundApproval()) }
            #expect(untyped?.field == "confirmation")
            let decline = RefundApproval(answer: .decline, confirmation: "1-0001")
            #expect(await rejectionReason { try await desk.approve(number, decline) }?.field == "answer")
            #expect(try await desk.requests() == ["RF-000001 partial pending 1000 f"])
            try await desk.approve(number)
            #expect(try await Self.paybacks(desk) == ["RF-000001 12800"])
        }
    }

    private static func allowAlone(below limit: Int64, _ desk: RefundOffice) async throws {
        var catalog = try Catalog.readmigo()
        catalog.refunds.selfApprovalLimit = .yuan(limit)
        _ = try await desk.backOffice.applyCatalog(catalog)
    }

    private static func details(_ number: String, _ desk: RefundOffice) async throws -> RefundDetails {
        let details = try await desk.office.database.read {
            try await $0.screens.refund(number: number, app: desk.app, seesPersonalData: false)
        }
        return try #require(details)
    }

    private static func paybacks(_ desk: RefundOffice) async throws -> [String] {
        try await desk.office.lines(
            "SELECT concat_ws(' ', number, payback_amount) FROM refund_requests WHERE payback_amount IS NOT NULL ORDER BY 1"
        )
    }
}
