import CryptoExtras
import Foundation

/// Alipay's gateway, for one app.
package struct SimulatedAlipayShop: SimulatedShop {
    package let alipay: SimulatedAlipay
    private let directory: String
    private let hasCertificates: Bool
    private let server: SimulatedStoreServer

    /// - Parameters:
    ///   - directory: where the keys are, and are written to on first use, readable by their owner only.
    ///   - usesCertificates: in certificate mode; otherwise in key mode.
    /// - Throws: `.unusableAuthority`
    package init(
        keptIn directory: String,
        usesCertificates: Bool = false,
        clock: SimulatedClock = SimulatedClock()
    ) throws(SimulatorError) {
        (self.directory, hasCertificates) = (directory, usesCertificates)
        do {
            let folder = try URL.keyFolder(directory)
            let app = try KeptFile.key(SimulatedSignIns.appKeyFile, in: folder)
            let own = try KeptFile.key(SimulatedSignIns.alipayKeyFile, in: folder)
            try KeptFile.write(
                own.publicKey.pemRepresentation,
                as: SimulatedSignIns.alipayPublicKeyFile,
                in: folder
            )
            alipay = SimulatedAlipay(
                appID: SimulatedSignIns.alipayAppID,
                appKey: app.publicKey,
                key: own,
                certificates: usesCertificates ? try Self.certificates(app, own, in: folder) : nil,
                now: { clock.now },
                requestTime: { clock.tokenTime }
            )
            server = SimulatedStoreServer(clock: clock, endpoints: alipay.endpoints) { [alipay] in
                await alipay.deliverDue()
            }
        } catch {
            throw .unusable(directory, error)
        }
    }

    /// Those that were made before; new ones where one of them is missing.
    private static func certificates(
        _ app: _RSA.Signing.PrivateKey,
        _ own: _RSA.Signing.PrivateKey,
        in folder: URL
    ) throws -> SimulatedAlipayCertificates {
        func kept(_ name: String) -> String? {
            try? String(contentsOf: folder.appending(path: name), encoding: .utf8)
        }
        if let app = kept(appFile), let alipay = kept(alipayFile), let roots = kept(rootFile) {
            return SimulatedAlipayCertificates(app: app, alipay: alipay, roots: roots)
        }
        let new = try SimulatedAlipayCertificates(appKey: app.publicKey, alipayKey: own.publicKey)
        try KeptFile.write(new.app, as: appFile, in: folder)
        try KeptFile.write(new.alipay, as: alipayFile, in: folder)
        try KeptFile.write(new.roots, as: rootFile, in: folder)
        return new
    }

    package func start(port: Int) async throws(SimulatorError) { try await server.start(port: port) }
    package func stop() async { await server.stop() }
    package func deliverForever() async { await server.deliverForever() }
    package var url: String { server.url }

    package var catalogEntry: String {
        let keys =
            hasCertificates
            ? [
                ("appCertificate", Self.appFile), ("alipayCertificate", Self.alipayFile),
                ("alipayRootCertificate", Self.rootFile),
            ] : [("alipayPublicKey", SimulatedSignIns.alipayPublicKeyFile)]
        let secrets = ([("appPrivateKey", SimulatedSignIns.appKeyFile)] + keys)
            .map { "      \($0.0): \"file:\(directory)/\($0.1)\"" }.joined(separator: "\n")
        return """
              alipay:
                identifier: "\(SimulatedSignIns.alipayAppID)"
                environment: simulator
                settings:
                  gateway: "\(url)/gateway.do"
                  sellerId: "\(SimulatedAlipay.sellerID)"
                secrets:
            \(secrets)
            """
    }

    private static let appFile = "alipay-appCertPublicKey.crt"
    private static let alipayFile = "alipay-alipayCertPublicKey_RSA2.crt"
    private static let rootFile = "alipay-alipayRootCert.crt"
}
