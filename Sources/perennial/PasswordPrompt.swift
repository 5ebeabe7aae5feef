import ArgumentParser
import Foundation

/// A password from the terminal, where it is not shown, or from standard input.
enum PasswordPrompt {
    static func read() throws -> String {
        let typed =
            isatty(STDIN_FILENO) == 1 ? getpass("Password: ").map { String(cString: $0) } : readLine()
        guard let typed, !typed.isEmpty else { throw ValidationError("A password is needed.") }
        return typed
    }
}
