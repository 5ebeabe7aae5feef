/// The rule that says which servers a pool works with.
package struct ServerAdmission: Sendable {
    package let history: TimelineHistory
    private let isReplica: Bool

    /// The newest primary, and no other.
    package static func primary(_ history: TimelineHistory) -> Self { Self(history: history, isReplica: false) }

    /// A standby of the primary, or the primary itself.
    package static func replica(_ history: TimelineHistory) -> Self { Self(history: history, isReplica: true) }

    func admit(_ server: ServerPosition) throws(PostgresError) {
        if isReplica { try history.admitReplica(server) } else { try history.admitPrimary(server) }
    }
}
