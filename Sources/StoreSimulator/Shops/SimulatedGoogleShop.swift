import CryptoExtras
import Foundation
import Gateways

/// Google Play with its push subscription, for one app.
package struct SimulatedGoogleShop: SimulatedShop {
    package let google: SimulatedGoogle
    private let directory: String

    /// - Parameters:
    ///   - directory: where the keys are, and are written to on first use, readable by their owner only.
    ///   - webhook: where pushes go; nil for nowhere.
    /// - Throws: `.unusableAuthority`
    package init(
        keptIn directory: String,
        packageName: String = "com.readmigo.app",
        webhook: String? = nil,
        clock: SimulatedClock = SimulatedClock()
    ) throws(SimulatorError) {
        self.directory = directory
        do {
            let folder = try URL.keyFolder(directory)
            google = SimulatedGoogle(
                packageName: packageName,
                serviceKey: try KeptFile.key("google-service.key.pem", in: folder),
                googleKey: try KeptFile.key("google.key.pem", in: folder),
                audience: webhook ?? "https://example.test/webhooks/google",
                clock: clock
            )
            google.setWebhook(webhook)
        } catch {
            throw .unusable(directory, error)
        }
    }

    /// Its service account's file names the address, and so it is written when that is known.
    package func start(port: Int) async throws(SimulatorError) {
        try await google.start(port: port)
        let file = String(decoding: google.serviceAccountFile.bytes, as: UTF8.self)
        do {
            try KeptFile.write(file, as: Self.serviceAccountFile, in: URL.keyFolder(directory))
        } catch {
            throw .unusable(directory, error)
        }
    }

    package func stop() async { await google.stop() }
    package func deliverForever() async { await google.deliverForever() }
    package var url: String { google.url }

    package var catalogEntry: String {
        """
          google:
            identifier: \(google.packageName)
            environment: simulator
            settings:
              api: "\(url)"
              certs: "\(url)/oauth2/v3/certs"
              push.audience: "\(google.audience)"
              push.account: \(google.pushAccount)
              push.subscription: \(google.subscription)
            secrets:
              serviceAccount: "file:\(directory)/\(Self.serviceAccountFile)"
        """
    }

    private static let serviceAccountFile = "google-service-account.json"
}
