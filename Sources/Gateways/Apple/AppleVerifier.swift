import Crypto
package import Foundation
import SwiftASN1
import X509

/// Tells Apple's notifications from everybody else's: a fixed ladder, the same for each of a notification's tokens.
///
/// Format, algorithm, chain, signature, signed date, app, environment; the first rung that fails is the error.
package struct AppleVerifier: Sendable {
    private let chains: RememberedChains

    /// - Parameter rememberedChains: the number of verified chains to cache; Apple uses a handful at a time.
    package init(rememberedChains: Int = 64) {
        chains = RememberedChains(limit: rememberedChains)
    }

    /// The notification within a signed payload, after the outer and every inner token has been verified.
    package func verify(
        signedPayload: String,
        for app: AppleConfiguration,
        at now: Date
    ) async throws(GatewayError) -> AppleNotification {
        try await verify(try AppleEnvelope(signedPayload), for: app, at: now)
    }

    /// Verifies a payload that was parsed to find its app.
    package func verify(
        _ envelope: AppleEnvelope,
        for app: AppleConfiguration,
        at now: Date
    ) async throws(GatewayError) -> AppleNotification {
        let outer = envelope.token
        let signer = try await verify(outer, for: app, at: now)
        let body = try AppleNotification.Body(outer.payload)
        try body.require(app)
        func verified(_ text: String?) async throws(GatewayError) -> JSON? {
            guard let text else { return nil }
            let token = try AppleToken(text, besides: outer)
            _ = try await verify(token, besides: outer, of: signer, for: app, at: now)
            return token.payload
        }
        let transaction = try await verified(body.signedTransaction)
        let renewal = try await verified(body.signedRenewal)
        let appTransaction = try await verified(body.signedAppTransaction)
        return try AppleNotification(
            payload: outer.payload,
            body: body,
            transaction: transaction,
            renewal: renewal,
            appTransaction: appTransaction
        )
    }

    /// Algorithm and parts were judged when the token was read; this is the chain, the signature and the date.
    func verify(
        _ token: AppleToken,
        besides sibling: AppleToken? = nil,
        of signer: AppleChain? = nil,
        for app: AppleConfiguration,
        at now: Date
    ) async throws(GatewayError) -> AppleChain {
        let signedDate = try token.signedDate
        let date = signedDate ?? now
        let chain: AppleChain
        if let sibling, let signer, token.hasHeader(of: sibling), signer.validity.contains(date) {
            chain = signer
        } else {
            chain = try await self.chain(of: token.header, for: app, at: date)
        }
        guard let signature = try? P256.Signing.ECDSASignature(rawRepresentation: token.signature),
            chain.key.isValidSignature(signature, for: token.signingInput)
        else { throw GatewayError(.invalidSignature, "The signature does not fit the message.") }
        if let signedDate, signedDate > now.addingTimeInterval(Self.clockTolerance) {
            throw GatewayError(.signedInFuture, "The message is signed with a date in the future.")
        }
        return chain
    }

    private func chain(
        of header: AppleToken.Header,
        for app: AppleConfiguration,
        at date: Date
    ) async throws(GatewayError) -> AppleChain {
        let pinned = app.mode.isSimulator ? nil : Self.pinnedRoot(in: header)
        let key = RememberedChains.Key(
            leaf: header.leaf,
            intermediate: header.intermediate,
            trustID: app.trustID,
            isPinned: pinned != nil
        )
        if let chain = chains[key], chain.validity.contains(date) { return chain }
        guard let leaf = Base64.decode(standard: header.leaf.utf8),
            let intermediate = Base64.decode(standard: header.intermediate.utf8)
        else { throw GatewayError(.invalidChain, "A certificate of the header is not base64.") }
        var anchors = app.anchors
        if let pinned, let root = try? Certificate(derEncoded: pinned) { anchors.append(root) }
        let chain = try await AppleChain.verify(leaf: leaf, intermediate: intermediate, anchors: anchors, at: date)
        chains.remember(chain, as: key)
        return chain
    }

    /// The root that came with the message, when it is "Apple Root CA - G3" to the byte.
    private static func pinnedRoot(in header: AppleToken.Header) -> [UInt8]? {
        guard let root = Base64.decode(standard: header.root.utf8) else { return nil }
        return SHA256.hash(data: root) == appleRootG3 ? root : nil
    }

    /// The time, in seconds, by which the store's clock may be ahead of ours.
    private static let clockTolerance: TimeInterval = 300

    /// SHA-256 of the DER of "Apple Root CA - G3" (https://www.apple.com/certificateauthority/).
    private static let appleRootG3: [UInt8] = [
        0x63, 0x34, 0x3A, 0xBF, 0xB8, 0x9A, 0x6A, 0x03, 0xEB, 0xB5, 0x7E, 0x9B, 0x3F, 0x5F, 0xA7, 0xBE,
        0x7C, 0x4F, 0x5C, 0x75, 0x6F, 0x30, 0x17, 0xB3, 0xA8, 0xC4, 0x88, 0xC3, 0x65, 0x3E, 0x91, 0x79,
    ]
}

extension AppleToken {
    /// The date that certificates are judged at: `signedDate`, or an app transaction's `receiptCreationDate`.
    fileprivate var signedDate: Date? {
        get throws(GatewayError) {
            let fields = try JSONFields(payload, of: "payload")
            if let date = try fields.date("signedDate") { return date }
            return try fields.date("receiptCreationDate")
        }
    }
}
