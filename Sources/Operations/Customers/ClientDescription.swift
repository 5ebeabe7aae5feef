import Foundation
import Storage

/// The headers' description of the app that calls. Whatever they contain, the stored values are short and plain.
struct ClientDescription: Sendable, Hashable {
    var locale: String?
    var platform: CustomerActivity.Platform?
    var appVersion: String?

    /// - Parameters:
    ///   - acceptLanguage: RFC 9110, 12.5.4.
    ///   - userAgent: RFC 9110, 10.1.5: `Readmigo/2.3.1 (iOS 17.4)`; URLSession's own is `Readmigo/412 CFNetwork/1408 Darwin/22`.
    init(acceptLanguage: String?, userAgent: String?) {
        locale = acceptLanguage.flatMap(Self.locale)
        let agent = String((userAgent ?? "").prefix(Self.longestHeader))
        platform = Self.platform(of: agent)
        appVersion = platform == .web ? nil : Self.version(of: agent)
    }

    private static let longestHeader = 1_000
    private static let longestTag = 35
    private static let longestVersion = 32
    /// Names of the calling library instead of the app.
    private static let libraries: Set<String> = [
        "axios", "cfnetwork", "curl", "dalvik", "okhttp",
    ]

    private static func locale(of header: String) -> String? {
        let first = header.prefix(longestHeader).split(separator: ",", maxSplits: 1).first ?? ""
        let tag = (first.split(separator: ";", maxSplits: 1).first ?? "").filter { $0 != " " && $0 != "\t" }
        let parts = tag.split(separator: "-", omittingEmptySubsequences: false)
        let isTag =
            tag.utf8.count <= longestTag && (1...5).contains(parts.count)
            && parts.allSatisfy { (1...8).contains($0.utf8.count) && $0.utf8.allSatisfy(isAlphanumeric) }
        return isTag ? tag : nil
    }

    private static func platform(of agent: String) -> CustomerActivity.Platform? {
        if agent.hasPrefix("Mozilla/") { return .web }
        let words = Set(agent.lowercased().split { !$0.isLetter }.map(String.init))
        for (platform, signs) in signs where signs.contains(where: words.contains) { return platform }
        return nil
    }

    /// In the order in which they are looked for: Darwin is iOS where nothing says that it is a Mac.
    private static let signs: [(CustomerActivity.Platform, [String])] = [
        (.android, ["android", "okhttp", "dalvik"]), (.macos, ["macos", "macintosh"]),
        (.ios, ["ios", "iphone", "ipad", "ipod", "darwin"]),
    ]

    private static func version(of agent: String) -> String? {
        let product = agent.split(separator: " ", maxSplits: 1).first ?? ""
        let parts = product.split(separator: "/", omittingEmptySubsequences: false)
        guard parts.count == 2, let name = parts.first, let version = parts.last,
            !libraries.contains(name.lowercased()), (1...longestVersion).contains(version.utf8.count),
            version.utf8.allSatisfy({ isAlphanumeric($0) || "+-._".utf8.contains($0) })
        else { return nil }
        return String(version)
    }

    private static func isAlphanumeric(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "a")...UInt8(ascii: "z"):
            true
        default: false
        }
    }
}
