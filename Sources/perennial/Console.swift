import Foundation

/// Writes the commands' words to the person at the terminal, at once also when they are piped.
enum Console {
    static func say(_ text: String) {
        FileHandle.standardOutput.write(Data((text + "\n").utf8))
    }
}
