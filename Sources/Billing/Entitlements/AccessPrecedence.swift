import Foundation

/// Something that gives a plan for a time. Of several that do, one decides what the customer may use, and is what they
/// are counted under; which one never depends on the order of rows.
protocol AccessPrecedence {
    var planRank: Int { get }
    /// nil: never.
    var endsAt: Date? { get }
    /// A grant, not bought.
    var isGranted: Bool { get }
    /// Tell two apart that are alike in everything else; the smaller decides.
    var names: [String] { get }
}

extension AccessPrecedence {
    /// True if the other takes precedence: the higher plan wins, then the later end (no end is the latest), then a purchase over a grant,
    /// then the smaller name.
    func yields(to other: Self) -> Bool {
        if planRank != other.planRank { return planRank < other.planRank }
        let (end, otherEnd) = (endsAt ?? .distantFuture, other.endsAt ?? .distantFuture)
        if end != otherEnd { return end < otherEnd }
        if isGranted != other.isGranted { return isGranted }
        return other.names.lexicographicallyPrecedes(names)
    }
}

extension Sequence where Element: AccessPrecedence {
    /// The one that decides; nil without any.
    func deciding() -> Element? {
        self.max { $0.yields(to: $1) }
    }
}
