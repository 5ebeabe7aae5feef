import Crypto
import CryptoExtras
import Foundation

/// A password as it is kept: its scrypt (RFC 7914) with the salt and the cost, in one line of text.
package struct PasswordHash: Sendable, Hashable {
    package var cost: Cost
    package var salt: [UInt8]
    package var derived: [UInt8]

    /// The cost of one guess.
    package struct Cost: Sendable, Hashable {
        /// Base-2 logarithm of the rounds; memory is 2^logRounds * blockSize * 128 bytes.
        package var logRounds: Int
        package var blockSize: Int
        package var parallelism: Int

        package init(logRounds: Int, blockSize: Int, parallelism: Int) {
            self.logRounds = logRounds
            self.blockSize = blockSize
            self.parallelism = parallelism
        }

        /// 32 MiB and about a tenth of a second.
        package static let standard = Cost(logRounds: 15, blockSize: 8, parallelism: 1)

        /// Keeps a row that somebody wrote by hand from taking all memory.
        var isReasonable: Bool {
            (10...18).contains(logRounds) && (1...16).contains(blockSize) && (1...16).contains(parallelism)
        }
    }

    /// Takes as long as the cost says: not for a thread that serves requests.
    package init(of password: String, salt: [UInt8], cost: Cost = .standard) throws {
        self.cost = cost
        self.salt = salt
        derived = try Self.derive(password, salt: salt, cost: cost)
    }

    /// True if the password is right; takes as long as the cost says, and the comparison itself always takes the same time.
    package func matches(_ password: String) throws -> Bool {
        SecretComparison.areEqual(try Self.derive(password, salt: salt, cost: cost), derived)
    }

    /// The hash to compare with where there is no account: the same work, and no password fits it.
    package static let ofNobody = PasswordHash(
        cost: .standard,
        salt: Array(repeating: 0, count: saltLength),
        derived: Array(repeating: 0, count: hashLength)
    )

    package static let saltLength = 16
    private static let hashLength = 32

    private init(cost: Cost, salt: [UInt8], derived: [UInt8]) {
        self.cost = cost
        self.salt = salt
        self.derived = derived
    }

    /// Composed characters (NFC), so that the same letters typed on another system are the same password.
    private static func derive(_ password: String, salt: [UInt8], cost: Cost) throws -> [UInt8] {
        let key = try KDF.Scrypt.deriveKey(
            from: Array(password.precomposedStringWithCanonicalMapping.utf8),
            salt: salt,
            outputByteCount: hashLength,
            rounds: 1 << cost.logRounds,
            blockSize: cost.blockSize,
            parallelism: cost.parallelism
        )
        return key.withUnsafeBytes { Array($0) }
    }
}

extension PasswordHash: LosslessStringConvertible {
    /// `$scrypt$ln=15,r=8,p=1$salt$hash`, the last two in base64 without padding.
    package var description: String {
        "$scrypt$ln=\(cost.logRounds),r=\(cost.blockSize),p=\(cost.parallelism)$\(Self.text(salt))$\(Self.text(derived))"
    }

    package init?(_ description: String) {
        let parts = description.split(separator: "$", omittingEmptySubsequences: false)
        guard parts.count == 5, parts[0].isEmpty, parts[1] == "scrypt", let cost = Cost(parts[2]),
            let salt = Self.bytes(parts[3]), let derived = Self.bytes(parts[4]), derived.count == Self.hashLength
        else { return nil }
        self.init(cost: cost, salt: salt, derived: derived)
    }

    private static func text(_ bytes: [UInt8]) -> String {
        String(Data(bytes).base64EncodedString().prefix { $0 != "=" })
    }

    private static func bytes(_ text: Substring) -> [UInt8]? {
        let padding = String(repeating: "=", count: (4 - text.utf8.count % 4) % 4)
        return Data(base64Encoded: text + padding).map { Array($0) }
    }
}

extension PasswordHash.Cost {
    fileprivate init?(_ text: Substring) {
        let settings = text.split(separator: ",").map { $0.split(separator: "=") }
        guard settings.map(\.first) == ["ln", "r", "p"], settings.allSatisfy({ $0.count == 2 }),
            let logRounds = Int(settings[0][1]), let blockSize = Int(settings[1][1]),
            let parallelism = Int(settings[2][1])
        else { return nil }
        self.init(logRounds: logRounds, blockSize: blockSize, parallelism: parallelism)
        guard isReasonable else { return nil }
    }
}
