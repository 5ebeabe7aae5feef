import HTTP
import Words

/// A store's signed message as indented JSON for people: nothing is verified, dropped or put in another order.
///
/// A signed text within it (Apple's `signedTransactionInfo`, `signedRenewalInfo`) is shown as the JSON it holds.
enum DecodedPayload {
    /// - Parameter signed: three parts of base64url with dots between (RFC 7515). nil when the second holds no JSON object.
    static func text(ofSigned signed: String) -> String? {
        guard let json = json(inside: signed.utf8) else { return nil }
        var writer = IndentedJSON()
        return writer.indent(json, depth: 0) ? String(decoding: writer.text, as: UTF8.self) : nil
    }

    /// The bytes of the second part, if they look like an object.
    fileprivate static func json(inside signed: some Collection<UInt8>) -> [UInt8]? {
        let parts = signed.split(separator: UInt8(ascii: "."), maxSplits: 3, omittingEmptySubsequences: false)
        guard parts.count == 3, !parts[2].isEmpty else { return nil }
        guard let bytes = Base64URL.bytes(of: String(decoding: parts[1], as: UTF8.self)) else { return nil }
        return bytes.first == UInt8(ascii: "{") && bytes.last == UInt8(ascii: "}") ? bytes : nil
    }
}

/// Puts line breaks and spaces between the tokens of JSON; the tokens stay as they are.
private struct IndentedJSON {
    private(set) var text: [UInt8] = []

    /// False when it is not JSON, as far as brackets and strings tell.
    mutating func indent(_ json: [UInt8], depth outer: Int) -> Bool {
        var (depth, index) = (outer, 0)
        while index < json.count {
            let byte = json[index]
            switch byte {
            case UInt8(ascii: "\""):
                guard let end = endOfString(json, from: index) else { return false }
                writeString(json[index...end], depth: depth)
                index = end
            case UInt8(ascii: "{"), UInt8(ascii: "["):
                text.append(byte)
                if let close = emptyEnd(json, after: index) {
                    text.append(json[close])
                    index = close
                } else {
                    depth += 1
                    guard depth <= Self.deepest else { return false }
                    breakLine(depth)
                }
            case UInt8(ascii: "}"), UInt8(ascii: "]"):
                depth -= 1
                guard depth >= outer else { return false }
                breakLine(depth)
                text.append(byte)
            case UInt8(ascii: ","):
                text.append(byte)
                breakLine(depth)
            case UInt8(ascii: ":"): text += [byte, UInt8(ascii: " ")]
            case 0x20, 0x0A, 0x0D, 0x09: break
            case _: text.append(byte)
            }
            index += 1
        }
        return depth == outer
    }

    private mutating func writeString(_ token: ArraySlice<UInt8>, depth: Int) {
        let content = token.dropFirst().dropLast()
        if depth < Self.deepest / 2, content.starts(with: "ey".utf8), let inner = DecodedPayload.json(inside: content) {
            let before = text
            if indent(inner, depth: depth) { return }
            text = before
        }
        text += token
    }

    private func endOfString(_ json: [UInt8], from start: Int) -> Int? {
        var index = start + 1
        while index < json.count, json[index] != UInt8(ascii: "\"") {
            index += json[index] == UInt8(ascii: "\\") ? 2 : 1
        }
        return index < json.count ? index : nil
    }

    private func emptyEnd(_ json: [UInt8], after start: Int) -> Int? {
        let next = json[(start + 1)...].firstIndex { ![0x20, 0x0A, 0x0D, 0x09].contains($0) }
        guard let next else { return nil }
        return json[next] == json[start] + 2 ? next : nil
    }

    private mutating func breakLine(_ depth: Int) {
        text.append(UInt8(ascii: "\n"))
        text.append(contentsOf: repeatElement(UInt8(ascii: " "), count: depth * 2))
    }

    private static let deepest = 64
}
