import HTTP
import Words

/// The sentences on the parts of a page's address that the page does not understand.
enum IgnoredText {
    private static let longest = 60

    static func sentences(_ ignored: [IgnoredParameter], _ strings: Strings) -> [String] {
        var names: [String] = []
        var sentences: [String] = []
        for parameter in ignored {
            switch parameter {
            case .name(let name): names.append(strings.partsQuoted(text: cut(name)))
            case .value(let value, let name):
                sentences.append(strings.listsUnknownValue(name: cut(name), value: cut(value)))
            }
        }
        guard !names.isEmpty else { return sentences }
        return [strings.listsUnknownFilters(count: names.count, names: strings.list(names))] + sentences
    }

    private static func cut(_ text: String) -> String {
        text.count > longest ? text.prefix(longest) + "…" : text
    }
}
