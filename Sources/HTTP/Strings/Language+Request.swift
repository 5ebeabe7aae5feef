import HTTPTypes
import Hummingbird
import Storage
package import Words

extension Language {
    /// The language of ours that a browser asks for most (RFC 9110, 12.5.4); English when it asks for none of them.
    package init(accepting header: String?) {
        var best: (language: Language, weight: Double)?
        for range in (header ?? "").prefix(1_000).split(separator: ",") {
            let parts = range.split(separator: ";").map { $0.filter { $0 != " " && $0 != "\t" }.lowercased() }
            guard let tag = parts.first, let language = Language(tag: tag) else { continue }
            let weight = parts.dropFirst().first { $0.hasPrefix("q=") }.map { Double($0.dropFirst(2)) ?? 0 } ?? 1
            if weight > best?.weight ?? 0 { best = (language, weight) }
        }
        self = best?.language ?? .english
    }

    /// Chinese unless it is asked for in traditional characters.
    private init?(tag: String) {
        let parts = tag.split(separator: "-")
        switch parts.first {
        case "en": self = .english
        case "tr": self = .turkish
        case "zh":
            let isSimplified = parts.contains("hans")
            let isTraditional = ["hant", "tw", "hk", "mo"].contains { parts.contains($0) }
            guard isSimplified || !isTraditional else { return nil }
            self = .chinese
        default: return nil
        }
    }
}

extension Request {
    /// The texts of a page before anybody has signed in.
    package var strings: Strings { Strings(Language(accepting: headers[.acceptLanguage])) }
}
