import Billing
import Foundation
import Operations

extension CatalogFile {
    /// One name for all languages, or one for each.
    enum NameEntry: Decodable {
        case plain(String)
        case localized([String: String])

        init(from decoder: any Decoder) throws {
            let container = try decoder.singleValueContainer()
            if let name = try? container.decode(String.self) {
                self = .plain(name)
            } else {
                self = .localized(try container.decode([String: String].self))
            }
        }
    }

    /// The name that staff pages show, and all by language.
    func checkedName(_ entry: NameEntry, _ path: String) throws -> (String, LocalizedText) {
        switch entry {
        case .plain(let name):
            return (try text(name, path), LocalizedText())
        case .localized(let texts):
            let names = try localized(texts, path)
            return (names.first, names.texts)
        }
    }

    /// - Returns: the English text, or the one that stands for it, and all by language.
    func localized(_ texts: [String: String], _ path: String) throws -> (first: String, texts: LocalizedText) {
        let languages = LocalizedText.languages.joined(separator: ", ")
        for (language, text) in texts.sorted(by: { $0.key < $1.key }) {
            guard LocalizedText.languages.contains(language) else {
                throw invalid(member(language, of: path), "is no language; languages are \(languages)")
            }
            _ = try self.text(text, "\(path).\(language)")
        }
        let localized = LocalizedText(texts)
        guard let first = localized.text(in: "en") else {
            throw invalid(path, "has no text; languages are \(languages)")
        }
        return (first, localized)
    }

    /// A product's id as its store knows it: written out, or from the environment.
    func productID(_ written: String, _ path: String) throws -> String {
        guard written.contains("${") else { return try text(written, path) }
        guard let match = written.wholeMatch(of: /\$\{([A-Za-z_][A-Za-z0-9_]{0,99})(?::-([^{}$]*))?\}/) else {
            throw invalid(path, "is an id, or as a whole ${NAME} or ${NAME:-default} of the environment")
        }
        let name = String(match.1)
        let value = ProcessInfo.processInfo.environment[name].flatMap { $0.isEmpty ? nil : $0 }
        guard let id = value ?? match.2.map({ String($0) }) else {
            throw invalid(path, "is the environment's \(name), which is not set; set it, or write ${\(name):-default}")
        }
        return try text(id, path)
    }

    /// Returns the path of a map's member; the map's own where the key is not fit to repeat.
    func member(_ key: String, of path: String) -> String {
        key.wholeMatch(of: /[A-Za-z0-9_\-]{1,64}/) == nil ? path : "\(path).\(key)"
    }
}
