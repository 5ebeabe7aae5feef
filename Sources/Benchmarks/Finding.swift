import Foundation

/// One result, as `bin/bench` reads it.
struct Finding: Encodable {
    var name: String
    var value: Double
    var unit: String

    func say() throws {
        print(String(decoding: try JSONEncoder().encode(self), as: UTF8.self))
    }
}
