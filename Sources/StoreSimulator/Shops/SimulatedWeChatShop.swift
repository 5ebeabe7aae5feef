import CryptoExtras
import Foundation

/// WeChat Pay and signing in with WeChat, for one app.
package struct SimulatedWeChatShop: SimulatedShop {
    package let pay: SimulatedWeChatPay
    private let directory: String
    private let server: SimulatedStoreServer

    /// - Parameters:
    ///   - directory: where the keys are, and are written to on first use, readable by their owner only.
    ///   - refundURL: the address that the merchant platform has for refunds' notifications; nil for none.
    /// - Throws: `.unusableAuthority`
    package init(
        keptIn directory: String,
        mode: SimulatedWeChatMode = .both,
        clock: SimulatedClock = SimulatedClock(),
        refundURL: String? = nil
    ) throws(SimulatorError) {
        self.directory = directory
        do {
            let folder = try URL.keyFolder(directory)
            let secret = try KeptFile.text(SimulatedSignIns.appSecretFile, in: folder) { KeptFile.newSecret() }
            let apiV3Key = try KeptFile.text(Self.apiV3File, in: folder) { KeptFile.newSecret() }
            let merchant = try KeptFile.key(Self.merchantFile, in: folder)
            let own = SimulatedWeChatSigner(
                publicKeyID: Self.publicKeyID,
                key: try KeptFile.key("wechat-pay.key.pem", in: folder)
            )
            try KeptFile.write(own.pem, as: Self.publicKeyFile, in: folder)
            pay = try SimulatedWeChatPay(
                SimulatedWeChatMerchant(
                    appID: SimulatedSignIns.wechatAppID,
                    merchantID: Self.merchantID,
                    serial: Self.serial,
                    key: merchant.publicKey,
                    apiV3Key: apiV3Key
                ),
                mode: mode,
                clock: clock,
                publicKey: own,
                requestTime: { clock.tokenTime }
            )
            pay.setRefundURL(refundURL)
            let people = SimulatedWeChat(
                appID: SimulatedSignIns.wechatAppID,
                appSecret: secret,
                now: { clock.now }
            )
            server = SimulatedStoreServer(clock: clock, endpoints: pay.endpoints + people.endpoints) { [pay] in
                await pay.deliverDue()
            }
        } catch {
            throw .unusable(directory, error)
        }
    }

    package func start(port: Int) async throws(SimulatorError) { try await server.start(port: port) }
    package func stop() async { await server.stop() }
    package func deliverForever() async { await server.deliverForever() }
    package var url: String { server.url }

    package var catalogEntry: String {
        """
          wechat:
            identifier: \(SimulatedSignIns.wechatAppID)
            environment: simulator
            settings:
              address: "\(url)"
              payAddress: "\(url)"
              merchantId: "\(Self.merchantID)"
              merchantSerial: \(Self.serial)
              payPublicKeyId: \(Self.publicKeyID)
            secrets:
              appSecret: "file:\(directory)/\(SimulatedSignIns.appSecretFile)"
              merchantKey: "file:\(directory)/\(Self.merchantFile)"
              apiV3Key: "file:\(directory)/\(Self.apiV3File)"
              payPublicKey: "file:\(directory)/\(Self.publicKeyFile)"
        """
    }

    private static let merchantID = "1900005157"
    private static let serial = "3A5B7C9D1E2F4A6B8C0D1E2F3A4B5C6D7E8F9A0B"
    private static let publicKeyID = "PUB_KEY_ID_0119000051572026111100000000000001"
    private static let apiV3File = "wechat-apiv3-key.txt"
    private static let merchantFile = "wechat-merchant.key.pem"
    private static let publicKeyFile = "wechat-pub_key.pem"
}
