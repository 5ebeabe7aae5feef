package import Crypto
import Foundation
package import Gateways

/// The API key that the simulated App Store has given out, as App Store Connect would: a `.p8`, its id and the issuer's.
package struct SimulatedAPIKey: Sendable {
    package let issuerID: String
    package let keyID: String
    /// PKCS #8.
    package let pem: String
    package let publicKey: P256.Signing.PublicKey

    /// Makes a new one.
    package init() {
        let key = P256.Signing.PrivateKey()
        self.init(issuerID: UUID().uuidString.lowercased(), keyID: Self.newID(), key: key)
    }

    private init(issuerID: String, keyID: String, key: P256.Signing.PrivateKey) {
        self.issuerID = issuerID
        self.keyID = keyID
        pem = key.pemRepresentation
        publicKey = key.publicKey
    }

    /// The key kept in a directory, made and written there on first use: `AuthKey_….p8` and `issuer-id`.
    package static func kept(in directory: String) throws(SimulatorError) -> SimulatedAPIKey {
        let folder = URL(filePath: directory, directoryHint: .isDirectory)
        do {
            let issuer = folder.appending(path: "issuer-id")
            let names = try FileManager.default.contentsOfDirectory(atPath: directory)
            if let name = names.sorted().first(where: { $0.hasPrefix("AuthKey_") && $0.hasSuffix(".p8") }),
                let issuerID = try? String(contentsOf: issuer, encoding: .utf8)
            {
                let pem = try String(contentsOf: folder.appending(path: name), encoding: .utf8)
                return SimulatedAPIKey(
                    issuerID: issuerID.trimmingCharacters(in: .whitespacesAndNewlines),
                    keyID: String(name.dropFirst("AuthKey_".count).dropLast(".p8".count)),
                    key: try P256.Signing.PrivateKey(pemRepresentation: pem)
                )
            }
            let key = SimulatedAPIKey()
            try Data((key.issuerID + "\n").utf8).write(to: issuer)
            guard
                FileManager.default.createFile(
                    atPath: folder.appending(path: key.fileName).path,
                    contents: Data((key.pem + "\n").utf8),
                    attributes: [.posixPermissions: 0o600]
                )
            else { throw CocoaError(.fileWriteUnknown) }
            return key
        } catch {
            throw SimulatorError(
                .unusableAuthority,
                "The API key in \(directory) cannot be used.",
                underlying: error
            )
        }
    }

    package var fileName: String { "AuthKey_\(keyID).p8" }

    /// The credentials of a client that may ask about that app.
    package func credentials(bundleID: String) throws(GatewayError) -> AppleServerCredentials {
        AppleServerCredentials(
            issuerID: issuerID,
            keyID: keyID,
            key: try AppleServerKey(pem: pem),
            bundleID: bundleID
        )
    }

    /// True if Apple would take that `Authorization` header (stores/apple.md, 2.1); `iat` is optional.
    func accepts(_ authorization: String?, bundleID: String, at now: Date) -> Bool {
        guard let authorization, authorization.hasPrefix("Bearer ") else { return false }
        let parts = authorization.dropFirst("Bearer ".count).utf8.split(
            separator: UInt8(ascii: "."),
            omittingEmptySubsequences: false
        )
        guard parts.count == 3, let header = Self.json(parts[0]), let claims = Self.json(parts[1]),
            let bytes = Base64.decode(url: parts[2]),
            let signature = try? P256.Signing.ECDSASignature(rawRepresentation: bytes),
            publicKey.isValidSignature(signature, for: Array(parts[0]) + [UInt8(ascii: ".")] + Array(parts[1]))
        else { return false }
        guard header["alg"]?.string == "ES256", header["kid"]?.string == keyID, claims["iss"]?.string == issuerID,
            claims["aud"]?.string == "appstoreconnect-v1", claims["bid"]?.string == bundleID,
            case .integer(let expiry) = claims["exp"]
        else { return false }
        let left = Double(expiry) - now.timeIntervalSince1970
        guard left > -Self.skew, left <= Self.longestLife + Self.skew else { return false }
        guard case .integer(let issued)? = claims["iat"] else { return claims["iat"] == nil }
        return Double(issued) <= now.timeIntervalSince1970 + Self.skew
            && Double(expiry) - Double(issued) <= Self.longestLife
    }

    private static func json(_ part: Substring.UTF8View) -> JSON? {
        Base64.decode(url: part).flatMap { try? JSON(parsing: $0) }
    }

    private static let longestLife: Double = 3_600
    private static let skew: Double = 60

    /// Ten letters and digits, as Apple's are.
    private static func newID() -> String {
        String((0..<10).map { _ in "ABCDEFGHJKLMNPQRSTUVWXYZ23456789".randomElement() ?? "A" })
    }
}
