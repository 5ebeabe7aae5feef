import Foundation
import Synchronization

/// A line on standard error that counts: rewritten in place on a terminal, one line each tenth elsewhere.
final class ProgressLine: Sendable {
    private let what: String
    private let total: Int
    private let isTerminal = isatty(STDERR_FILENO) == 1
    private let shown = Mutex(-1)

    init(_ what: String, of total: Int) {
        self.what = what
        self.total = total
    }

    func show(_ count: Int) {
        let step = max(1, total / (isTerminal ? 200 : 10))
        let isDue = shown.withLock { shown in
            guard count / step > shown else { return false }
            shown = count / step
            return true
        }
        guard isDue, total > 0 else { return }
        write(
            "\(isTerminal ? "\r" : "")\(what) \(count) of \(total) (\(count * 100 / total) %)\(isTerminal ? "" : "\n")"
        )
    }

    func finish() {
        if isTerminal { write("\n") }
    }

    private func write(_ text: String) {
        FileHandle.standardError.write(Data(text.utf8))
    }
}
