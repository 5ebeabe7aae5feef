/// What an app's account at Alipay may say, by the names that the catalogue and the database have for it.
package enum AlipaySetting {
    /// The gateway; Alipay's own where it is missing.
    package static let gateway = "gateway"
    /// A secret: the app's own RSA key, as PEM or as Alipay's key tool writes it.
    package static let privateKey = "appPrivateKey"
    /// Alipay's public key for this app, which signs its answers. It is no secret, and kept beside the key as one.
    package static let alipayPublicKey = "alipayPublicKey"
}
