extension PollingThread {
    func subscribe(_ subscription: ListenSubscription) {
        guard !subscription.ready.isOver else { return }
        subscriptions.add(subscription)
        perform(machine.setListening(true, at: now))
        guard case .open = machine.slots[machine.listenerSlot].state, let wire = wires[machine.listenerSlot] else {
            return
        }
        listen(to: [subscription], on: wire)
    }

    func unsubscribe(_ subscription: ListenSubscription) {
        let isLast = subscriptions.remove(subscription)
        if subscriptions.isEmpty { return perform(machine.setListening(false, at: now)) }
        guard isLast, let wire = wires[machine.listenerSlot] else { return }
        ask(PendingQuery(JobContent(.script("UNLISTEN \(subscription.quotedChannel)"))), on: wire)
    }

    /// The listener's connection is open (again).
    func listen(on slot: Int) {
        guard let wire = wires[slot] else { return }
        listen(to: subscriptions.all, on: wire)
    }

    private func listen(to wanted: [ListenSubscription], on wire: PooledConnection) {
        let script = Set(wanted.map(\.quotedChannel)).sorted().map { "LISTEN \($0);" }.joined()
        let job = PendingQuery(JobContent(.script(script)))
        ask(job, on: wire)
        Task {
            do {
                _ = try await job.answer()
                // Earlier listeners have missed notifications meanwhile.
                for subscription in wanted where !subscription.ready.finish(.success(())) {
                    subscription.yield(.reconnected)
                }
            } catch let error as PostgresError where error.code != .connectionLost {
                for subscription in wanted { subscription.finish(throwing: error) }
            }
            // A lost connection is opened again, and then everything is listened to again.
        }
    }

    private func ask(_ job: PendingQuery, on wire: PooledConnection) {
        watchChore(job, on: wire)
        wire.enqueue(job)
        collect(wire)
    }
}
