import Billing
import Foundation
import Operations
import Postgres
import Storage
import StoreSimulator
import TestSupport
import Testing

@Suite("Answers about refunds that a store is heard badly of") struct SpoiledAnswerTests {
    @Test(
        "an answer is told again, whatever comes in its place, and taken by the next good one",
        arguments: SpoiledConfirmationTests.answers
    )
    func spoiled(answer: FieldAnswer) async throws {
        // Apple's own success is empty, and so is any part of it.
        let isSuccess: Bool = if case .cut = answer { true } else { answer == .empty || answer == .wrongTypes }
        guard !isSuccess else { return }
        try await AskedOffice.run(.automatic) { desk in
            try await desk.consent()
            try await desk.ask()
            desk.store.fail(SimulatedFault(.field(answer), onPath: "consumption", times: 1_000))
            for _ in 0..<3 {
                try await desk.makeDue()
                try await desk.work()
            }
            #expect(try await desk.answers().first?.hasPrefix("sending GRANT_PRORATED") == true)
            #expect(try await desk.connected.count("jobs WHERE state = 'available' AND last_error IS NOT NULL") == 1)
            desk.store.mend()
            try await desk.makeDue()
            try await desk.work()
            #expect(try await desk.answers().first?.hasPrefix("sent GRANT_PRORATED") == true)
        }
    }

    @Test("after an hour without an answer the case says so, with what came")
    func shown() async throws {
        try await AskedOffice.run(.automatic) { desk in
            try await desk.consent()
            try await desk.ask()
            desk.store.fail(SimulatedFault(.field(.html), onPath: "consumption", times: 1_000))
            try await desk.work()
            let number = try #require(try await desk.connected.lines("SELECT number FROM refund_requests").first)
            let details = try await desk.connected.office.database.readPrimary { reader in
                try await reader.screens.refund(number: number, app: desk.app, seesPersonalData: true)
            }
            let unanswered = try #require(details?.answering?.unanswered)
            #expect(unanswered.words.contains("Please sign in to the network"))
            #expect(!unanswered.isLong(at: unanswered.since.addingTimeInterval(3_599)))
            #expect(unanswered.isLong(at: unanswered.since.addingTimeInterval(3_600)))
        }
    }
}
