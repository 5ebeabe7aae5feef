import Billing
import Foundation
import Operations

extension CatalogFile {
    /// A plan's limits for a feature: the word `unlimited`, or limits by window.
    enum LimitsEntry: Decodable {
        case word(String)
        case windows([String: String])

        init(from decoder: any Decoder) throws {
            let container = try decoder.singleValueContainer()
            if let word = try? container.decode(String.self) {
                self = .word(word)
            } else {
                self = .windows(try container.decode([String: String].self))
            }
        }
    }

    func checkedFeatures() throws -> [CatalogFeature] {
        let entries = features ?? []
        let checked = try entries.enumerated().map { index, entry in
            let path = "features[\(index)]"
            guard Feature.isCode(entry.code) else {
                throw invalid(
                    "\(path).code",
                    "is lower-case letters, digits and hyphens, at most \(Feature.longestCode) characters"
                )
            }
            let (name, names) = try checkedName(entry.name, "\(path).name")
            return CatalogFeature(
                feature: Feature(code: entry.code),
                name: name,
                names: names,
                limitReached: try entry.limitReached.map { try limitText($0, "\(path).limitReached") }
                    ?? LocalizedText()
            )
        }
        try checkUnique(entries.map(\.code), "features", "code")
        return checked
    }

    /// Returns a plan's limits by the code of the feature.
    func included(_ entries: [String: LimitsEntry], _ path: String) throws -> [String: FeatureLimits] {
        let known = Set((features ?? []).map(\.code))
        var included: [String: FeatureLimits] = [:]
        for (code, entry) in entries.sorted(by: { $0.key < $1.key }) {
            let path = member(code, of: path)
            guard known.contains(code) else { throw invalid(path, "is none of the features above") }
            included[code] = try limits(entry, path)
        }
        return included
    }

    /// Returns a product's credits by the code of the feature.
    func checkedCredits(_ entries: [String: String], _ path: String) throws -> [String: Int64] {
        let known = Set((features ?? []).map(\.code))
        var credits: [String: Int64] = [:]
        for (code, text) in entries.sorted(by: { $0.key < $1.key }) {
            let path = member(code, of: path)
            guard known.contains(code) else { throw invalid(path, "is none of the features above") }
            let possible = CatalogProduct.possibleCredits
            guard text.wholeMatch(of: /[1-9][0-9]{0,9}/) != nil, let amount = Int64(text), possible.contains(amount)
            else { throw invalid(path, "is a whole number from \(possible.lowerBound) to \(possible.upperBound)") }
            credits[code] = amount
        }
        return credits
    }

    private func limits(_ entry: LimitsEntry, _ path: String) throws -> FeatureLimits {
        switch entry {
        case .word("unlimited"):
            return .unlimited
        case .word:
            throw invalid(path, "is unlimited, or limits by window such as { day: 5 }")
        case .windows(let numbers):
            guard !numbers.isEmpty else { throw invalid(path, "has no window; without a limit it is unlimited") }
            var limits = FeatureLimits()
            for (name, number) in numbers.sorted(by: { $0.key < $1.key }) {
                guard let window = UsageWindow(rawValue: name) else {
                    let windows = UsageWindow.allCases.map(\.rawValue).joined(separator: ", ")
                    throw invalid(member(name, of: path), "is no window; windows are \(windows)")
                }
                limits[window] = try limit(number, "\(path).\(name)")
            }
            return limits
        }
    }

    private func limit(_ text: String, _ path: String) throws -> Int64 {
        guard text != "0" else { throw invalid(path, "is 0; leave the feature out of a plan that does not include it") }
        guard text.wholeMatch(of: /[1-9][0-9]{0,12}/) != nil, let limit = Int64(text),
            FeatureLimits.possible.contains(limit)
        else {
            let (least, most) = (FeatureLimits.possible.lowerBound, FeatureLimits.possible.upperBound)
            throw invalid(path, "is a whole number from \(least) to \(most)")
        }
        return limit
    }
}
