extension String {
    /// Constant words as text.
    package init(_ strings: StaticString) { self = strings.description }
}
