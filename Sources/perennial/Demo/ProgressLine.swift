import Foundation
import Synchronization

/// A line on standard error that counts: rewritten in place on a terminal, one line each tenth elsewhere.
final class ProgressLine: Sendable {
    private let total: Int
    private let text: @Sendable (Int) -> String
    private let isTerminal = isatty(STDERR_FILENO) == 1
    private let shown = Mutex(-1)

    init(_ what: String, of total: Int) {
        self.total = total
        text = { "\(what) \($0) of \(total) (\($0 * 100 / max(1, total)) %)" }
    }

    /// One that is told whole percent.
    init(filling what: String) {
        total = 100
        text = { "\(what) \($0) %" }
    }

    func show(_ count: Int) {
        let step = max(1, total / (isTerminal ? 200 : 10))
        let isDue = shown.withLock { shown in
            guard count / step > shown else { return false }
            shown = count / step
            return true
        }
        guard isDue, total > 0 else { return }
        write("\(isTerminal ? "\r" : "")\(text(count))\(isTerminal ? "" : "\n")")
    }

    func finish() {
        if isTerminal { write("\n") }
    }

    private func write(_ text: String) {
        FileHandle.standardError.write(Data(text.utf8))
    }
}
