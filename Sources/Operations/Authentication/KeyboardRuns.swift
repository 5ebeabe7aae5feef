/// Runs of neighbours: in the alphabet, among the digits, along a row or a column of a keyboard, either way.
enum KeyboardRuns {
    /// So many characters each run has, on average, where a text consists of runs.
    private static let shortest = 4

    /// True if a text consists of a few runs, or of a few walks from key to neighbouring key.
    static func makeUp(_ text: [Character]) -> Bool {
        guard text.count >= shortest else { return false }
        return [run, walk].contains { length in pieces(of: text, by: length) * shortest <= text.count }
    }

    /// The length of the run at the beginning, in characters: at least 1.
    static func run(_ text: ArraySlice<Character>) -> Int {
        var goingOn: Set<Int> = [1, 0, -1]
        var length = 1
        for (one, next) in zip(text, text.dropFirst()) {
            goingOn = goingOn.intersection(steps(from: one, to: next))
            guard !goingOn.isEmpty else { break }
            length += 1
        }
        return length
    }

    /// The length of the walk over neighbouring keys at the beginning, in characters and in any direction: at least 1.
    private static func walk(_ text: ArraySlice<Character>) -> Int {
        1 + zip(text, text.dropFirst()).prefix { areNeighbours($0, $1) }.count
    }

    private static func pieces(of text: [Character], by length: (ArraySlice<Character>) -> Int) -> Int {
        var (rest, pieces) = (ArraySlice(text), 0)
        while !rest.isEmpty {
            rest = rest.dropFirst(length(rest))
            pieces += 1
        }
        return pieces
    }

    // MARK: Rows

    /// 1 forward, -1 back, both where two rows disagree, 0 the same again; none when they are no neighbours.
    private static func steps(from one: Character, to next: Character) -> Set<Int> {
        one == next ? [0] : neighbours[Pair(one: one, next: next)] ?? []
    }

    private struct Pair: Hashable {
        let one: Character
        let next: Character
    }

    private static let neighbours: [Pair: Set<Int>] = {
        var neighbours: [Pair: Set<Int>] = [:]
        for row in rows {
            for (one, next) in zip(row, row.dropFirst()) {
                neighbours[Pair(one: one, next: next), default: []].insert(1)
                neighbours[Pair(one: next, next: one), default: []].insert(-1)
            }
        }
        return neighbours
    }()

    private static let rows = [
        "abcdefghijklmnopqrstuvwxyz", "01234567890", "qwertyuiop", "asdfghjkl", "zxcvbnm", "qwertzuiop", "azertyuiop",
        "qwertyuıopğü", "asdfghjklşi", "zxcvbnmöç", "йцукенгшщзхъ", "фывапролджэ", "ячсмитьбю",
        "1qaz", "2wsx", "3edc", "4rfv", "5tgb", "6yhn", "7ujm", "8ik,", "9ol.", "0p;/",
    ]

    // MARK: Keys

    /// Each row of keys lies half a key to the right of the one above.
    private static func areNeighbours(_ one: Character, _ next: Character) -> Bool {
        guard let one = keys[one], let next = keys[next] else { return false }
        let (upper, lower) = one.row <= next.row ? (one, next) : (next, one)
        let right = lower.column - upper.column
        switch lower.row - upper.row {
        case 0: return (-1...1).contains(right)
        case 1: return (-1...0).contains(right)
        default: return false
        }
    }

    private static let keys: [Character: (row: Int, column: Int)] = {
        var keys: [Character: (row: Int, column: Int)] = [:]
        for (row, line) in ["1234567890-=", "qwertyuiop[]", "asdfghjkl;'", "zxcvbnm,./"].enumerated() {
            for (column, key) in line.enumerated() { keys[key] = (row, column) }
        }
        return keys
    }()
}
