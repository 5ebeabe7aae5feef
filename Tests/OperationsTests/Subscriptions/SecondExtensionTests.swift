import Billing
import Foundation
import Jobs
import Operations
import Storage
import StoreSimulator
import Testing

@Suite("A second extension while the store has not said what became of the first") struct SecondExtensionTests {
    @Test("is refused, names the first, and is taken when the store has answered")
    func second() async throws {
        try await ExtendedOffice.run { desk in
            await desk.connected.store.stop()
            let first = try await desk.extend(days: "7")
            try await desk.work()
            let error = await rejectionReason { try await desk.extend(days: "7") }
            #expect(error?.code == .conflict)
            #expect(error?.message.contains(first.description) == true)
            #expect(try await desk.states() == ["sending 7"])
            try await desk.connected.store.start(port: desk.connected.store.port)
            try await desk.makeDue()
            try await desk.work()
            desk.connected.clock.advance(by: 1)
            _ = try await desk.extend(days: "3")
            #expect(try await desk.states() == ["succeeded 7", "sending 3"])
        }
    }

    @Test("of two that are sent at once one is taken, of one subscription and of all of a product's")
    func atOnce() async throws {
        try await ExtendedOffice.run { desk in
            async let left = refusal { _ = try await desk.extend(days: "7") }
            async let right = refusal { _ = try await desk.extend(days: "7") }
            #expect(await [left, right].compactMap(\.self).map(\.code) == [.conflict])
            let states = try await desk.states()
            #expect(states == ["sending 7"])
            async let one = refusal { try await desk.extendAll([]) }
            async let other = refusal { try await desk.extendAll(["CHN"]) }
            #expect(await [one, other].compactMap(\.self).map(\.code) == [.conflict])
            #expect(try await desk.states().count == 2)
        }
    }

    @Test("in countries that have none in common, both are taken")
    func elsewhere() async throws {
        try await ExtendedOffice.run { desk in
            try await desk.extendAll(["CHN"])
            try await desk.extendAll(["USA", "TUR"])
            #expect(await rejectionReason { try await desk.extendAll(["JPN", "TUR"]) }?.code == .conflict)
            #expect(try await desk.states().count == 2)
        }
    }
}

/// Why something was refused; nil where it was done.
private func refusal(_ work: () async throws -> Void) async -> OperationsError? {
    do {
        try await work()
        return nil
    } catch {
        return error as? OperationsError ?? OperationsError(.invalid, "\(error)")
    }
}

extension ExtendedOffice {
    fileprivate func extendAll(_ storefronts: [String]) async throws {
        _ = try await connected.backOffice.extendRenewals(
            ofProduct: productID,
            at: .apple,
            in: .production,
            storefronts: storefronts,
            app: app,
            try ExtensionTerms(days: "3", reasonCode: "OTHER"),
            reason: Self.reason,
            key: nil,
            caller: ada
        )
    }
}
