/// The settings of an app's account at Alipay, by their names in the catalogue and the database.
package enum AlipaySetting {
    /// The gateway; Alipay's own if it is missing.
    package static let gateway = "gateway"
    /// A secret: the app's own RSA key, as PEM or as Alipay's key tool writes it.
    package static let privateKey = "appPrivateKey"
    /// Alipay's public key for this app, which signs its answers. It is no secret, but is kept beside the key like one.
    package static let alipayPublicKey = "alipayPublicKey"
}
