import Foundation

/// The last duration of each step: a file with a line each, its name and whole seconds, as `bin/steps.sh` keeps it, too.
struct StepTimes {
    private let file: URL

    init(_ file: URL) {
        self.file = file
    }

    /// In words, to follow what is begun: " (1 min 4 s the last time)"; nothing for what was never done.
    func last(_ step: String) -> String {
        guard let seconds = lines.first(where: { $0.step == step })?.seconds else { return "" }
        return seconds < 100
            ? " (\(seconds) s the last time)" : " (\(seconds / 60) min \(seconds % 60) s the last time)"
    }

    /// A time that cannot be written is not known the next time.
    func note(_ step: String, took duration: Duration) {
        let kept = lines.filter { $0.step != step } + [(step, Int(duration / .seconds(1)))]  // safe: a step's seconds
        let text = kept.map { "\($0.step) \($0.seconds)\n" }.joined()
        try? FileManager.default.createDirectory(
            at: file.deletingLastPathComponent(),
            withIntermediateDirectories: true
        )
        try? Data(text.utf8).write(to: file, options: .atomic)
    }

    private var lines: [(step: String, seconds: Int)] {
        let text = (try? String(contentsOf: file, encoding: .utf8)) ?? ""
        return text.split(separator: "\n").compactMap { line in
            let words = line.split(separator: " ")
            guard words.count == 2, let seconds = UInt32(words[1]) else { return nil }  // safe: there are two
            return (String(words[0]), Int(seconds))  // safe: there are two
        }
    }
}
