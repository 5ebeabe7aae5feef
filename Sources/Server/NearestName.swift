/// The known name that was probably meant by an unknown one.
enum NearestName {
    /// nil where none is near.
    static func of(_ name: String, among known: some Sequence<String>) -> String? {
        let written = Array(name.lowercased().prefix(longest))
        let near = known.map { name in
            let other = Array(name.lowercased().prefix(longest))
            let isBeginning =
                min(written.count, other.count) > 3 && (other.starts(with: written) || written.starts(with: other))
            return (name, isBeginning ? 1 : distance(written, other))
        }
        .min { ($0.1, $0.0) < ($1.1, $1.0) }
        guard let near, near.1 <= max(1, min(written.count, near.0.count) / 2) else { return nil }
        return near.0
    }

    private static let longest = 64

    /// The number of characters that are inserted, removed or replaced (Levenshtein).
    static func distance(_ first: String, _ second: String) -> Int {
        distance(Array(first.prefix(longest)), Array(second.prefix(longest)))
    }

    private static func distance(_ first: [Character], _ second: [Character]) -> Int {
        var row = Array(0...second.count)
        for (index, character) in first.enumerated() {
            var diagonal = row[0]
            row[0] = index + 1
            for (other, candidate) in second.enumerated() {
                let kept = diagonal + (character == candidate ? 0 : 1)
                diagonal = row[other + 1]
                row[other + 1] = min(kept, diagonal + 1, row[other] + 1)
            }
        }
        return row[second.count]
    }
}
