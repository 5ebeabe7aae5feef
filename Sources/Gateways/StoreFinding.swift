/// One thing that was found out about an app's connection to a store.
package struct StoreFinding: Hashable, Sendable {
    /// "answers about orders"
    package var text: String
    /// The fault and its remedy, in one line; nil where all is well.
    package var problem: String?

    package init(_ text: String, problem: String? = nil) {
        (self.text, self.problem) = (text, problem)
    }
}
