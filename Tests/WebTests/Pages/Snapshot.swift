import Foundation
import HTML
import Testing

/// Compares a page with the file of its name beside the tests; `RECORD_SNAPSHOTS=1` writes the file anew.
func expectSnapshot(
    _ page: some HTMLPage,
    named name: String,
    sourceLocation: SourceLocation = #_sourceLocation
) throws {
    let file = URL(filePath: #filePath).deletingLastPathComponent()
        .appending(path: "__Snapshots__").appending(path: "\(name).html")
    let html = page.html()
    if ProcessInfo.processInfo.environment["RECORD_SNAPSHOTS"] != nil {
        try FileManager.default.createDirectory(at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
        try html.write(to: file, atomically: true, encoding: .utf8)
    }
    let recorded = try String(contentsOf: file, encoding: .utf8)
    let (lines, expected) = (html.split(separator: "\n"), recorded.split(separator: "\n"))
    let difference = zip(lines, expected).enumerated().first { $0.element.0 != $0.element.1 }
    if let difference {
        let (now, before) = difference.element
        Issue.record("\(name), line \(difference.offset + 1): \(now), was: \(before)", sourceLocation: sourceLocation)
    } else {
        #expect(html == recorded, "\(name) has another length", sourceLocation: sourceLocation)
    }
}
