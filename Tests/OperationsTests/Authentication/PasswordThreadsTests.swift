import Foundation
import Logging
import Postgres
import Storage
import TestSupport
import Testing

@testable import Operations

@Suite("The threads for passwords") struct PasswordThreadsTests {
    private static let email = "ada@example.com"
    private static let password = "correct horse battery"

    @Test("the places before a thread are bounded")
    func bounded() async throws {
        let queue = PasswordQueue(places: 3)
        let gate = DispatchSemaphore(value: 0)
        try await withThrowingTaskGroup(of: Bool.self) { group in
            for _ in 0..<8 { group.addTask { try await Self.block(queue, gate) } }
            var refused = 0
            for _ in 0..<5 {
                if try await group.next() == false { refused += 1 }
            }
            #expect(refused == 5)
            for _ in 0..<3 { gate.signal() }
            for try await ran in group { #expect(ran) }
        }
    }

    @Test("while strangers take every place of theirs, who is known signs in, proves who they are and sets a password")
    func strangersGuess() async throws {
        let threads = PasswordThreads(placesEach: 2)
        try await Self.withAccount(threads) { office, pool in
            let device = SignInDevice(known: nil)
            #expect(try await Self.signIn(office, device) != nil)
            let gate = DispatchSemaphore(value: 0)
            try await withThrowingTaskGroup(of: Bool.self) { group in
                defer { for _ in 0..<2 { gate.signal() } }
                for _ in 0..<3 { group.addTask { try await Self.block(threads.strangers, gate) } }
                #expect(try await group.next() == false)
                let stranger = await #expect(throws: OperationsError.self) {
                    _ = try await Self.signIn(office, SignInDevice(known: .random()))
                }
                #expect(stranger?.code == .overloaded)
                // A sign-in that found no place counts as no guess.
                #expect(try await pool.query("SELECT FROM sign_in_failures").isEmpty)
                let again = try await Self.signIn(office, SignInDevice(known: device.fresh))
                let token = try #require(again)
                let session = try #require(try await office.session(of: token))
                _ = try await office.confirmIdentity(
                    of: session,
                    token,
                    password: Self.password,
                    code: nil,
                    caller: .commandLine
                )
                try await office.setPassword(of: Self.email, to: "another long password", caller: .commandLine)
            }
        }
    }

    /// Takes a place and keeps it until the gate opens; returns false when there is none.
    private static func block(_ queue: PasswordQueue, _ gate: DispatchSemaphore) async throws -> Bool {
        do {
            try await queue.run { gate.wait() }
            return true
        } catch let error as OperationsError where error.code == .overloaded {
            return false
        }
    }

    private static func signIn(_ office: BackOffice, _ device: SignInDevice) async throws -> SecretToken? {
        let outcome = try await office.signIn(email: email, password: password, device: device, caller: .commandLine)
        guard case .signedIn(let token) = outcome else { return nil }
        return token
    }

    private static func withAccount(
        _ threads: PasswordThreads,
        _ body: (BackOffice, Pool) async throws -> Void
    ) async throws {
        try await withDatabase(template: DatabaseTemplate(Schema.migrator.migrations)) { pool in
            let database = Database(writing: pool, reading: pool, doorTimeout: .patient)
            let office = BackOffice(
                database: database,
                inbox: NotificationInbox(database: database),
                logger: .quiet,
                passwordCost: .ofTests,
                passwords: threads
            )
            try await office.addStaff(
                email: email,
                name: "Ada",
                role: .admin,
                password: password,
                caller: .commandLine
            )
            try await body(office, pool)
        }
    }
}
