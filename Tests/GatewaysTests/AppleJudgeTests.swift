import Foundation
import Gateways
import StoreSimulator
import Testing

/// Checks Apple's own verifier (PyPI `app-store-server-library`) against ours, in both directions.
@Suite("Apple's verifier and ours agree", .enabled(if: Judge.isAvailable || Judge.isRequired))
struct AppleJudgeTests {
    @Test("on everything that another implementation signs and mis-signs")
    func signedElsewhere() async throws {
        let judge = try Judge()
        defer { judge.removeFolder() }
        let verdict = try judge.run("apple_signs.py")
        #expect(verdict.status == 0, "\(verdict.output)")
        let named = try JSON(parsing: judge.read("app.json"))
        guard case .integer(let appAppleID) = named["appAppleId"] else { throw Judge.Unusable() }
        let app = try AppleConfiguration(
            bundleID: try #require(named["bundleId"]?.string),
            appAppleID: appAppleID,
            mode: .simulator(anchors: [try judge.read("root.der")])
        )
        let verifier = AppleVerifier()
        let lines = try judge.read("cases.jsonl").split(separator: UInt8(ascii: "\n"))
        for line in lines {
            let judged = try JudgedCase(JSON(parsing: Array(line)))
            let code = await code(of: judged, by: verifier, for: app)
            #expect((code == nil) == judged.isAccepted, "\(judged.name): \(code?.rawValue ?? "accepted")")
            #expect((code == .wrongApp) == (judged.code == "INVALID_APP_IDENTIFIER"), "\(judged.name)")
            #expect((code == .wrongEnvironment) == (judged.code == "INVALID_ENVIRONMENT"), "\(judged.name)")
        }
        #expect(lines.count >= 85)
    }

    @Test("on everything that the simulator signs")
    func signedHere() throws {
        let judge = try Judge()
        defer { judge.removeFolder() }
        let authority = try TestAuthority.kept(in: judge.folder.path)
        let signer = AppleSigner(authority: authority)
        let lives = SimulatedSubscribers(
            seed: 11,
            customers: 60,
            months: 13,
            endingAt: Date(timeIntervalSince1970: 1_795_000_000)
        )
        let told = lives.notifications()
        var lines: [UInt8] = []
        for notification in told { lines += JSON.string(try signer.sign(notification)).bytes + [0x0A] }
        try Data(lines).write(to: judge.folder.appending(path: "payloads.jsonl"))
        let verdict = try judge.run("apple_accepts.py")
        #expect(verdict.status == 0, "\(verdict.output)")
        #expect(verdict.output.hasSuffix("\(told.count) passed, 0 failed\n"), "\(verdict.output)")
    }

    private func code(
        of judged: JudgedCase,
        by verifier: AppleVerifier,
        for app: AppleConfiguration
    ) async -> GatewayError.Code? {
        do {
            _ = try await verifier.verify(signedPayload: judged.signedPayload, for: app, at: judged.now)
            return nil
        } catch {
            return error.code
        }
    }
}

/// A line of the file that `apple_signs.py` writes.
private struct JudgedCase {
    let name: String
    let signedPayload: String
    let now: Date
    let isAccepted: Bool
    let code: String?

    init(_ line: JSON) throws {
        guard let name = line["name"]?.string, let payload = line["signedPayload"]?.string,
            let expected = line["expected"]?.string, case .integer(let now) = line["now"]
        else { throw Judge.Unusable() }
        self.name = name
        signedPayload = payload
        isAccepted = expected == "accept"
        code = line["code"]?.string
        self.now = Date(timeIntervalSince1970: Double(now) / 1_000)
    }
}
