import Foundation

/// The members of a JSON object as they were sent, separated without reading their values, which no decoder offers.
///
/// Goes over any bytes; for what is no JSON the answers mean nothing.
package struct SentMembers {
    /// Of the object itself, with the text of each value.
    package private(set) var members: [(name: String, value: String)] = []
    /// The path of a name that its object has twice, such as `a.b`. Readers do not agree which of the two counts.
    package private(set) var repeated: String?

    package init(_ text: String) {
        let bytes = Array(text.utf8)
        var open: [Open] = []
        var index = 0
        while index < bytes.count, repeated == nil {
            switch bytes[index] {
            case UInt8(ascii: "\""):
                let end = Self.endOfString(bytes, from: index)
                if open.last?.awaitsName == true { take(Self.text(bytes[index...end]), &open) }
                index = end
            case UInt8(ascii: "{"): open.append(Open(isObject: true))
            case UInt8(ascii: "["): open.append(Open(isObject: false))
            case UInt8(ascii: ":"):
                if open.count == 1 { open[0].valueStart = index + 1 }
            case UInt8(ascii: ","), UInt8(ascii: "}"), UInt8(ascii: "]"):
                if open.count == 1 { close(&open[0], bytes, at: index) }
                if bytes[index] == UInt8(ascii: ",") {
                    if let last = open.indices.last { open[last].awaitsName = open[last].isObject }
                } else {
                    _ = open.popLast()
                }
            case _: break
            }
            index += 1
        }
    }

    /// An object or array that has begun.
    private struct Open {
        let isObject: Bool
        var awaitsName: Bool
        var names: Set<String> = []
        /// The member that is being read.
        var name: String?
        var valueStart: Int?

        init(isObject: Bool) {
            self.isObject = isObject
            awaitsName = isObject
        }
    }

    private mutating func take(_ name: String, _ open: inout [Open]) {
        guard let last = open.indices.last else { return }
        open[last].awaitsName = false
        open[last].name = name
        // Compared by their scalars: names that only look alike are two.
        guard !open[last].names.insert(name.unicodeScalars.map { String($0.value) }.joined(separator: " ")).inserted
        else {
            return
        }
        repeated = open.compactMap(\.name).joined(separator: ".")
    }

    private mutating func close(_ object: inout Open, _ bytes: [UInt8], at end: Int) {
        guard let name = object.name, let start = object.valueStart, start <= end else { return }
        members.append((name, String(decoding: bytes[start..<end], as: UTF8.self)))  // safe: asked above
        (object.name, object.valueStart) = (nil, nil)
    }

    /// Returns the index of the closing quotation mark; of the last byte when there is none.
    private static func endOfString(_ bytes: [UInt8], from start: Int) -> Int {
        var index = start + 1
        while index < bytes.count, bytes[index] != UInt8(ascii: "\"") {
            index += bytes[index] == UInt8(ascii: "\\") ? 2 : 1
        }
        return min(index, bytes.count - 1)
    }

    /// The text that a string in quotation marks says.
    private static func text(_ quoted: ArraySlice<UInt8>) -> String {
        guard quoted.contains(UInt8(ascii: "\\")) else {
            return String(decoding: quoted.dropFirst().dropLast(), as: UTF8.self)
        }
        return (try? JSONDecoder().decode(String.self, from: Data(quoted))) ?? String(decoding: quoted, as: UTF8.self)
    }
}
