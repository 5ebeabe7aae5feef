/// The listeners of a pool, by channel.
struct Subscriptions {
    private var byChannel: [String: [ListenSubscription]] = [:]

    var isEmpty: Bool { byChannel.isEmpty }
    var all: [ListenSubscription] { byChannel.values.flatMap(\.self) }

    mutating func add(_ subscription: ListenSubscription) {
        byChannel[subscription.channel, default: []].append(subscription)
    }

    /// True when nobody else listens to the channel.
    mutating func remove(_ subscription: ListenSubscription) -> Bool {
        byChannel[subscription.channel]?.removeAll { $0 === subscription }
        guard byChannel[subscription.channel]?.isEmpty == true else { return false }
        byChannel[subscription.channel] = nil
        return true
    }

    func deliver(_ notification: PostgresNotification) {
        guard case .message(let channel, _, _) = notification else { return }
        for subscription in byChannel[channel] ?? [] { subscription.yield(notification) }
    }

    /// Tells those who have heard until now.
    func interrupt() {
        for subscription in all where subscription.ready.isOver { subscription.yield(.disconnected) }
    }

    mutating func endAll() {
        for subscription in all { subscription.end() }
        byChannel = [:]
    }
}
