import Billing
import Foundation
import Operations
import Postgres
import Storage
import StoreSimulator
import TestSupport
import Testing

@Suite("Extensions that a store is heard badly of") struct SpoiledExtensionTests {
    @Test(
        "one that Apple has done is asked for again under its own id, which does nothing more",
        arguments: SpoiledConfirmationTests.answers
    )
    func one(answer: FieldAnswer) async throws {
        try await ExtendedOffice.run { desk in
            let id = try await desk.extend(days: "7")
            desk.connected.store.fail(SimulatedFault(.field(answer), onPath: "extend", times: 1_000))
            for _ in 0..<3 {
                try await desk.makeDue()
                try await desk.work()
            }
            #expect(try await desk.states() == ["sending 7"])
            #expect(try await desk.row(id)?.unanswered?.words.isEmpty == false)
            desk.connected.store.mend()
            try await desk.makeDue()
            try await desk.work()
            #expect(try await desk.states() == ["succeeded 7"])
            #expect(try await desk.row(id)?.unanswered == nil)
            // Twice a year Apple extends a subscription: one of them is left.
            desk.connected.clock.advance(by: 1)
            _ = try await desk.extend(days: "1")
            try await desk.work()
            #expect(try await desk.states() == ["succeeded 7", "succeeded 1"])
        }
    }

    @Test(
        "that of a product's subscribers goes on, when the request and when the count cannot be read",
        arguments: SpoiledConfirmationTests.answers
    )
    func many(answer: FieldAnswer) async throws {
        try await ExtendedOffice.run { desk in
            _ = try await desk.connected.backOffice.extendRenewals(
                ofProduct: desk.productID,
                at: .apple,
                in: .production,
                storefronts: [],
                app: desk.app,
                try ExtensionTerms(days: "3", reasonCode: "SERVICE_ISSUE_OR_OUTAGE"),
                reason: Reason(.serviceFailure, "The reader was down for a day."),
                key: nil,
                caller: desk.ada
            )
            for expected in ["sending 3", "running 3"] {
                desk.connected.store.fail(SimulatedFault(.field(answer), onPath: "extend/mass", times: 1_000))
                try await desk.makeDue()
                try await desk.work()
                #expect(try await desk.states() == [expected])
                desk.connected.store.mend()
                try await desk.makeDue()
                try await desk.work()
            }
            #expect(try await desk.states() == ["succeeded 3"])
            #expect(try await desk.connected.count("renewal_extensions") == 1)
        }
    }

    @Test("Apple's own no does end it, with its number")
    func saidNo() async throws {
        try await ExtendedOffice.run { desk in
            desk.connected.store.fail(SimulatedFault(.error(code: 4_030_004), onPath: "extend"))
            _ = try await desk.extend(days: "3")
            try await desk.work()
            #expect(try await desk.states() == ["refused 3"])
            #expect(try await desk.connected.lines("SELECT error_code::text FROM renewal_extensions") == ["4030004"])
        }
    }
}
