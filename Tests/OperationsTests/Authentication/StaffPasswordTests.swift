import Foundation
import Storage
import Testing

@testable import Operations

@Suite("Staff passwords") struct StaffPasswordTests {
    @Test("the right password matches, a wrong one does not, through the text that is kept")
    func roundTrip() throws {
        let hash = try PasswordHash(of: "correct horse", salt: Array(0..<16), cost: .ofTests)
        let kept = try #require(PasswordHash(hash.description))
        #expect(kept == hash)
        #expect(try kept.matches("correct horse"))
        #expect(try !kept.matches("correct horse "))
        #expect(try !kept.matches(""))
        #expect(hash.description.hasPrefix("$scrypt$ln=10,r=8,p=1$AAECAwQFBgcICQoLDA0ODw$"))
    }

    @Test("scrypt gives what RFC 7914 section 12 says")
    func testVector() throws {
        let cost = PasswordHash.Cost(logRounds: 14, blockSize: 8, parallelism: 1)
        let hash = try PasswordHash(of: "pleaseletmein", salt: Array("SodiumChloride".utf8), cost: cost)
        #expect(hash.derived.hexadecimal == "7023bdcb3afd7348461c06cd81fd38ebfda8fbba904f8e3ea9b543f6545da1f2")
    }

    @Test("the same letters typed in another Unicode form are the same password")
    func composed() throws {
        let hash = try PasswordHash(of: "caf\u{E9} \u{1E9B}\u{323}", salt: Array(0..<16), cost: .ofTests)
        #expect(try hash.matches("cafe\u{301} \u{17F}\u{323}\u{307}"))
    }

    @Test("salts make equal passwords differ")
    func salted() throws {
        let one = try PasswordHash(of: "correct horse", salt: Array(0..<16), cost: .ofTests)
        let two = try PasswordHash(of: "correct horse", salt: Array(1..<17), cost: .ofTests)
        #expect(one.derived != two.derived)
    }

    @Test(
        "text that is no hash of ours is nil",
        arguments: [
            "", "password", "$scrypt$", "$scrypt$ln=10,r=8,p=1$AAAA$AAAA", "$argon2$ln=10,r=8,p=1$AAAA$AAAA",
            "$scrypt$ln=30,r=8,p=1$AAAA$" + String(repeating: "A", count: 43),
            "$scrypt$ln=99999999999999999999,r=8,p=1$AAAA$" + String(repeating: "A", count: 43),
            "$scrypt$r=8,ln=10,p=1$AAAA$" + String(repeating: "A", count: 43),
            "$scrypt$ln=10,r=8,p=1$!!!!$" + String(repeating: "A", count: 43),
        ]
    )
    func nonsense(_ text: String) {
        #expect(PasswordHash(text) == nil)
    }

    @Test("a hash that differs in one byte, whichever, is another password's")
    func eachByteCounts() throws {
        let hash = try PasswordHash(of: "correct horse", salt: Array(0..<16), cost: .ofTests)
        for index in hash.derived.indices {
            var other = hash
            other.derived[index] ^= 1
            #expect(try !other.matches("correct horse"))
        }
    }

    @Test("secrets are the same when each byte is, and as many")
    func comparison() {
        let secret = (0..<32).map { UInt8($0) }
        #expect(SecretComparison.areEqual(secret, secret))
        #expect(!SecretComparison.areEqual(secret, Array(secret.dropLast())))
        #expect(!SecretComparison.areEqual(secret, Array(secret.reversed())))
        #expect(!SecretComparison.areEqual([UInt8](), secret))
        for index in secret.indices {
            for bit in 0..<8 {
                var other = secret
                other[index] ^= 1 << bit
                #expect(!SecretComparison.areEqual(secret, other))
            }
        }
    }

    @Test("nobody's hash costs the standard work and no password fits it")
    func nobody() throws {
        #expect(PasswordHash.ofNobody.cost == .standard)
        #expect(try !PasswordHash.ofNobody.matches(""))
    }

    @Test(
        "a password that is too short, too long or too simple is refused",
        arguments: [
            "", "elevenchars", String(repeating: "a", count: 20), String(repeating: "abcde", count: 26), "abababababab",
            "somebody@example.com", "SOMEBODY@example.com", "has a \0 in the middle",
        ]
    )
    func refused(_ password: String) {
        let error = #expect(throws: OperationsError.self) {
            try PasswordRules.check(password, email: "somebody@example.com")
        }
        #expect(error?.code == .invalid)
        #expect(error?.field == "password")
    }

    @Test(
        "long, spaced and international passwords are welcome",
        arguments: [
            "twelve chars", "正确的马电池订书钉一二三", String(repeating: "a few odd words ", count: 8), "tr0ub4dor & 3 şifre",
        ]
    )
    func accepted(_ password: String) throws {
        try PasswordRules.check(password, email: "somebody@example.com")
    }

    @Test("whoever changes their own password ends the link that would set another one")
    func linkEnds() async throws {
        try await TestOffice.run { office in
            let (backOffice, email, old) = (office.backOffice, "ada@example.com", "correct horse battery")
            try await backOffice.addStaff(email: email, name: "Ada", role: .admin, password: old, caller: .commandLine)
            let outcome = try await backOffice.signIn(email: email, password: old, caller: .commandLine)
            guard case .signedIn(let token) = outcome, let session = try await backOffice.session(of: token) else {
                Issue.record("could not sign in")
                return
            }
            let reason = Reason(.other, "Somebody may have read the mail.")
            let sent = try await backOffice.sendPasswordReset(session.staff, reason: reason, caller: .commandLine)
            let link = try #require(sent).token
            #expect(try await backOffice.link(of: link) != nil)
            _ = try await backOffice.changeOwnPassword(
                of: session,
                token,
                from: old,
                to: "another good password",
                caller: .commandLine
            )
            #expect(try await backOffice.link(of: link) == nil)
            let error = await #expect(throws: OperationsError.self) {
                try await backOffice.setPassword(by: link, to: "a third good password", caller: .commandLine)
            }
            #expect(error?.code == .notFound)
        }
    }
}
