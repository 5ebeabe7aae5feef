/// The settings of an app's account at Alipay, by their names in the catalogue and the database.
///
/// In key mode it says `appPrivateKey` and `alipayPublicKey`; in certificate mode `appPrivateKey` and the three certificates.
package enum AlipaySetting {
    /// The gateway; Alipay's own if it is missing.
    package static let gateway = "gateway"
    /// The merchant who is paid, as Alipay knows them (PID): sixteen digits that begin with 2088. Nothing is sold without it.
    package static let sellerID = "sellerId"
    /// A secret: the app's own RSA key, as PEM or as Alipay's key tool writes it.
    package static let privateKey = "appPrivateKey"
    /// Alipay's public key for this app, which signs its answers. It is no secret, but is kept beside the key like one.
    package static let alipayPublicKey = "alipayPublicKey"
    /// The app's own certificate (`appCertPublicKey_….crt`).
    package static let appCertificate = "appCertificate"
    /// Alipay's certificate for this app (`alipayCertPublicKey_RSA2.crt`); two one after the other while it changes.
    package static let alipayCertificate = "alipayCertificate"
    /// Alipay's roots (`alipayRootCert.crt`).
    package static let alipayRootCertificate = "alipayRootCertificate"

    static let certificates = [appCertificate, alipayCertificate, alipayRootCertificate]
}
