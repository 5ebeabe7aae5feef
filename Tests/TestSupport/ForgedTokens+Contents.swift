import Foundation

extension ForgedTokens {
    /// Returns tokens whose text differs from the signed one, but which a lenient reader would take for the same.
    func encodings() throws -> [(name: String, token: String)] {
        let good = try withForeignLetters()
        let parts = good.split(separator: ".").map(String.init)
        var forged: [(name: String, token: String)] = []
        for length in 0..<good.count { forged.append(("cut at \(length)", String(good.prefix(length)))) }
        for index in parts.indices {
            func replaced(_ part: String) -> String {
                var parts = parts
                parts[index] = part
                return parts.joined(separator: ".")
            }
            let part = parts[index]
            for end in ["=", "==", "===", " ", "\n", "\0", "%3D"] {
                forged.append(("part \(index) ends in \(end.debugDescription)", replaced(part + end)))
            }
            for start in [" ", "\n", "\0", "\u{FEFF}"] {
                forged.append(("part \(index) begins with \(start.debugDescription)", replaced(start + part)))
            }
            let middle = part.index(part.startIndex, offsetBy: part.count / 2)
            for letter in ["\n", "\0", "=", ".", "%"] {
                let text = String(part[..<middle]) + letter + String(part[middle...])
                forged.append(("part \(index) has \(letter.debugDescription) within", replaced(text)))
            }
            for text in Self.withStrayBits(part) { forged.append(("part \(index) with stray bits", replaced(text))) }
            forged.append(("part \(index) is empty", replaced("")))
        }
        let standard = good.replacing("-", with: "+").replacing("_", with: "/")
        forged += [
            ("in the standard alphabet", standard), ("of two parts", parts.prefix(2).joined(separator: ".")),
            ("of four parts", good + "."), ("of five parts", good + "..x"), ("after a dot", "." + good),
            ("with its scheme", "Bearer " + good), ("with full-width dots", good.replacing(".", with: "\u{FF0E}")),
            ("twice", good + good), ("NUL", "\0"), ("in quotation marks", "\"\(good)\""),
            (
                "as JSON",
                #"{"payload":"\#(parts[1])","protected":"\#(parts[0])","signature":"\#(parts[2])"}"#
            ),
        ]
        return forged
    }

    /// Returns tokens that the good key signed, with contents that must be rejected.
    func contents() throws -> [(name: String, token: String)] {
        var forged: [(name: String, token: String)] = []
        for (name, values) in wrongClaims {
            for value in values {
                let left = value.isEmpty ? "left out" : value
                forged.append(("\(name) is \(left)", try token(payload: payload([name: value]))))
            }
        }
        for claim in claims {
            for value in ["\"x\"", claim.value] {
                let member = "\"\(claim.name)\":\(value)"
                forged.append(("\(member) as well", try token(payload: payload(more: member))))
                forged.append(("\(member) before", try token(payload: "{\(member)," + payload().dropFirst())))
            }
        }
        let escaped = "\"\\u0065xp\":\(now + 60)"
        let texts = [
            payload(more: escaped), payload(more: "\"x\":{\"a\":1,\"a\":2}"),
            payload(more: "\"x\":[{\"a\":1,\"a\":2}]"),
            "", "null", "1", "\"text\"", "[]", "{}", "[\(payload())]", "\"\(payload().replacing("\"", with: "\\\""))\"",
            payload() + "}", payload() + payload(), "\u{FEFF}" + payload(), payload() + "\0", "\0" + payload(),
            String(payload().dropLast()), payload(more: "\"x\":\"\0\""), payload(more: "\"x\":01"),
            payload(more: "\"x\":NaN"),
            payload(more: "\"x\":1e400"), payload(more: "\"x\":\(String(repeating: "[", count: 5_000))"),
            payload(more: "\"x\":\"\(String(repeating: "a", count: 1 << 17))\""), payload().replacing("\"", with: "'"),
            payload(more: "x:1"), payload(more: "\"x\":1,"), payload(more: "\"x\":\"\\ud800\""),
        ]
        for text in texts { forged.append(("payload \(text.prefix(200))", try token(payload: text))) }
        return forged
    }

    /// The wrong values of each claim, in JSON; "" leaves the claim out.
    private var wrongClaims: [(name: String, values: [String])] {
        let noTimes = [
            "1e400", "-1e400", "1e308", "-1", "-9223372036854775808", "9223372036854775808", "253402300800",
            "\"\(now)\"",
            "\"soon\"", "\"\"", "true", "[\(now)]", "{}", "NaN", "Infinity", "0x7fffffff", "+1", "01", "1.",
        ]
        let issuer = claims.first { $0.name == "iss" }?.value.dropLast() ?? "\""
        var wrong: [(name: String, values: [String])] = [
            ("exp", noTimes + ["", "null", "0", "1", "\(now - 86_400)"]),
            ("iat", noTimes),
            ("nbf", noTimes + ["\(now + 86_400)", "\(now + 86_400).5", "253402300799"]),
            (
                "iss",
                [
                    "", "null", "\"\"", "1", "\"https://other.example\"", "[\(issuer)\"]", "\(issuer)\\u0000\"",
                    "\(issuer) \"", "\(issuer)/\"", "\(issuer.uppercased())X\"",
                ]
            ),
        ]
        if !ignores.contains(.issuedAt) { wrong.append(("iat", ["\(now + 86_400)"])) }
        if !ignores.contains(.audience) {
            let audience = claims.first { $0.name == "aud" }?.value.dropLast() ?? "\""
            let others = [
                "", "null", "\"\"", "1", "[]", "[[\(audience)\"]]", "{}", "\"x\"", "[\"x\"]", "\(audience)\\u0000\"",
                "\(audience) \"", "[\(audience)\",1]",
            ]
            wrong.append(("aud", others))
        }
        return wrong
    }

    /// Returns a good token whose signature has letters that the two alphabets of base64 do not share.
    private func withForeignLetters() throws -> String {
        var good = try genuine()
        for number in 0..<100 where !good.contains(where: { $0 == "-" || $0 == "_" }) {
            good = try token(payload: payload(more: "\"n\":\(number)"))
        }
        return good
    }

    /// Returns encodings of the same bytes with other bits after the last one.
    private static func withStrayBits(_ part: String) -> [String] {
        let letters = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_")
        guard let last = part.last, let value = letters.firstIndex(of: last), part.count % 4 > 1 else { return [] }
        let spare = part.count % 4 == 2 ? 15 : 3
        return (1...spare).map { part.dropLast() + String(letters[value | $0]) }
    }
}
