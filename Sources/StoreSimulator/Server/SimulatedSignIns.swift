import CryptoExtras
import Foundation

/// WeChat's and Alipay's sign-in, as the simulated ones play them for one app, whose keys are kept in a directory.
package struct SimulatedSignIns: Sendable {
    package static let wechatAppID = "wx5157a1a7edb00c01"
    package static let alipayAppID = "2021000000000001"
    /// The files that the app's catalogue names, in the directory: the AppSecret, the app's private key, and Alipay's public key.
    package static let appSecretFile = "wechat-app-secret.txt"
    package static let appKeyFile = "alipay-app.key.pem"
    package static let alipayPublicKeyFile = "alipay.pub.pem"
    static let alipayKeyFile = "alipay.key.pem"

    package let wechat: SimulatedWeChat
    package let alipay: SimulatedAlipay

    /// - Parameter directory: where the keys are, and are written to on first use, readable by their owner only.
    /// - Throws: `.unusableAuthority` where they cannot be read, or not be written.
    package init(keptIn directory: String, clock: SimulatedClock) throws(SimulatorError) {
        let folder = URL(filePath: directory, directoryHint: .isDirectory)
        do {
            let secret = try KeptFile.text(Self.appSecretFile, in: folder) {
                KeptFile.newSecret()
            }
            let app = try KeptFile.key(Self.appKeyFile, in: folder)
            let alipay = try KeptFile.key(Self.alipayKeyFile, in: folder)
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

    /// The paths that the simulated store serves.
    package var endpoints: [SimulatedEndpoint] { wechat.endpoints + alipay.endpoints }
}
