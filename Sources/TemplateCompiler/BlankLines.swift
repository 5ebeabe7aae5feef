/// Removes the lines that hold nothing but section tags, headers and comments.
enum BlankLines {
    static func removed(from tokens: [Token], of source: TemplateSource) -> [Token] {
        var result = tokens
        var index = 0
        while index < tokens.count {
            guard let run = lineOfTags(startingAt: index, in: tokens, of: source) else {
                index += 1
                continue
            }
            if run.lowerBound > 0, case .html(let before) = result[run.lowerBound - 1] {
                let lineStart = tokens[run.lowerBound - 1].range.last { source.bytes[$0] == newline }.map { $0 + 1 }
                let cut = max(before.lowerBound, lineStart ?? before.lowerBound)
                result[run.lowerBound - 1] = .html(before.lowerBound..<min(cut, before.upperBound))
            }
            for inner in run where tokens[inner].isHTML {
                result[inner] = .html(tokens[inner].range.lowerBound..<tokens[inner].range.lowerBound)
            }
            if run.upperBound < tokens.count, case .html(let after) = result[run.upperBound] {
                let lineEnd = after.first { source.bytes[$0] == newline }.map { $0 + 1 } ?? after.upperBound
                result[run.upperBound] = .html(lineEnd..<after.upperBound)
            }
            index = run.upperBound
        }
        return result
    }

    /// The tokens from `start` up to the HTML that holds the end of the line, if they are alone on their line.
    private static func lineOfTags(
        startingAt start: Int,
        in tokens: [Token],
        of source: TemplateSource
    ) -> Range<Int>? {
        guard case .tag(let first, let place) = tokens[start], first.vanishesAlone else { return nil }
        let before = source.bytes[..<place.lowerBound].reversed().prefix { $0 != newline }
        guard before.allSatisfy(\.isSpace) else { return nil }
        var end = start
        while end < tokens.count {
            switch tokens[end] {
            case .tag(let tag, _):
                guard tag.vanishesAlone else { return nil }
            case .html(let range):
                // Read from the source: an earlier line may have cut this piece's beginning already.
                let rest = source.bytes[tokens[end].range.lowerBound..<range.upperBound]
                let line = rest.prefix { $0 != newline }
                guard line.allSatisfy(\.isSpace) else { return nil }
                if line.count < rest.count { return start..<end }
            }
            end += 1
        }
        return start..<end
    }

    private static let newline = UInt8(ascii: "\n")
}

extension Token {
    var range: Range<Int> {
        switch self {
        case .html(let range), .tag(_, let range): range
        }
    }

    var isHTML: Bool {
        if case .html = self { true } else { false }
    }
}
