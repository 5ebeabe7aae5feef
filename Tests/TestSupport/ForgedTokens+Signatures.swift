import Crypto
import Foundation

extension ForgedTokens {
    /// Returns tokens whose header names another algorithm, or another key.
    func headers() throws -> [(name: String, token: String)] {
        let none = ["none", "None", "NONE", "nOnE", ""]
        let known = ["HS256", "HS384", "HS512", "ES256", "ES384", "ES512", "ES256K", "RS256", "PS256", "EdDSA"]
        let spelled = [algorithm.lowercased(), " \(algorithm)", "\(algorithm) ", "\(algorithm)\\u0000"]
        var forged: [(name: String, token: String)] = []
        for name in none + known.filter({ $0 != algorithm }) + spelled {
            let text = header(["alg": "\"\(name)\""])
            forged.append(("alg \(name)", try token(header: text)))
            forged.append(("alg \(name), unsigned", input(header: text) + "."))
        }
        for value in ["", "null", "256", "[\"\(algorithm)\"]", "{}", "true"] {
            forged.append(("alg is \(value)", try token(header: header(["alg": value]))))
        }
        for value in ["[\"exp\"]", "[]", "\"exp\"", "[\"b64\"],\"b64\":false"] {
            forged.append(("crit is \(value)", try token(header: header(["crit": value]))))
        }
        for value in ["1", "[\"\(keyID)\"]", "{}", "true"] {
            forged.append(("kid is \(value)", try token(header: header(["kid": value]))))
        }
        let twice = [
            "\"alg\":\"none\"", "\"alg\":\"\(algorithm)\"", "\"kid\":\"x\"", "\"kid\":\"\(keyID)\"", "\"typ\":\"JWT\"",
            "\"x\":{\"a\":1,\"a\":1}", "\"x\":[{\"a\":1,\"\\u0061\":1}]",
        ]
        for member in twice {
            forged.append(("\(member) twice", try token(header: header(more: member))))
        }
        if !ignores.contains(.keyID) {
            let others = ["x", "", "\(keyID) ", "\(keyID)\\u0000", "\\u0000", "../\(keyID)", "\(keyID)\(keyID)"]
            for id in others {
                forged.append(("kid \(id) of another", try token(header: header(["kid": "\"\(id)\""]))))
            }
        }
        return forged
    }

    /// Returns tokens that somebody else signed, or nobody, or whose signature is none.
    func signatures() throws -> [(name: String, token: String)] {
        let input = input()
        let good = Self.bytes(String(try genuine().split(separator: ".")[2]))
        var wrong: [(name: String, signature: Data)] = [
            ("no signature", Data()), ("of one byte", Data([1])), ("of zeros", Data(count: good.count)),
            ("of ones", Data(repeating: 0xFF, count: good.count)), ("with a byte more", good + [0]),
            ("with a byte before", [0] + good), ("doubled", good + good), ("backwards", Data(good.reversed())),
            ("halves exchanged", good.suffix(good.count / 2) + good.prefix(good.count - good.count / 2)),
            ("a stranger's", try P256.Signing.PrivateKey().signature(for: Data(input.utf8)).rawRepresentation),
            ("of a wrong curve", try P384.Signing.PrivateKey().signature(for: Data(input.utf8)).rawRepresentation),
            ("of a wrong curve", try P521.Signing.PrivateKey().signature(for: Data(input.utf8)).rawRepresentation),
            ("of Edwards's curve", try Curve25519.Signing.PrivateKey().signature(for: Data(input.utf8))),
        ]
        for place in stride(from: 0, to: good.count, by: 7) {
            var changed = good
            changed[place] ^= 1
            wrong.append(("byte \(place) changed", changed))
        }
        if algorithm == "ES256" {
            let der = try P256.Signing.ECDSASignature(rawRepresentation: good).derRepresentation
            wrong.append(("in DER", der))
        }
        var forged = wrong.map { ($0.name, input + "." + Self.base64($0.signature)) }
        for (number, key) in (publicKeys + [Data(), Data(keyID.utf8)]).enumerated() {
            for name in ["HS256", algorithm] {
                let input = self.input(header: header(["alg": "\"\(name)\""]))
                let code = HMAC<SHA256>.authenticationCode(for: Data(input.utf8), using: SymmetricKey(data: key))
                forged.append(("\(name), public key \(number) as secret", input + "." + Self.base64(Data(code))))
            }
        }
        let stranger = P256.Signing.PrivateKey()
        let (x, y) = (
            stranger.publicKey.rawRepresentation.prefix(32), stranger.publicKey.rawRepresentation.suffix(32)
        )
        let jwk = #""jwk":{"kty":"EC","crv":"P-256","x":"\#(Self.base64(x))","y":"\#(Self.base64(y))"}"#
        let carrying = self.input(header: header(["alg": "\"ES256\""], more: jwk))
        let own = try stranger.signature(for: Data(carrying.utf8)).rawRepresentation
        forged.append(("with its own key in the header", carrying + "." + Self.base64(own)))
        for claim in claims {
            let other = self.input(payload: payload([claim.name: "\"x\""]))
            forged.append(("\(claim.name) changed", other + "." + Self.base64(good)))
        }
        return forged
    }
}
