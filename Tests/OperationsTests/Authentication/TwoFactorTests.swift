import Foundation
import Logging
import Operations
import Postgres
import Storage
import TestSupport
import Testing

@Suite("Two-factor sign-in") struct TwoFactorTests {
    private static let password = "correct horse battery"

    @Test("the password alone opens nothing; a code opens a session, and the same code no second one")
    func codes() async throws {
        try await Self.withAccount { office, clock, staff in
            let (totp, recovery) = try await Self.turnOn(office, clock, staff)
            #expect(Set(recovery).count == 10)
            let half = try await Self.half(office)
            #expect(try await office.session(of: half) == nil)
            #expect(try await office.mfaRequired(half))
            clock.advance(by: 60)
            let code = totp.code(at: TOTP.step(at: clock.read()))
            #expect(try await Self.finish(office, half, "000000") == "wrong")
            #expect(try await Self.finish(office, half, code) == "in")
            #expect(try await Self.finish(office, half, code) == "expired")
            #expect(try await Self.finish(office, try await Self.half(office), code) == "wrong")
            for code in [recovery[0].description.uppercased(), recovery[1].description.replacing("-", with: " ")] {
                #expect(try await Self.finish(office, try await Self.half(office), code) == "in")
                #expect(try await Self.finish(office, try await Self.half(office), code) == "wrong")
            }
            guard case .on(_, let left) = try await office.twoFactor(of: staff) else {
                Issue.record("it is off")
                return
            }
            #expect(left == 8)
        }
    }

    @Test("of many who bring one code at once, one comes in")
    func race() async throws {
        try await Self.withAccount { office, clock, staff in
            let (totp, _) = try await Self.turnOn(office, clock, staff)
            var halves: [SecretToken] = []
            for _ in 0..<4 { halves.append(try await Self.half(office)) }
            clock.advance(by: 60)
            let code = totp.code(at: TOTP.step(at: clock.read()))
            let answers = try await withThrowingTaskGroup(of: String.self) { group in
                for half in halves { group.addTask { try await Self.finish(office, half, code) } }
                return try await group.reduce(into: []) { $0.append($1) }
            }
            #expect(answers.filter { $0 == "in" }.count == 1)
        }
    }

    @Test("wrong codes are counted, however often the password is right in between")
    func throttled() async throws {
        try await Self.withAccount { office, clock, staff in
            let (totp, _) = try await Self.turnOn(office, clock, staff)
            for _ in 0..<5 {
                #expect(try await Self.finish(office, try await Self.half(office), "000000") == "wrong")
            }
            let half = try await Self.half(office)
            clock.advance(by: 30)
            let code = totp.code(at: TOTP.step(at: clock.read()))
            #expect(try await Self.finish(office, half, code) == "blocked")
            clock.advance(by: 60)
            let next = totp.code(at: TOTP.step(at: clock.read()))
            #expect(try await Self.finish(office, half, next) == "in")
        }
    }

    @Test("the second step is open for ten minutes, and not for an account that was shut meanwhile")
    func expiry() async throws {
        try await Self.withAccount { office, clock, staff in
            let (totp, recovery) = try await Self.turnOn(office, clock, staff)
            let half = try await Self.half(office)
            clock.advance(by: 601)
            #expect(try await Self.finish(office, half, totp.code(at: TOTP.step(at: clock.read()))) == "expired")
            let second = try await Self.half(office)
            try await Self.add("other@b.c", office)
            let change = Reason(.testing, "for the test of it")
            try await office.change(staff, .disable, reason: change, caller: .commandLine)
            #expect(try await Self.finish(office, second, recovery[0].description) == "expired")
        }
    }

    @Test("turning it on signs out whoever came in by the password alone")
    func endsSessions() async throws {
        try await Self.withAccount { office, clock, staff in
            for _ in 0..<2 { _ = try await Self.signIn(office) }
            let kept = try #require(try await office.sessions(of: staff).first)
            try await office.beginTwoFactor(of: staff, caller: .commandLine)
            guard case .begun(let totp) = try await office.twoFactor(of: staff) else { return }
            let code = totp.code(at: TOTP.step(at: clock.read()))
            _ = try await office.confirmTwoFactor(of: staff, code: code, in: kept.id, caller: .commandLine)
            #expect(try await office.sessions(of: staff).map(\.id) == [kept.id])
        }
    }

    @Test("nothing is asked for before the first code, and turning off takes both factors")
    func onAndOff() async throws {
        try await Self.withAccount { office, clock, staff in
            try await office.beginTwoFactor(of: staff, caller: .commandLine)
            guard case .signedIn = try await Self.signIn(office) else {
                Issue.record("it is asked for already")
                return
            }
            await #expect(throws: OperationsError.self) {
                _ = try await office.confirmTwoFactor(of: staff, code: "000000", caller: .commandLine)
            }
            let (totp, recovery) = try await Self.turnOn(office, clock, staff)
            await #expect(throws: OperationsError.self) {
                try await office.beginTwoFactor(of: staff, caller: .commandLine)
            }
            for (password, code) in [("wrong", recovery[0].description), (Self.password, "000000")] {
                let error = await #expect(throws: OperationsError.self) {
                    try await office.removeTwoFactor(
                        of: staff,
                        password: password,
                        code: code,
                        caller: .commandLine
                    )
                }
                #expect(error?.field == "code")
            }
            clock.advance(by: 60)
            try await office.removeTwoFactor(
                of: staff,
                password: Self.password,
                code: totp.code(at: TOTP.step(at: clock.read())),
                caller: .commandLine
            )
            guard case .signedIn = try await Self.signIn(office) else {
                Issue.record("it is still asked for")
                return
            }
        }
    }

    @Test("the secret and the recovery codes do not lie open in the database")
    func sealed() async throws {
        try await Self.withAccount { office, clock, staff in
            let (totp, recovery) = try await Self.turnOn(office, clock, staff)
            let rows = try await office.database.writeAlone("SELECT sealed_secret FROM staff_two_factor")
            let kept = try #require(rows.first).decode(0, as: [UInt8].self)
            #expect(kept.count == 12 + totp.secret.count + 16)
            #expect(!kept.hexadecimal.contains(totp.secret.hexadecimal))
            let hashes = try await office.database.writeAlone("SELECT code_hash FROM staff_recovery_codes")
                .map { try $0.decode(0, as: [UInt8].self) }
            #expect(hashes.count == 10)
            #expect(!hashes.contains(Array(recovery[0].description.utf8)))
            let stranger = BackOffice(
                database: office.database,
                inbox: office.inbox,
                logger: .quiet,
                cipher: FieldCipher(secret: Array("another installation, another secret".utf8))
            )
            let half = try await Self.half(office)
            let error = await #expect(throws: OperationsError.self) {
                _ = try await stranger.finishSignIn(half, code: recovery[0].description, caller: .commandLine)
            }
            #expect(error?.code == .misconfigured)
        }
    }

    @Test("who proves who they are gets another token; password and code both do")
    func identity() async throws {
        try await Self.withAccount { office, clock, staff in
            guard case .signedIn(let first) = try await Self.signIn(office) else {
                Issue.record("could not sign in")
                return
            }
            let own = try #require(try await office.session(of: first)).id
            let (totp, _) = try await Self.turnOn(office, clock, staff, in: own)
            var token = first
            clock.advance(by: 601)
            for useCode in [false, true] {
                clock.advance(by: 601)
                let session = try #require(try await office.session(of: token))
                #expect(!session.isFresh(at: clock.read()))
                await #expect(throws: OperationsError.self) {
                    _ = try await office.confirmIdentity(
                        of: session,
                        token,
                        password: useCode ? nil : "wrong",
                        code: "000000",
                        caller: .commandLine
                    )
                }
                let renewed = try await office.confirmIdentity(
                    of: session,
                    token,
                    password: useCode ? nil : Self.password,
                    code: useCode ? totp.code(at: TOTP.step(at: clock.read())) : nil,
                    caller: .commandLine
                )
                #expect(try await office.session(of: token) == nil)
                #expect(try await office.session(of: renewed)?.isFresh(at: clock.read()) == true)
                #expect(try await office.session(of: renewed)?.id == session.id)
                token = renewed
            }
        }
    }

    private static func turnOn(
        _ office: BackOffice,
        _ clock: TestClock,
        _ staff: Staff.ID,
        in session: StaffSession.ID? = nil
    ) async throws -> (TOTP, [RecoveryCode]) {
        if case .off = try await office.twoFactor(of: staff) {
            try await office.beginTwoFactor(of: staff, caller: .commandLine)
        }
        guard case .begun(let totp) = try await office.twoFactor(of: staff) else {
            throw OperationsError(.conflict, "not begun")
        }
        let code = totp.code(at: TOTP.step(at: clock.read()))
        return (totp, try await office.confirmTwoFactor(of: staff, code: code, in: session, caller: .commandLine))
    }

    private static func signIn(_ office: BackOffice) async throws -> SignInOutcome {
        try await office.signIn(email: "a@b.c", password: password, caller: .commandLine)
    }

    private static func half(_ office: BackOffice) async throws -> SecretToken {
        guard case .mfaRequired(let half) = try await signIn(office) else {
            throw OperationsError(.conflict, "no code is asked for")
        }
        return half
    }

    private static func finish(_ office: BackOffice, _ half: SecretToken, _ code: String) async throws -> String {
        switch try await office.finishSignIn(half, code: code, caller: .commandLine) {
        case .signedIn(let token): try await office.session(of: token) == nil ? "no session" : "in"
        case .wrong: "wrong"
        case .blocked: "blocked"
        case .expired: "expired"
        }
    }

    private static func add(_ email: String, _ office: BackOffice) async throws {
        try await office.addStaff(email: email, name: "Ada", role: .admin, password: password, caller: .commandLine)
    }

    private static func withAccount(
        _ body: @Sendable (BackOffice, TestClock, Staff.ID) async throws -> Void
    ) async throws {
        try await withDatabase(template: DatabaseTemplate(Schema.migrator.migrations)) { pool in
            let clock = TestClock(TestOffice.start)
            let database = Database(writing: pool, reading: pool, clock: clock.read, doorTimeout: .patient)
            let office = BackOffice(
                database: database,
                inbox: NotificationInbox(database: database),
                logger: .quiet,
                cipher: FieldCipher(secret: Array("a secret of this test, and of it alone".utf8)),
                passwordCost: .ofTests
            )
            try await add("a@b.c", office)
            try await body(office, clock, try await office.staff("a@b.c").id)
        }
    }
}
