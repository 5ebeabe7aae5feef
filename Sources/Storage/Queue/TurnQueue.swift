import Billing

/// The order in which a few places are given: a value that decides and does nothing.
///
/// The most urgent come first, apps of the same urgency take turns, and what one app waits for comes in its order. All places but one may
/// be taken by one urgency, so that none waits until another has nothing left to do.
struct TurnQueue<Waiter> {
    /// The waiting of one urgency.
    private struct Line {
        var taken = 0
        var waiting: [App.ID: ArraySlice<Waiter>] = [:]
        /// Apps that wait; the next one first.
        var turns: ArraySlice<App.ID> = []
    }

    private let places: Int
    private var taken = 0
    private var lines: [BackgroundWork.Urgency: Line] = [:]

    init(places: Int) {
        self.places = max(1, places)
    }

    mutating func add(_ waiter: Waiter, of app: App.ID, _ urgency: BackgroundWork.Urgency) {
        var line = lines[urgency] ?? Line()
        if line.waiting[app] == nil { line.turns.append(app) }
        line.waiting[app, default: []].append(waiter)
        lines[urgency] = line
    }

    /// The next one, who has a place from now on; nil when nobody may have one.
    mutating func next() -> Waiter? {
        guard taken < places else { return nil }
        for urgency in BackgroundWork.Urgency.allCases {
            guard var line = lines[urgency], line.taken < max(1, places - 1), let app = line.turns.popFirst(),
                var waiting = line.waiting[app], let first = waiting.popFirst()
            else { continue }
            line.waiting[app] = waiting.isEmpty ? nil : waiting
            if !waiting.isEmpty { line.turns.append(app) }
            line.taken += 1  // safe: at most `places`
            taken += 1  // safe: at most `places`
            lines[urgency] = line
            return first
        }
        return nil
    }

    /// Somebody of that urgency has given a place back.
    mutating func leave(_ urgency: BackgroundWork.Urgency) {
        guard var line = lines[urgency], line.taken > 0 else { return }
        line.taken -= 1  // safe: above zero
        taken -= 1  // safe: the sum of all lines
        lines[urgency] = line
    }

    /// Takes out one who does not wait any more.
    mutating func remove(of app: App.ID, _ urgency: BackgroundWork.Urgency, where isGone: (Waiter) -> Bool) -> Waiter? {
        guard var line = lines[urgency], var waiting = line.waiting[app], let place = waiting.firstIndex(where: isGone)
        else { return nil }
        let gone = waiting.remove(at: place)
        line.waiting[app] = waiting.isEmpty ? nil : waiting
        if waiting.isEmpty { line.turns.removeAll { $0 == app } }
        lines[urgency] = line
        return gone
    }
}
