extension CatalogFileTests.Fault {
    /// Faults of `rateLimits`, `cors` and `tokens`.
    static let ofTokens = [
        Self("name: Shop\n", "name: Shop\nrateLimits: { address: 1/1 }\n", "rateLimits", "not address"),
        Self("name: Shop\n", "name: Shop\nrateLimits: { sign-ins: 1/1 }\n", "rateLimits", "not sign-ins"),
        Self("name: Shop\n", "name: Shop\nrateLimits: { session: \"\" }\n", "rateLimits.session", "is calls/seconds"),
        Self("name: Shop\n", "name: Shop\nrateLimits: { session: 600 }\n", "rateLimits.session", "is calls/seconds"),
        Self("name: Shop\n", "name: Shop\nrateLimits: { session: off }\n", "rateLimits.session", "is calls/seconds"),
        Self("name: Shop\n", "name: Shop\nrateLimits: { key: 0/60 }\n", "rateLimits.key", "is calls/seconds"),
        Self("name: Shop\n", "name: Shop\nrateLimits: { key: 1.5/60 }\n", "rateLimits.key", "is calls/seconds"),
        Self("name: Shop\n", "name: Shop\nrateLimits: { key: 1000001/60 }\n", "rateLimits.key", "is calls/seconds"),
        Self("name: Shop\n", "name: Shop\nrateLimits: { customer: 1/0 }\n", "rateLimits.customer", "is calls/seconds"),
        Self("name: Shop\n", "name: Shop\nrateLimits: { customer: 1/86401 }\n", "rateLimits.customer", "86400 seconds"),
        Self(
            "name: Shop\n",
            "name: Shop\nrateLimits: { receipts: -9223372036854775808/60 }\n",
            "rateLimits.receipts",
            "is calls/seconds"
        ),
        Self(
            "name: Shop\n",
            "name: Shop\nrateLimits: { receipts: 10000000000000000000/60 }\n",
            "rateLimits.receipts",
            "is calls/seconds"
        ),
        Self("name: Shop\n", "name: Shop\ncors: [\"*\"]\n", "cors[0]", "without *"),
        Self("name: Shop\n", "name: Shop\ncors: [\"https://*.example.com\"]\n", "cors[0]", "without *"),
        Self("name: Shop\n", "name: Shop\ncors: [\"https://a.example/\"]\n", "cors[0]", "is an origin in lower case"),
        Self(
            "name: Shop\n",
            "name: Shop\ncors: [\"https://a.example/path\"]\n",
            "cors[0]",
            "is an origin in lower case"
        ),
        Self("name: Shop\n", "name: Shop\ncors: [\"https://A.example\"]\n", "cors[0]", "is an origin in lower case"),
        Self(
            "name: Shop\n",
            "name: Shop\ncors: [\"https://a.example:443\"]\n",
            "cors[0]",
            "is an origin in lower case"
        ),
        Self("name: Shop\n", "name: Shop\ncors: [\"https://a.example:0\"]\n", "cors[0]", "is an origin in lower case"),
        Self("name: Shop\n", "name: Shop\ncors: [\"https://u@a.example\"]\n", "cors[0]", "is an origin in lower case"),
        Self("name: Shop\n", "name: Shop\ncors: [\"https://a.example?x\"]\n", "cors[0]", "is an origin in lower case"),
        Self("name: Shop\n", "name: Shop\ncors: [\"a.example\"]\n", "cors[0]", "is an origin in lower case"),
        Self("name: Shop\n", "name: Shop\ncors: [\"\"]\n", "cors[0]", "is an origin in lower case"),
        Self("name: Shop\n", "name: Shop\ncors: [\"null\"]\n", "cors[0]", "is an origin in lower case"),
        Self("name: Shop\n", "name: Shop\ncors: [\"https://\"]\n", "cors[0]", "is an origin in lower case"),
        Self(
            "name: Shop\n",
            "name: Shop\ncors: [\"https://a.example:65536\"]\n",
            "cors[0]",
            "is an origin in lower case"
        ),
        Self("name: Shop\n", "name: Shop\ncors: [http://a.example]\n", "cors[0]", "begins with https://"),
        Self("name: Shop\n", "name: Shop\ncors: [ftp://a.example]\n", "cors[0]", "begins with https://"),
        Self(
            "name: Shop\n",
            "name: Shop\ncors: [https://a.example, https://a.example]\n",
            "cors",
            "has an origin twice"
        ),
        Self(
            "name: Shop\n",
            "name: Shop\ntokens: { issuer: https://i.example, audience: a }\n",
            "tokens",
            "needs jwks or sharedSecret"
        ),
        Self(
            "name: Shop\n",
            "name: Shop\ntokens: { issuer: https://i.example, audience: a, algorithms: [HS256, ES256] }\n",
            "tokens",
            "or algorithms: [HS256] where staff upload the secret"
        ),
        Self(
            "name: Shop\n",
            "name: Shop\ntokens: { issuer: https://i.example, audience: a, jwks: https://i.example/k, sharedSecret: env:HOME }\n",
            "tokens.sharedSecret",
            "is not there beside jwks"
        ),
        Self(
            "name: Shop\n",
            "name: Shop\ntokens: { issuer: https://i.example, audience: a, jwks: http://i.example/k }\n",
            "tokens.jwks",
            "begins with https://"
        ),
        Self(
            "name: Shop\n",
            "name: Shop\ntokens: { issuer: https://i.example, audience: a, jwks: i.example/k }\n",
            "tokens.jwks",
            "is a URL such as"
        ),
        Self(
            "name: Shop\n",
            "name: Shop\ntokens: { issuer: https://i.example, audience: a, jwks: https://i.example/k, algorithms: [HS256] }\n",
            "tokens.algorithms",
            "is a list of ES256, RS256, EdDSA with jwks"
        ),
        Self(
            "name: Shop\n",
            "name: Shop\ntokens: { issuer: https://i.example, audience: a, jwks: https://i.example/k, algorithms: [none] }\n",
            "tokens.algorithms",
            "is a list of ES256, RS256, EdDSA with jwks"
        ),
        Self(
            "name: Shop\n",
            "name: Shop\ntokens: { issuer: https://i.example, audience: a, jwks: https://i.example/k, algorithms: [] }\n",
            "tokens.algorithms",
            "is a list of ES256, RS256, EdDSA with jwks"
        ),
        Self(
            "name: Shop\n",
            "name: Shop\ntokens: { issuer: https://i.example, audience: a, sharedSecret: env:PERENNIAL_NO_SUCH }\n",
            "tokens.sharedSecret",
            "names nothing that is there"
        ),
        Self(
            "name: Shop\n",
            "name: Shop\ntokens: { issuer: https://i.example, audience: a, sharedSecret: a-secret-in-the-file }\n",
            "tokens.sharedSecret",
            "is env:NAME or file:PATH"
        ),
        Self(
            "name: Shop\n",
            "name: Shop\ntokens: { issuer: https://i.example, audience: a, jwks: https://i.example/k, leewaySeconds: 301 }\n",
            "tokens.leewaySeconds",
            "is from 0 to 300"
        ),
        Self(
            "name: Shop\n",
            "name: Shop\ntokens: { issuer: https://i.example, audience: a, jwks: https://i.example/k, leewaySeconds: -9223372036854775808 }\n",
            "tokens.leewaySeconds",
            "is from 0 to 300"
        ),
        Self(
            "name: Shop\n",
            "name: Shop\ntokens: { issuer: https://i.example, audience: a, jwks: https://i.example/k, longestLifetimeSeconds: 604801 }\n",
            "tokens.longestLifetimeSeconds",
            "is from 60 to 604800"
        ),
        Self(
            "name: Shop\n",
            "name: Shop\ntokens: { issuer: https://i.example, audience: a, jwks: https://i.example/k, claim: \"\" }\n",
            "tokens.claim",
            "is a text of 1 to 200"
        ),
    ]
}
