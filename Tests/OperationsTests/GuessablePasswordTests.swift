import Foundation
import Postgres
import Storage
import Testing

@testable import Operations

@Suite("Passwords that are guessed first") struct GuessablePasswordTests {
    private static let email = "ada.lovelace@analytical-engines.example"

    private static func isRefused(_ password: String) -> Bool {
        do throws(OperationsError) {
            try PasswordRules.check(password, email: email)
            return false
        } catch {
            return error.field == "password" && error.isGuessable
        }
    }

    @Test(
        "of the most common passwords more than 3,000 are as long as ours have to be, and each is refused (ASVS 6.2.4)"
    )
    func list() {
        let long = CommonPasswords.all.map(String.init).filter { PasswordRules.lengths.contains($0.count) }
        #expect(long.count > 3_000)
        #expect(long.contains("password1234") && long.contains("q1w2e3r4t5y6"))
        // What has fewer than five different characters breaks another rule.
        #expect(long.filter { !Self.isRefused($0) && Set($0).count >= 5 } == [])
        #expect(long.filter { !Self.isRefused($0.uppercased()) && Set($0).count >= 5 } == [])
    }

    @Test(
        "a common word is no better with capitals, a year, digits, signs, look-alikes, or said twice: each tenth of 3,000"
    )
    func variations() {
        let long = CommonPasswords.all.lazy.map(String.init).filter { $0.count >= 6 && $0.allSatisfy(\.isLetter) }
        let words = Array(long.prefix(3_000))
        #expect(words.count == 3_000)
        for word in stride(from: 0, to: words.count, by: 10).map({ words[$0] }) {
            let filled = word + String("1234567890".prefix(max(4, 12 - word.count)))
            let looks = word.replacing("a", with: "@").replacing("o", with: "0").replacing("s", with: "$")
            let all = [
                filled, filled.capitalized, word + "2024!?", "!!" + word + "2024",
                word + word, word.capitalized + " " + word.capitalized + " ", looks + "123456", word + "_____1",
            ]
            for password in all where password.count >= 12 && Set(password).count >= 5 {
                #expect(Self.isRefused(password), "\(password)")
            }
        }
    }

    @Test(
        "the account's address, the product's name and what is next to them are refused",
        arguments: [
            "ada.lovelace", "adalovelace1815", "Ada.Lovelace!!", "lovelace-2026", "L0vel4ce2026!", "perennial2026",
            "Perennial123!", "p3r3nn14l!!!!", "perennialadmin", "adalovelaceperennial", "analytical-engines",
            "analyticalengines1", "analytical1843", "lovelacepassword", "perennialperennial",
        ]
    )
    func known(_ password: String) {
        #expect(Self.isRefused(password))
    }

    @Test(
        "runs of the alphabet, of digits and of the keyboard are refused, however they are put together",
        arguments: [
            "abcdefghijkl", "zyxwvutsrqpo", "123456789012", "qwertyuiopas", "qwertyuiopğü", "asdfghjkl123",
            "abcd1234efgh",
            "йцукенгшщзхъ", "mnbvcxzlkjhg", "1234abcd1234abcd", "vxyz!vxyz!vxyz!",
        ]
    )
    func runs(_ password: String) {
        #expect(Self.isRefused(password))
    }

    @Test(
        "what nobody tries first is welcome, though a common word is in it",
        arguments: [
            "correct horse battery", "a good long password", "another good password", "monkey sees teapot",
            "kırmızı balık göl 7",
            "dragon-lantern-fudge", "password manager of mine", "my perennial roses bloom", "正确的马电池订书钉一二三",
            "Monkey 83#61!74$92", "ada likes steam trains", "tr0ub4dor & 3 şifre",
        ]
    )
    func welcome(_ password: String) throws {
        try PasswordRules.check(password, email: Self.email)
    }

    @Test("of 1,000 passwords that a generator made none is refused")
    func generated() {
        var state: UInt64 = 0x9E37_79B9_7F4A_7C15
        let alphabet = Array("ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz23456789!#%+:=?@-_")
        for _ in 0..<1_000 {
            let password = String(
                (0..<16).map { _ in
                    state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
                    return alphabet[Int((state >> 33) % UInt64(alphabet.count))]
                }
            )
            #expect(!Self.isRefused(password), "\(password)")
        }
    }

    @Test(
        "every way to set a password refuses it: a new account, the command line, a link, oneself; nothing is changed"
    )
    func everyWay() async throws {
        try await TestOffice.run { office in
            let (backOffice, guessed, good) = (office.backOffice, "Password1234", "correct horse battery")
            func problem(_ body: () async throws -> Void) async -> Bool {
                let error = await #expect(throws: OperationsError.self) { try await body() }
                return error?.isGuessable ?? false
            }
            let name = "Ada"
            #expect(
                await problem {
                    try await backOffice.addStaff(
                        email: Self.email,
                        name: name,
                        role: .admin,
                        password: guessed,
                        caller: .commandLine
                    )
                }
            )
            try await backOffice.addStaff(
                email: Self.email,
                name: name,
                role: .admin,
                password: good,
                caller: .commandLine
            )
            let kept = try await office.lines("SELECT password_hash FROM staff")
            #expect(
                await problem {
                    try await backOffice.setPassword(of: Self.email, to: guessed, caller: .commandLine)
                }
            )
            let staff = try await backOffice.staff(Self.email)
            let reason = Reason(.other, "Somebody forgot the password.")
            let link = try #require(try await backOffice.sendBackIn(staff.id, reason: reason, caller: .commandLine))
            #expect(
                await problem { try await backOffice.setPassword(by: link.token, to: guessed, caller: .commandLine) }
            )
            let outcome = try await backOffice.signIn(email: Self.email, password: good, caller: .commandLine)
            guard case .signedIn(let token) = outcome, let session = try await backOffice.session(of: token) else {
                Issue.record("the password is not the one that was set")
                return
            }
            #expect(
                await problem {
                    _ = try await backOffice.changeOwnPassword(
                        of: session,
                        token,
                        from: good,
                        to: guessed,
                        caller: .commandLine
                    )
                }
            )
            #expect(try await office.lines("SELECT password_hash FROM staff") == kept)
        }
    }
}
