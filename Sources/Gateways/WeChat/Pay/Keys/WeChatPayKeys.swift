import CryptoExtras
import Foundation

/// The keys that WeChat Pay signs with for one merchant: its public key and its platform certificates side by side, as long as
/// either signs (payments.md, 1B).
///
/// A serial that is not known makes us ask for the certificates, but once a minute at most: serials stand in messages that anybody can
/// send. Callers that come meanwhile wait for the same answer. A certificate is believed until its own end, also after a newer one came.
actor WeChatPayKeys {
    private let publicKey: WeChatPayConfiguration.PublicKey?
    private let download: @Sendable (Date) async throws -> [WeChatPayCertificate]
    private var known: [WeChatPaySerial: WeChatPayCertificate]
    private var heardAt: Date?
    private var triedAt: Date?
    private var asking: Task<[WeChatPayCertificate], any Error>?

    /// - Parameter download: asks WeChat Pay for its certificates, at that time.
    init(
        of merchant: WeChatPayConfiguration,
        download: @escaping @Sendable (Date) async throws -> [WeChatPayCertificate]
    ) {
        publicKey = merchant.publicKey
        known = Dictionary(merchant.certificates.map { ($0.serial, $0) }) { first, _ in first }
        self.download = download
    }

    /// - Throws: `.invalidSignature` for a key that is none of WeChat Pay's or has ended, `.unreachable` where that cannot be said,
    ///   `.misconfigured` for a merchant that needs the public key and has none.
    func key(
        of serial: WeChatPaySerial,
        at now: Date
    ) async throws(GatewayError) -> _RSA.Signing.PublicKey {
        if let publicKey, serial == publicKey.id { return publicKey.key }
        guard !serial.isPublicKeyID else {
            throw GatewayError(
                publicKey == nil ? .misconfigured : .invalidSignature,
                "It is signed with a public key of WeChat Pay that is not the configured one.",
                field: WeChatSetting.payPublicKeyID
            )
        }
        if let found = known[serial], found.end > now {
            // A key that is heard of in time is known before it signs; nobody waits who need not.
            if heardAt != nil, !Self.isWithin(Self.lifetime, since: heardAt, now) { _ = try? await refresh(at: now) }
            return found.key
        }
        guard known[serial] == nil else {
            throw WeChatPaySignature.invalid("The certificate that signed it has ended.")
        }
        try await refresh(at: now)
        guard let found = known[serial], found.end > now else {
            throw WeChatPaySignature.invalid("It is signed with a key that is none of WeChat Pay's.")
        }
        return found.key
    }

    /// The key for what is sent encrypted.
    ///
    /// - Throws: as above.
    func encryptionKey(at now: Date) async throws(GatewayError) -> (WeChatPaySerial, _RSA.Signing.PublicKey) {
        if let publicKey { return (publicKey.id, publicKey.key) }
        if newest(at: now) == nil { try await refresh(at: now) }
        guard let newest = newest(at: now) else {
            throw GatewayError(.unreachable, "WeChat Pay has given no certificate to encrypt with.")
        }
        return (newest.serial, newest.key)
    }

    private func newest(at now: Date) -> WeChatPayCertificate? {
        known.values.filter { $0.end > now }.max { $0.end < $1.end }
    }

    /// Asks unless that was done a moment ago.
    private func refresh(at now: Date) async throws(GatewayError) {
        guard asking != nil || !Self.isWithin(Self.interval, since: triedAt, now) else { return }
        do {
            for certificate in try await answer(at: now) { known[certificate.serial] = certificate }
            known = known.filter { $0.value.end > now }
            heardAt = now
        } catch let error as GatewayError {
            // A merchant in public-key mode has no certificates, which is no fault of its settings.
            guard publicKey == nil || error.code != .misconfigured else { return }
            throw error
        } catch {
            throw GatewayError(.unreachable, "WeChat Pay's certificates could not be fetched.", underlying: error)
        }
    }

    private func answer(at now: Date) async throws -> [WeChatPayCertificate] {
        if let asking { return try await asking.value }
        triedAt = now
        let task = Task { [download] in try await download(now) }
        asking = task
        defer { asking = nil }
        return try await task.value
    }

    private static func isWithin(_ seconds: TimeInterval, since start: Date?, _ now: Date) -> Bool {
        start.map { (0..<seconds).contains(now.timeIntervalSince($0)) } ?? false
    }

    /// In seconds.
    private static let interval: TimeInterval = 60
    private static let lifetime: TimeInterval = 43_200
}
