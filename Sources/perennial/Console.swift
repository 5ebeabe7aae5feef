import Foundation

/// What the commands tell the person at the terminal, at once also when it is piped.
enum Console {
    static func say(_ text: String) {
        FileHandle.standardOutput.write(Data((text + "\n").utf8))
    }
}
