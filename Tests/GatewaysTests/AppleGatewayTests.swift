import Billing
import Crypto
import Gateways
import StoreSimulator
import Testing

@Suite("What an app's account at Apple may say") struct AppleGatewayTests {
    private let gateway = AppleGateway()
    private let key = Secret(P256.Signing.PrivateKey().pemRepresentation)

    @Test("an app of the App Store asks Apple's own addresses, with the secrets that it has")
    func realStore() throws {
        let bare = account()
        try gateway.check(bare)
        #expect(try gateway.verifyReceiptClient(of: bare) != nil)
        #expect(try gateway.signInConfiguration(of: bare) == nil)
        let whole = account(signIn, [AppleSetting.sharedSecret: Secret("0a1b"), AppleSetting.signInPrivateKey: key])
        try gateway.check(whole)
        #expect(whole.sharedSecret?.revealed == "0a1b")
        let signIn = try #require(try gateway.signInConfiguration(of: whole))
        #expect(signIn.clientIDs == ["test.shop", "test.web"])
        #expect(signIn.address == AppleSignInConfiguration.apple)
        #expect(try gateway.signInClient(of: whole) != nil)
    }

    @Test("an app of a test store names where it is asked, and never asks Apple")
    func simulated() throws {
        let bare = account(isSimulated: true)
        try gateway.check(bare)
        #expect(try gateway.verifyReceiptClient(of: bare) == nil)
        #expect(
            field(account([:], [AppleSetting.sharedSecret: Secret("0a1b")], isSimulated: true))
                == AppleSetting.productionVerifyReceipt
        )
        #expect(
            field(account(signIn, [AppleSetting.signInPrivateKey: key], isSimulated: true))
                == AppleSetting.signInAddress
        )
        let local = "http://127.0.0.1:9090"
        let settings = signIn.merging([
            AppleSetting.productionVerifyReceipt: local, AppleSetting.sandboxVerifyReceipt: "\(local)/sandbox",
            AppleSetting.signInAddress: local,
        ]) { $1 }
        let whole = account(
            settings,
            [AppleSetting.sharedSecret: Secret("0a1b"), AppleSetting.signInPrivateKey: key],
            isSimulated: true,
            anchors: [try TestAuthority().root, try ReceiptAuthority().root]
        )
        try gateway.check(whole)
        #expect(try gateway.verifyReceiptClient(of: whole) != nil)
        #expect(try gateway.signInConfiguration(of: whole)?.address == local)
    }

    @Test("plain http, and a root for receipts, are refused for an app of the App Store")
    func onlySimulated() throws {
        let local = "http://127.0.0.1:9090"
        #expect(
            field(
                account([
                    AppleSetting.productionVerifyReceipt: local, AppleSetting.sandboxVerifyReceipt: local,
                ])
            ) == "verifyReceipt"
        )
        #expect(
            field(
                account(
                    signIn.merging([AppleSetting.signInAddress: local]) { $1 },
                    [AppleSetting.signInPrivateKey: key]
                )
            ) == AppleSetting.signInAddress
        )
        #expect(field(account(anchors: [try ReceiptAuthority().root])) == "anchors")
        #expect(field(account(anchors: [try TestAuthority().root])) == nil)
    }

    @Test("what is said in part, or cannot be so, is refused by its field")
    func parts() throws {
        for name in [AppleSetting.clientIDs, AppleSetting.teamID, AppleSetting.signInKeyID] {
            var settings = signIn
            settings[name] = nil
            #expect(field(account(settings, [AppleSetting.signInPrivateKey: key])) == name)
        }
        #expect(field(account(signIn)) == AppleSetting.signInPrivateKey)
        #expect(
            field(account(signIn, [AppleSetting.signInPrivateKey: Secret("no key")])) == AppleSetting.signInPrivateKey
        )
        for id in ["test,shop", "test\0shop", "测试", String(repeating: "a", count: 100_000)] {
            let settings = signIn.merging([AppleSetting.clientIDs: id]) { $1 }
            #expect(field(account(settings, [AppleSetting.signInPrivateKey: key])) == AppleSetting.clientIDs)
        }
        for secret in ["", "two words", "\u{0}", String(repeating: "0", count: 100_000)] {
            #expect(field(account([:], [AppleSetting.sharedSecret: Secret(secret)])) == AppleSetting.sharedSecret)
        }
        #expect(
            field(account([AppleSetting.productionVerifyReceipt: "https://store.example.com"]))
                == AppleSetting.sandboxVerifyReceipt
        )
    }

    private var signIn: [String: String] {
        [
            AppleSetting.clientIDs: "test.shop test.web", AppleSetting.teamID: "A1B2C3D4E5",
            AppleSetting.signInKeyID: "7F8G9H0J1K",
        ]
    }

    private func account(
        _ settings: [String: String] = [:],
        _ secrets: [String: Secret] = [:],
        isSimulated: Bool = false,
        anchors: [[UInt8]]? = nil
    ) -> StoreAccount {
        .apple(
            bundleID: "test.shop",
            appAppleID: 12,
            isSimulated: isSimulated,
            anchors: anchors ?? (isSimulated ? [Self.root] : []),
            api: settings,
            secrets: secrets
        )
    }

    /// Returns the field that is refused; nil if none is.
    private func field(_ account: StoreAccount) -> String? {
        do {
            try gateway.check(account)
            return nil
        } catch {
            #expect(error.code == .misconfigured)
            return error.field ?? ""
        }
    }

    private static let root: [UInt8] = (try? TestAuthority().root) ?? []
}
