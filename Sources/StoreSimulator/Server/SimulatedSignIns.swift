import Crypto
import CryptoExtras
import Foundation

/// WeChat's and Alipay's sign-in, as the simulated ones play them for one app, whose keys are kept in a directory.
package struct SimulatedSignIns: Sendable {
    package static let wechatAppID = "wx5157a1a7edb00c01"
    package static let alipayAppID = "2021000000000001"
    /// What the app's catalogue names, in the directory: the AppSecret, the app's private key, and Alipay's public key.
    package static let appSecretFile = "wechat-app-secret.txt"
    package static let appKeyFile = "alipay-app.key.pem"
    package static let alipayPublicKeyFile = "alipay.pub.pem"
    private static let alipayKeyFile = "alipay.key.pem"

    package let wechat: SimulatedWeChat
    package let alipay: SimulatedAlipay

    /// - Parameter directory: where the keys are, and are written to on first use, readable by their owner only.
    /// - Throws: `.unusableAuthority` where they cannot be read, or not be written.
    package init(keptIn directory: String, clock: SimulatedClock) throws(SimulatorError) {
        let folder = URL(filePath: directory, directoryHint: .isDirectory)
        do {
            let secret = try Self.kept(Self.appSecretFile, in: folder) {
                SymmetricKey(size: .bits128).withUnsafeBytes { bytes in
                    bytes.map { String($0 >> 4, radix: 16) + String($0 & 15, radix: 16) }.joined()
                }
            }
            let app = try Self.key(Self.appKeyFile, in: folder)
            let alipay = try Self.key(Self.alipayKeyFile, in: folder)
            try Data((alipay.publicKey.pemRepresentation + "\n").utf8).write(
                to: folder.appending(path: Self.alipayPublicKeyFile)
            )
            wechat = SimulatedWeChat(appID: Self.wechatAppID, appSecret: secret, now: { clock.now })
            self.alipay = SimulatedAlipay(
                appID: Self.alipayAppID,
                appKey: app.publicKey,
                key: alipay,
                now: { clock.now }
            )
        } catch {
            throw SimulatorError(
                .unusableAuthority,
                "The keys for signing in with WeChat and Alipay in \(directory) cannot be used.",
                underlying: error
            )
        }
    }

    /// What the simulated store serves.
    package var endpoints: [SimulatedEndpoint] { wechat.endpoints + alipay.endpoints }

    private static func key(_ name: String, in folder: URL) throws -> _RSA.Signing.PrivateKey {
        let pem = try kept(name, in: folder) {
            try _RSA.Signing.PrivateKey(keySize: .bits2048).pkcs8PEMRepresentation
        }
        return try _RSA.Signing.PrivateKey(pemRepresentation: pem)
    }

    /// The text of a file without the line's end; made and written where there is none. It gets its name once it is whole.
    private static func kept(_ name: String, in folder: URL, make: () throws -> String) throws -> String {
        let (files, file) = (FileManager.default, folder.appending(path: name))
        if !files.fileExists(atPath: file.path) {
            let unfinished = folder.appending(path: "\(name).new")
            let isWritten = files.createFile(
                atPath: unfinished.path,
                contents: Data((try make() + "\n").utf8),
                attributes: [.posixPermissions: 0o600]
            )
            guard isWritten else { throw CocoaError(.fileWriteUnknown) }
            try files.moveItem(at: unfinished, to: file)
        }
        return try String(contentsOf: file, encoding: .utf8).trimmingCharacters(in: .whitespacesAndNewlines)
    }
}
