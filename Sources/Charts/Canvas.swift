/// The size of a drawing, in units: about a pixel each where there is room for them.
package struct Canvas: Sendable, Hashable {
    package let width: Int
    package let height: Int

    /// Across a whole page.
    package static let wide = Canvas(width: 1_000, height: 300)
    /// Two side by side.
    package static let half = Canvas(width: 560, height: 270)
}
