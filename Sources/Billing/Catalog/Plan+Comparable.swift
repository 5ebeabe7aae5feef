extension Plan: Comparable {
    /// By rank; plans of one rank (of two apps, or a mistake in a catalogue) by code, so that sorting is stable.
    package static func < (left: Plan, right: Plan) -> Bool {
        (left.rank, left.code) < (right.rank, right.code)
    }
}
