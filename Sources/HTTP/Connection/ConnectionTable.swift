package import NIOCore

/// The connections and what each waits for: the rules by which newcomers are let in.
///
/// When there is no room, the connection that has been idle longest makes room, or the one that its client has kept
/// waiting longest; only where all are at work is a newcomer refused. Every step takes the same time, however many are
/// connected.
package struct ConnectionTable {
    /// Names a connection until it has left.
    package typealias ID = Int

    /// The party that a connection waits for. Each state can become any other.
    package enum Activity {
        /// It waits for the server, or for nothing because it is closing: it makes room for nobody.
        case working
        /// It waits for the next request. Each begins so.
        case idle
        /// It waits for a client that owes the rest of a request, or takes nothing of what it is sent.
        case stalled
    }

    package enum Admission: Equatable {
        /// - Parameter closing: the connection that has to make room.
        case admitted(ID, closing: ID?)
        case refused
    }

    private struct Neighbours {
        var earlier: ID?
        var later: ID?
    }

    private struct Slot {
        var group: AddressGroup?
        var activity = Activity.working
        /// It was asked to make room; what it reports from then on is ignored.
        var isLeaving = false
        /// The time since which it has its activity.
        var since = NIODeadline.uptimeNanoseconds(0)
        var inAll = Neighbours()
        var inGroup = Neighbours()
    }

    /// Connections in the order in which they entered their activity.
    private struct Queue {
        var first: ID?
        var last: ID?

        mutating func append(_ id: ID, _ place: WritableKeyPath<Slot, Neighbours>, of slots: inout [Slot]) {
            slots[id][keyPath: place] = Neighbours(earlier: last)
            if let last { slots[last][keyPath: place].later = id } else { first = id }
            last = id
        }

        mutating func remove(_ id: ID, _ place: WritableKeyPath<Slot, Neighbours>, of slots: inout [Slot]) {
            let neighbours = slots[id][keyPath: place]
            if let earlier = neighbours.earlier {
                slots[earlier][keyPath: place].later = neighbours.later
            } else {
                first = neighbours.later
            }
            if let later = neighbours.later {
                slots[later][keyPath: place].earlier = neighbours.earlier
            } else {
                last = neighbours.earlier
            }
        }
    }

    /// The connections that can make room.
    private struct Waiting {
        var idle = Queue()
        var stalled = Queue()

        mutating func move(
            _ id: ID,
            from before: Activity,
            to after: Activity,
            _ place: WritableKeyPath<Slot, Neighbours>,
            of slots: inout [Slot]
        ) {
            switch before {
            case .working: break
            case .idle: idle.remove(id, place, of: &slots)
            case .stalled: stalled.remove(id, place, of: &slots)
            }
            switch after {
            case .working: break
            case .idle: idle.append(id, place, of: &slots)
            case .stalled: stalled.append(id, place, of: &slots)
            }
        }
    }

    private struct Group {
        var count = 0
        var waiting = Waiting()
    }

    /// A connection that has been idle for less than this keeps its place while another stalls: else a client that connects often
    /// enough would push out everybody who has just connected and has yet to ask.
    package static let grace = TimeAmount.seconds(2)

    private let limits: ConnectionLimits
    private var slots: [Slot] = []
    private var free: [ID] = []
    private var waiting = Waiting()
    private var groups: [AddressGroup: Group] = [:]

    package init(_ limits: ConnectionLimits) {
        self.limits = limits
    }

    package var count: Int { slots.count - free.count }

    /// Lets a connection in, as idle.
    ///
    /// - Parameter group: nil for one that is not counted with others, such as a proxy's.
    package mutating func admit(_ group: AddressGroup?, at now: NIODeadline) -> Admission {
        var closing: ID?
        if let group, let members = groups[group], members.count >= limits.perAddress {
            closing = leaving(members.waiting, at: now)
            guard closing != nil else { return .refused }
        } else if count >= limits.inTotal {
            closing = leaving(waiting, at: now)
            guard closing != nil else { return .refused }
        }
        if let closing {
            change(closing, to: .working, at: now)
            slots[closing].isLeaving = true
        }
        let id = free.popLast() ?? slots.count
        if id == slots.count { slots.append(Slot()) }
        slots[id] = Slot(group: group)
        if let group { groups[group, default: Group()].count += 1 }
        change(id, to: .idle, at: now)
        return .admitted(id, closing: closing)
    }

    /// A connection that is what it was keeps its place among the others; one that is to make room is not changed any
    /// more.
    package mutating func change(_ id: ID, to activity: Activity, at now: NIODeadline) {
        let before = slots[id].activity
        guard before != activity, !slots[id].isLeaving else { return }
        slots[id].activity = activity
        slots[id].since = now
        waiting.move(id, from: before, to: activity, \.inAll, of: &slots)
        guard let group = slots[id].group else { return }
        groups[group, default: Group()].waiting.move(id, from: before, to: activity, \.inGroup, of: &slots)
    }

    package mutating func leave(_ id: ID, at now: NIODeadline) {
        change(id, to: .working, at: now)
        if let group = slots[id].group {
            groups[group, default: Group()].count -= 1
            if let left = groups[group]?.count, left <= 0 { groups[group] = nil }
        }
        slots[id] = Slot()
        free.append(id)
    }

    private func leaving(_ waiting: Waiting, at now: NIODeadline) -> ID? {
        guard let idle = waiting.idle.first, let stalled = waiting.stalled.first else {
            return waiting.idle.first ?? waiting.stalled.first
        }
        return now - slots[idle].since >= Self.grace ? idle : stalled
    }
}
