import ArgumentParser
import Server

struct Doctor: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Say what is wrong with this installation and how to mend it."
    )

    func run() async throws {
        let findings = try await Setting.wiring().diagnose()
        for finding in findings { Console.say(finding.text) }
        if findings.contains(where: { !$0.isWell }) { throw ExitCode.failure }
    }
}
