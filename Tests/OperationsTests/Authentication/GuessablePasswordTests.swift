// Whose `timespec` it is depends on what else is compiled: Foundation exports both.
import CoreFoundation
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
        "of the most common leaked passwords more than 3,000 fit our other rules, and each is refused (ASVS 6.2.4)"
    )
    func list() {
        let long = CommonPasswords.leaked.map(String.init).filter {
            // A password of fewer than five different characters breaks another rule.
            PasswordRules.lengths.contains($0.count) && Set($0).count >= 5
        }
        #expect(long.count > 3_000)
        #expect(long.contains("password1234") && long.contains("q1w2e3r4t5y6") && long.contains("mercedesbenz"))
        #expect(long.filter { !Self.isRefused($0) } == [])
        #expect(long.filter { !Self.isRefused($0.uppercased()) } == [])
    }

    @Test(
        "a common word is no better with capitals, a year, digits, signs, look-alikes, or said twice: each tenth of 3,000"
    )
    func variations() {
        let long = CommonPasswords.leaked.lazy.map(String.init).filter { $0.count >= 6 && $0.allSatisfy(\.isLetter) }
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
        "runs of the alphabet, of digits and of the keyboard are refused, with shift too, however they are put together",
        arguments: [
            "abcdefghijkl", "zyxwvutsrqpo", "123456789012", "qwertyuiopas", "qwertyuiopğü", "asdfghjkl123",
            "abcd1234efgh", "йцукенгшщзхъ", "mnbvcxzlkjhg", "1234abcd1234abcd", "vxyz!vxyz!vxyz!",
            "!QAZ2wsx#EDC", "zaq1@WSX3edc", "1qaz!QAZ2wsx", "qazwsxedc!QAZ", "qwer!QWER4321", "!@#$%^&*()qwerty",
            "1q2w3e4r5t6y7u8i", "qwertyuiop[]",
        ]
    )
    func runs(_ password: String) {
        #expect(Self.isRefused(password))
    }

    @Test(
        "what common pieces make up is refused: words said again, with digits and signs between them, and phrases",
        arguments: [
            "adminadmin1234", "admin@admin123", "testtest1234", "rootroot1234", "secretsecret1", "nicolenicole1",
            "zaphodzaphod77", "root12345678", "pwd123456789", "passphrase123", "rootadmin!123", "password1password2",
            "password-password1", "P@ssw0rd1P@ssw0rd2", "trustno1trustno2", "letmein!letmein?", "iloveyou+iloveyou",
            "hunter2hunter2", "dragonmonkey12", "footballbaseball", "sunshinebutterfly", "michaeljordan23",
            "iloveyoubaby", "iloveyouforever", "iloveyousomuch", "I love you so much", "letmeinplease",
            "Let Me In Please!", "anothergoodpassword", "mynameisjohn", "starwars4ever", "lovelacedragon7",
            "thequickbrownfox", "The quick brown fox", "correcthorsebatterystaple", "correct horse battery staple",
            "To be or not to be",
        ]
    )
    func pieces(_ password: String) {
        #expect(Self.isRefused(password))
    }

    @Test(
        "months, days and what else stands in passwords here are refused, with and without the marks of Turkish letters",
        arguments: [
            "december2024!", "January2025!!", "Summer2024Winter", "Monday-Tuesday", "monday2024tuesday",
            "Temmuz2023!!", "Aralık2024!!", "ARALIK2024!!", "aralik2024!!!", "Pazartesi123!", "çarşamba2025!",
            "temmuz2023temmuz", "İstanbul2024!", "Galatasaray1905", "şifre12345678", "Sifrem123456",
            "Seni seviyorum!", "woaini1314520", "我的密码2024!!!!",
        ]
    )
    func calendar(_ password: String) {
        #expect(Self.isRefused(password))
    }

    @Test(
        "what nobody tries first is welcome, though a common word is in it",
        arguments: [
            "correct horse battery", "a good long password", "another good password", "monkey sees teapot",
            "dragon-lantern-fudge", "password manager of mine", "my perennial roses bloom", "Monkey 83#61!74$92",
            "ada likes steam trains", "tr0ub4dor & 3 şifre", "staple gravel orchid sonnet", "staplegravelorchidsonnet",
            "velvet-otter-canyon-drum", "purplemonkeydishwasher", "hunter riding bicycle", "December rain on tin roofs",
            "rainy tuesdays in lisbon", "teapot under seven bridges", "password hunter kayak lamp",
            "kırmızı balık göl 7", "mor kaplumbağa çay içer", "yağmurda ıslak şemsiye", "Ankara'da kar yağarken",
            "kedimuzikdinler", "正确的马电池订书钉一二三", "周末去爬山看日出吃一碗面", "咖啡不加糖 2 杯放在窗前",
            "Zürich trams run late", "xk7vq2mmpzlw", "hvqzkrtmwyxb", "K9#vTq2!mZpL", "Xr4-tGb8.wQn", "GJ7k2mNp4QrT",
            "9d8fk2jq0x7b",
        ]
    )
    func welcome(_ password: String) throws {
        try PasswordRules.check(password, email: Self.email)
    }

    @Test("of 1,000 passphrases of four words of the 2,000 most frequent none is refused, with and without spaces")
    func passphrases() {
        var numbers = Numbers()
        let words = CommonPasswords.words.prefix(2_000).filter { $0.count >= 4 }
        for _ in 0..<1_000 {
            let drawn = (0..<4).map { _ in String(words[numbers.next(below: words.count)]) }
            for password in [drawn.joined(), drawn.joined(separator: " ")] where Set(drawn).count == 4 {
                #expect(!Self.isRefused(password), "\(password)")
            }
        }
    }

    @Test("of 1,000 passwords that a generator made none is refused", arguments: [12, 16])
    func generated(_ length: Int) {
        var numbers = Numbers()
        let alphabet = Array("ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz23456789!#%+:=?@-_")
        for _ in 0..<1_000 {
            let password = String((0..<length).map { _ in alphabet[numbers.next(below: alphabet.count)] })
            #expect(!Self.isRefused(password), "\(password)")
        }
    }

    @Test("a check is short work: of 1,000 characters, which are no password, it is next to none")
    func workOnTooMuch() {
        for unit in ["password1!", "1!aA"] {
            #expect(Self.time(of: String(repeating: unit, count: 1_000 / unit.count)) < .milliseconds(5))
        }
    }

    @Test(
        "a check is short work, however many ways there are to split and to read a password: 128 characters at most",
        arguments: ["password", "thethatthe", "iloveyou1 ", "a", "4", "1!", "q1w2", "ada.lovelace"]
    )
    func work(_ unit: String) {
        let many = String(repeating: unit, count: 100)
        let (whole, half, most) = (many.prefix(128), many.prefix(64), many.prefix(120))
        for password in ["\(whole)", "\(half)k\(half.dropLast())", "4153\(most)7041"] {
            #expect(Self.time(of: password) < .milliseconds(250), "\(password)")
        }
    }

    private static func time(of password: String) -> Duration {
        let guessable = GuessablePassword(of: email)
        // The first check reads the lists.
        let times = (0..<6).map { _ in
            let start = processorTime()
            _ = guessable.isGuessed(password)
            return processorTime() - start
        }
        return times.min() ?? .seconds(60)
    }

    /// Returns the processor time of this thread, however busy the machine is.
    private static func processorTime() -> Duration {
        var time = timespec()
        clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
        return .seconds(time.tv_sec) + .nanoseconds(time.tv_nsec)
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
            let link = try #require(
                try await backOffice.sendPasswordReset(staff.id, reason: reason, caller: .commandLine)
            )
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

/// Generates the same numbers in each run.
private struct Numbers {
    private var state: UInt64 = 0x9E37_79B9_7F4A_7C15

    mutating func next(below bound: Int) -> Int {
        state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
        return Int((state >> 33) % UInt64(bound))
    }
}
