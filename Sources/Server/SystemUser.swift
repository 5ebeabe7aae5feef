import Foundation
import Operations

extension Caller {
    /// The operator at the command line, by the name that the operating system knows them by; whoever became root by `sudo` by their own.
    static let systemUser = Caller.commandLine(user: SystemUser.name(ProcessInfo.processInfo.environment))
}

/// The user of the operating system that runs this process.
enum SystemUser {
    /// - Parameter environment: the process's own.
    static func name(_ environment: [String: String]) -> String {
        let name = NSUserName()
        if name == "root", let real = environment["SUDO_USER"], isName(real) { return real }
        return isName(name) ? name : "unknown user"
    }

    /// An environment is written by whoever runs the program: no name is long, or has more than letters, digits and signs of names.
    private static func isName(_ text: String) -> Bool {
        (1...64).contains(text.unicodeScalars.count)
            && text.unicodeScalars.allSatisfy {
                $0.properties.isAlphabetic || "0123456789._-".unicodeScalars.contains($0)
            }
    }
}
