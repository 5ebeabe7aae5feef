import Crypto
import X509

/// A certificate authority of Apple's shape; only an app that configures its root trusts it.
///
/// The keys of root and intermediate are forgotten as soon as the leaf is signed; only the leaf's signs messages.
package struct TestAuthority: Sendable {
    /// The anchor in DER that the receiving app must be configured with.
    package let root: [UInt8]
    package let intermediate: [UInt8]
    package let leaf: [UInt8]
    let key: P256.Signing.PrivateKey

    /// Makes a new authority with new keys.
    package init() throws {
        let rootKey = P384.Signing.PrivateKey()
        let intermediateKey = P384.Signing.PrivateKey()
        key = P256.Signing.PrivateKey()
        let rootCertificate = try TestCertificate(
            "Simulated Store Root CA",
            .init(rootKey.publicKey),
            .authority(maxPathLength: nil)
        )
        let intermediateCertificate = try TestCertificate(
            "Simulated Store Worldwide Developer Relations CA",
            .init(intermediateKey.publicKey),
            .authority(maxPathLength: 0),
            marker: TestCertificate.issuerMarker
        )
        let leafCertificate = try TestCertificate(
            "Simulated Store Receipt Signing",
            .init(key.publicKey),
            .signer,
            marker: TestCertificate.signerMarker
        )
        let rootSigner = Certificate.PrivateKey(rootKey)
        root = try rootCertificate.issued(by: rootCertificate.subject, rootSigner, .ecdsaWithSHA384)
        intermediate = try intermediateCertificate.issued(by: rootCertificate.subject, rootSigner, .ecdsaWithSHA384)
        leaf = try leafCertificate.issued(
            by: intermediateCertificate.subject,
            Certificate.PrivateKey(intermediateKey),
            .ecdsaWithSHA384
        )
    }

    init(root: [UInt8], intermediate: [UInt8], leaf: [UInt8], key: P256.Signing.PrivateKey) {
        self.root = root
        self.intermediate = intermediate
        self.leaf = leaf
        self.key = key
    }
}
