/// Admits a few tests at a time to the database, or a single one that measures something.
actor TestGate {
    static let shared = TestGate(places: 4)

    private let places: Int
    private var free: Int
    private var waiting: [(places: Int, continuation: CheckedContinuation<Void, Never>)] = []

    init(places: Int) {
        self.places = places
        free = places
    }

    /// Runs the body in its turn.
    nonisolated func pass<Value>(alone: Bool, _ body: () async throws -> Value) async throws -> Value {
        let wanted = alone ? places : 1
        await enter(wanted)
        do {
            let value = try await body()
            await leave(wanted)
            return value
        } catch {
            await leave(wanted)
            throw error
        }
    }

    private func enter(_ wanted: Int) async {
        if waiting.isEmpty, free >= wanted {
            free -= wanted
            return
        }
        await withCheckedContinuation { waiting.append((wanted, $0)) }
    }

    private func leave(_ wanted: Int) {
        free += wanted
        while let next = waiting.first, free >= next.places {
            free -= next.places
            waiting.removeFirst().continuation.resume()
        }
    }
}
