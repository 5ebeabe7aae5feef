import Billing
import CryptoExtras
import Foundation

/// The keys of one app at Alipay, of one of the two modes, each read as it was entered.
struct AlipayKeys: Sendable {
    /// The app's own; Alipay knows its public half.
    let key: _RSA.Signing.PrivateKey
    let signers: AlipaySigners
    /// The parameters that certificate mode adds to each request; nil in key mode.
    let certificates: Names?
    /// When the app's own certificate ends; nil in key mode.
    private let end: Date?
    /// The certificates of certificate mode, for people to look at.
    let shown: [StoreCertificate]

    /// The names of certificates that requests carry.
    struct Names: Hashable, Sendable {
        let app: String
        let roots: String
    }

    /// True where a part of them is there: then all has to be.
    static func areNamed(by secrets: [String: Secret]) -> Bool {
        ([AlipaySetting.privateKey, AlipaySetting.alipayPublicKey] + AlipaySetting.certificates)
            .contains { secrets[$0] != nil }
    }

    /// - Throws: `.misconfigured`, with the secret's name.
    init(_ secrets: [String: Secret]) throws(GatewayError) {
        func text(_ name: String) -> String { secrets[name]?.revealed ?? "" }
        guard let key = AlipayKeyText.privateKey(text(AlipaySetting.privateKey)) else {
            throw Self.notPrivate(AlipayKeyText.kind(of: text(AlipaySetting.privateKey)))
        }
        self.key = key
        let isCertified = AlipaySetting.certificates.contains { secrets[$0] != nil }
        guard isCertified else {
            signers = AlipaySigners(key: try Self.publicKey(text(AlipaySetting.alipayPublicKey), besides: key))
            (certificates, end, shown) = (nil, nil, [])
            return
        }
        guard secrets[AlipaySetting.alipayPublicKey] == nil else {
            throw Self.wrong(
                AlipaySetting.alipayPublicKey,
                "In certificate mode Alipay's key stands in its certificate: leave one of the two out."
            )
        }
        let app = try Self.certificate(of: key, text(AlipaySetting.appCertificate))
        let roots = AlipayKeyText.certificates(text(AlipaySetting.alipayRootCertificate)) ?? []
        guard let rootSerial = AlipayCertificate.serial(ofRoots: roots) else {
            throw Self.wrong(
                AlipaySetting.alipayRootCertificate,
                "These are not Alipay's root certificates: the console offers them as alipayRootCert.crt."
            )
        }
        let alipays = try Self.alipays(
            text(AlipaySetting.alipayCertificate),
            issuedUnder: roots.compactMap { try? AlipayCertificate($0) },
            besides: app
        )
        signers = AlipaySigners(alipays)
        certificates = Names(app: app.serial, roots: rootSerial)
        end = app.validity.upperBound
        shown =
            [app].map { $0.shown(as: AlipaySetting.appCertificate) }
            + alipays.map { $0.shown(as: AlipaySetting.alipayCertificate) }
    }

    /// Refuses certificates that are over.
    ///
    /// - Throws: `.misconfigured`, with the secret's name.
    func requireValid(at now: Date) throws(GatewayError) {
        if let end, end < now {
            throw Self.wrong(
                AlipaySetting.appCertificate,
                "The app's certificate is over since \(Self.day(end)). A new one is made in Alipay's console."
            )
        }
        if let end = signers.end, end < now {
            throw Self.wrong(
                AlipaySetting.alipayCertificate,
                "Alipay's certificate is over since \(Self.day(end)). The console has a new one."
            )
        }
    }

    private static func publicKey(
        _ text: String,
        besides key: _RSA.Signing.PrivateKey
    ) throws(GatewayError) -> _RSA.Signing.PublicKey {
        guard let alipayKey = AlipayKeyText.publicKey(text) else {
            throw notPublic(AlipayKeyText.kind(of: text))
        }
        // The console shows both beside each other, and this is the mistake that everybody makes once.
        guard alipayKey.derRepresentation != key.publicKey.derRepresentation else {
            throw wrong(
                AlipaySetting.alipayPublicKey,
                "This is the app's own public key. Alipay's is another; the console shows it once the app's is saved."
            )
        }
        return alipayKey
    }

    private static func certificate(
        of key: _RSA.Signing.PrivateKey,
        _ text: String
    ) throws(GatewayError) -> AlipayCertificate {
        guard let first = AlipayKeyText.certificates(text)?.first, let app = try? AlipayCertificate(first) else {
            throw wrong(
                AlipaySetting.appCertificate,
                "This is not the app's certificate: the console offers it as appCertPublicKey_….crt."
            )
        }
        guard app.key.derRepresentation == key.publicKey.derRepresentation else {
            throw wrong(AlipaySetting.appCertificate, "The certificate is of another key than the app's private key.")
        }
        return app
    }

    /// The certificates that sign: those that issued none of the others in the file.
    private static func alipays(
        _ text: String,
        issuedUnder roots: [AlipayCertificate],
        besides app: AlipayCertificate
    ) throws(GatewayError) -> [AlipayCertificate] {
        let all = (AlipayKeyText.certificates(text) ?? []).compactMap { try? AlipayCertificate($0) }
        let signing = all.filter { one in !all.contains { $0.serial != one.serial && $0.isIssued(by: one) } }
        guard !signing.isEmpty else {
            throw wrong(
                AlipaySetting.alipayCertificate,
                "This is not Alipay's certificate: the console offers it as alipayCertPublicKey_RSA2.crt."
            )
        }
        guard !signing.contains(where: { $0.key.derRepresentation == app.key.derRepresentation }) else {
            throw wrong(
                AlipaySetting.alipayCertificate,
                "This is the app's own certificate. Alipay's is another file: alipayCertPublicKey_RSA2.crt."
            )
        }
        let issuers = all + roots
        let isIssued = signing.allSatisfy { one in
            var last = one
            for _ in 0..<longestChain {
                if roots.contains(where: { last.isIssued(by: $0) }) { return true }
                guard let next = issuers.first(where: { $0.serial != last.serial && last.isIssued(by: $0) }) else {
                    return false
                }
                last = next
            }
            return false
        }
        guard isIssued else {
            throw wrong(
                AlipaySetting.alipayCertificate,
                "The certificate does not lead to one of the root certificates: one of the two files is not Alipay's."
            )
        }
        return signing
    }

    private static let longestChain = 4

    private static func notPrivate(_ kind: AlipayKeyText.Kind?) -> GatewayError {
        guard let kind, kind != .privateKey else {
            return wrong(
                AlipaySetting.privateKey,
                "The app's private key is no RSA key of 2,048 bits or more, as PEM or as base64."
            )
        }
        return wrong(AlipaySetting.privateKey, "This is \(kind.words), and not the app's private key.")
    }

    private static func notPublic(_ kind: AlipayKeyText.Kind?) -> GatewayError {
        guard let kind, kind != .publicKey else {
            return wrong(
                AlipaySetting.alipayPublicKey,
                "Alipay's public key is no RSA public key of 2,048 bits or more, as PEM or as base64."
            )
        }
        return wrong(AlipaySetting.alipayPublicKey, "This is \(kind.words), and not Alipay's public key.")
    }

    private static func wrong(_ field: String, _ message: String) -> GatewayError {
        GatewayError(.misconfigured, message, field: field)
    }

    /// In Alipay's own time: 2026-11-21.
    private static func day(_ date: Date) -> String { String(AlipayTime.text(date).prefix(10)) }
}
