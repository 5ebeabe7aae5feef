/// Decides whether a URL may be followed: relative ones and `http:`, `https:`, `mailto:` may.
enum URLScheme {
    /// Returns true if the text before the first `:` is one of our schemes, letter by letter, or there is no scheme at all.
    ///
    /// So leading control characters, tabs inside `java\tscript:` and other disguises that browsers
    /// strip (https://url.spec.whatwg.org/#concept-basic-url-parser) never match and never get out.
    static func isSafe(_ url: UnsafeRawBufferPointer) -> Bool {
        for (offset, byte) in url.enumerated() {
            switch byte {
            case UInt8(ascii: "/"), UInt8(ascii: "?"), UInt8(ascii: "#"): return true
            case UInt8(ascii: ":"): return isAllowed(url.prefix(offset))
            default: continue
            }
        }
        return true
    }

    private static func isAllowed(_ scheme: Slice<UnsafeRawBufferPointer>) -> Bool {
        let allowed: [StaticString] = ["http", "https", "mailto"]
        return allowed.contains { candidate in
            candidate.withUTF8Buffer { $0.elementsEqual(scheme.lazy.map { letter in letter | 0x20 }) }
        }
    }
}
