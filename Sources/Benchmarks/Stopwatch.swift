import Foundation

/// Measures one run of something in processor time, so the machine's other work does not count.
struct Stopwatch {
    /// Rounds to take the median of.
    var rounds = 7
    /// The length of a round, in microseconds.
    var round = 300_000.0

    /// The median of the rounds, for each go.
    func microseconds(_ body: () throws -> Void) rethrows -> Double {
        var goes = 1
        while try cost(of: goes, body) < round { goes *= 2 }
        return try (0..<rounds).map { _ in try cost(of: goes, body) }.sorted()[rounds / 2] / Double(goes)
    }

    /// The same for what may wait.
    func microsecondsAwaiting(_ body: () async throws -> Void) async rethrows -> Double {
        var goes = 1
        while try await costAwaiting(goes, body) < round { goes *= 2 }
        var costs: [Double] = []
        for _ in 0..<rounds { costs.append(try await costAwaiting(goes, body)) }
        return costs.sorted()[rounds / 2] / Double(goes)
    }

    private func cost(of goes: Int, _ body: () throws -> Void) rethrows -> Double {
        let start = Self.processorTime
        for _ in 0..<goes { try body() }
        return Self.processorTime - start
    }

    private func costAwaiting(_ goes: Int, _ body: () async throws -> Void) async rethrows -> Double {
        let start = Self.processorTime
        for _ in 0..<goes { try await body() }
        return Self.processorTime - start
    }

    /// Microseconds that this process has used.
    private static var processorTime: Double { Double(clock()) * 1_000_000 / Double(CLOCKS_PER_SEC) }
}

extension Duration {
    var inMicroseconds: Double {
        Double(components.seconds) * 1e6 + Double(components.attoseconds) / 1e12
    }
}
