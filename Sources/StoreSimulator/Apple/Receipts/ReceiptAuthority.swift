package import CryptoExtras
import Foundation
import SwiftASN1
package import X509

/// The certificate authority of the simulated store's receipts. Its keys are all RSA, as Apple's are, under a root of its own.
package struct ReceiptAuthority: Sendable {
    /// The anchor in DER that the receiving app must be configured with, besides the one for signed messages.
    package let root: [UInt8]
    package let intermediate: [UInt8]
    package let leaf: [UInt8]
    package let key: _RSA.Signing.PrivateKey

    package init(root: [UInt8], intermediate: [UInt8], leaf: [UInt8], key: _RSA.Signing.PrivateKey) {
        self.root = root
        self.intermediate = intermediate
        self.leaf = leaf
        self.key = key
    }

    /// Makes a new authority with new keys; those of root and intermediate are forgotten.
    ///
    /// - Parameter bend: spoils the intermediate and the leaf before they are issued.
    package init(
        algorithm: Certificate.SignatureAlgorithm = .sha256WithRSAEncryption,
        bend: (_ intermediate: inout TestCertificate, _ leaf: inout TestCertificate) throws -> Void = { _, _ in }
    ) throws {
        let rootKey = try _RSA.Signing.PrivateKey(keySize: .bits2048)
        let intermediateKey = try _RSA.Signing.PrivateKey(keySize: .bits2048)
        key = try _RSA.Signing.PrivateKey(keySize: .bits2048)
        let rootCertificate = try TestCertificate(
            "Simulated Store Receipt Root CA",
            Certificate.PublicKey(rootKey.publicKey),
            .authority(maxPathLength: nil)
        )
        var intermediateCertificate = try TestCertificate(
            "Simulated Store Receipt Relations CA",
            Certificate.PublicKey(intermediateKey.publicKey),
            .authority(maxPathLength: 0),
            marker: TestCertificate.issuerMarker
        )
        var leafCertificate = try TestCertificate(
            "Simulated Store App Receipt Signing",
            Certificate.PublicKey(key.publicKey),
            .signer,
            marker: TestCertificate.signerMarker
        )
        try bend(&intermediateCertificate, &leafCertificate)
        let rootSigner = Certificate.PrivateKey(rootKey)
        root = try rootCertificate.issued(by: rootCertificate.subject, rootSigner, algorithm)
        intermediate = try intermediateCertificate.issued(by: rootCertificate.subject, rootSigner, algorithm)
        leaf = try leafCertificate.issued(
            by: intermediateCertificate.subject,
            Certificate.PrivateKey(intermediateKey),
            algorithm
        )
    }
}
