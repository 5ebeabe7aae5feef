/// The credits that a count took beside the plan's limit.
package struct SpentCredits: Hashable, Sendable, Codable {
    package var spent: Int64
    /// The number that can still be spent.
    package var left: Int64

    package init(spent: Int64, left: Int64) {
        (self.spent, self.left) = (spent, left)
    }
}
