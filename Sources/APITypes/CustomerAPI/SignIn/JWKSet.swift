/// The public keys of access tokens (RFC 7517): `GET /.well-known/jwks.json`.
public struct JWKSet: Resource {
    public var keys: [Key]

    public static let fields = Fields<Self> {
        Field("keys", \.keys, "The newest first. Older ones go when nothing that they signed is good any more.")
    }

    public init(keys: [Key]) {
        self.keys = keys
    }

    /// One P-256 key.
    public struct Key: Resource {
        public var kty: String
        public var crv: String
        public var alg: String
        public var use: String
        public var kid: String
        public var x: String
        public var y: String

        public static let fields = Fields<Self> {
            Field("kty", \.kty, .oneOf(["EC"]))
            Field("crv", \.crv, .oneOf(["P-256"]))
            Field("alg", \.alg, .oneOf(["ES256"]))
            Field("use", \.use, .oneOf(["sig"]))
            Field("kid", \.kid)
            Field("x", \.x)
            Field("y", \.y)
        }

        public init(kid: String, x: String, y: String) {
            (kty, crv, alg, use) = ("EC", "P-256", "ES256", "sig")
            (self.kid, self.x, self.y) = (kid, x, y)
        }
    }
}
