import Billing
import Foundation
import Gateways
import Testing

@testable import StoreSimulator

@Suite("WeChat's and Alipay's sign-in, as the command serves them")
struct SimulatedSignInsTests {
    @Test("the keys are kept, readable by their owner, and are those that an app's catalogue names")
    func kept() throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let served = try SimulatedSignIns(keptIn: folder.path, clock: SimulatedClock())
        let first = try files(in: folder)
        _ = try SimulatedSignIns(keptIn: folder.path, clock: SimulatedClock())
        #expect(try files(in: folder) == first)
        #expect(
            first.keys.sorted() == ["alipay-app.key.pem", "alipay.key.pem", "alipay.pub.pem", "wechat-app-secret.txt"]
        )
        for name in first.keys where name != SimulatedSignIns.alipayPublicKeyFile {
            let path = folder.appending(path: name).path
            let mode = try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
            #expect(mode == 0o600, "\(name)")
        }
        #expect(served.endpoints.map(\.path).contains("/simulator/alipay/sign-in"))
        let wechat = StoreAccount(
            store: .wechat,
            identifier: SimulatedSignIns.wechatAppID,
            isSimulated: true,
            settings: [WeChatSetting.address: "http://127.0.0.1:9090"],
            secrets: [WeChatSetting.appSecret: Secret(try #require(first[SimulatedSignIns.appSecretFile]))]
        )
        #expect(try WeChatConfiguration(wechat) != nil)
        let alipay = StoreAccount(
            store: .alipay,
            identifier: SimulatedSignIns.alipayAppID,
            isSimulated: true,
            settings: [AlipaySetting.gateway: "http://127.0.0.1:9090/gateway.do"],
            secrets: [
                AlipaySetting.privateKey: Secret(try #require(first[SimulatedSignIns.appKeyFile])),
                AlipaySetting.alipayPublicKey: Secret(try #require(first[SimulatedSignIns.alipayPublicKeyFile])),
            ]
        )
        #expect(try AlipayConfiguration(alipay) != nil)
    }

    @Test("a directory that cannot be written is named")
    func unusable() {
        let error = #expect(throws: SimulatorError.self) {
            _ = try SimulatedSignIns(keptIn: "/nonexistent/of-this-test", clock: SimulatedClock())
        }
        #expect(error?.code == .unusableAuthority)
    }

    /// Returns the files of a folder by name, without the last line's end.
    private func files(in folder: URL) throws -> [String: String] {
        let names = try FileManager.default.contentsOfDirectory(atPath: folder.path)
        let texts = try names.map { name in
            (name, try String(contentsOf: folder.appending(path: name), encoding: .utf8))
        }
        return Dictionary(uniqueKeysWithValues: texts).mapValues { $0.trimmingCharacters(in: .whitespacesAndNewlines) }
    }
}
