/// Who is connected, and who of them waits for nothing: the rules by which newcomers are let in.
///
/// When there is no room, the connection that has been idle longest makes room; only where all are at work is a newcomer
/// refused. Every step takes the same time, however many are connected.
struct ConnectionTable {
    /// Names a connection until it has left.
    typealias ID = Int

    enum Admission: Equatable {
        /// - Parameter closing: who is to make room.
        case admitted(ID, closing: ID?)
        case refused
    }

    private struct Neighbours {
        var earlier: ID?
        var later: ID?
    }

    private struct Slot {
        var group: AddressGroup?
        var isIdle = false
        var inAll = Neighbours()
        var inGroup = Neighbours()
    }

    /// Idle connections in the order in which they became idle.
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

    private struct Group {
        var count = 0
        var idle = Queue()
    }

    private let limits: ConnectionLimits
    private var slots: [Slot] = []
    private var free: [ID] = []
    private var idle = Queue()
    private var groups: [AddressGroup: Group] = [:]

    init(_ limits: ConnectionLimits) {
        self.limits = limits
    }

    var count: Int { slots.count - free.count }

    /// Lets a connection in, as idle.
    ///
    /// - Parameter group: nil for one that is not counted with others, such as a proxy's.
    mutating func admit(_ group: AddressGroup?) -> Admission {
        var closing: ID?
        if let group, let members = groups[group], members.count >= limits.perAddress {
            guard let longest = members.idle.first else { return .refused }
            closing = longest
        } else if count >= limits.inTotal {
            guard let longest = idle.first else { return .refused }
            closing = longest
        }
        if let closing { work(closing) }
        let id = free.popLast() ?? slots.count
        if id == slots.count { slots.append(Slot()) }
        slots[id] = Slot(group: group)
        if let group { groups[group, default: Group()].count += 1 }
        rest(id)
        return .admitted(id, closing: closing)
    }

    /// A request has come, or the connection is closing: it makes room for nobody.
    mutating func work(_ id: ID) {
        guard slots[id].isIdle else { return }
        slots[id].isIdle = false
        idle.remove(id, \.inAll, of: &slots)
        if let group = slots[id].group { groups[group, default: Group()].idle.remove(id, \.inGroup, of: &slots) }
    }

    /// Every request is answered.
    mutating func rest(_ id: ID) {
        guard !slots[id].isIdle else { return }
        slots[id].isIdle = true
        idle.append(id, \.inAll, of: &slots)
        if let group = slots[id].group { groups[group, default: Group()].idle.append(id, \.inGroup, of: &slots) }
    }

    mutating func leave(_ id: ID) {
        work(id)
        if let group = slots[id].group {
            groups[group, default: Group()].count -= 1
            if let left = groups[group]?.count, left <= 0 { groups[group] = nil }
        }
        slots[id] = Slot()
        free.append(id)
    }
}
