/// The wait before connecting again. It doubles from 50 ms to 5 s, and half of it is random, so that servers that lost the same
/// database do not come back in step.
struct Backoff: Sendable {
    var first: Duration = .milliseconds(50)
    var most: Duration = .seconds(5)

    /// `attempt` counts failures in a row; the first try after a loss (0) is at once. `random` is in 0..<1.
    func delay(attempt: Int, random: Double) -> Duration {
        guard attempt > 0 else { return .zero }
        let doubled = first * (1 << min(attempt - 1, 16))
        return min(doubled, most) * (0.5 + random / 2)
    }
}
