import Foundation
package import Logging
import Synchronization

/// The newest timeline of the database that this program has seen, also before it was started.
///
/// After a failover the old primary is a trap: it takes writes that nobody will ever see. It is known by its
/// timeline, which is older than the new primary's.
package final class TimelineHistory: Sendable {
    private let file: String
    private let makesDirectory: Bool
    private let logger: Logger
    private let seen = Mutex<Mark?>(nil)

    /// The record of a primary: its cluster and its timeline.
    struct Mark: Hashable {
        var system: String?
        var timeline: Int
    }

    /// - Parameters:
    ///   - file: keeps the mark; the servers of one machine may share it.
    ///   - makesDirectory: true to make the file's directory where it is missing.
    package init(file: String, makesDirectory: Bool, logger: Logger) {
        self.file = file
        self.makesDirectory = makesDirectory
        self.logger = logger
    }

    /// The newest timeline; nil before the first primary.
    package var newest: Int? { seen.withLock { $0?.timeline } }

    /// Lets a primary in, and remembers it when it is the newest so far.
    ///
    /// - Throws: `PostgresError` with `.wrongServer` for a standby, for the old primary of a failover, and for a server
    ///   of another cluster.
    func admitPrimary(_ server: ServerPosition) throws(PostgresError) {
        guard let timeline = server.timeline else {
            throw PostgresError(
                .wrongServer,
                "the server is a standby, which takes no writes: the connection string must name the primary, or all "
                    + "servers with target_session_attrs=read-write"
            )
        }
        let known = try newestMark()
        try check(server, timeline, against: known)
        let mark = Mark(system: server.system ?? known?.system, timeline: timeline)
        guard mark != known else { return }
        keep(mark)
        seen.withLock { $0 = mark }
    }

    /// Lets in what pages are read from: a standby, or the primary itself.
    ///
    /// - Throws: `PostgresError` with `.wrongServer`, also for a standby that was promoted and that we have not written to.
    func admitReplica(_ server: ServerPosition) throws(PostgresError) {
        let known = try newestMark()
        try check(server, server.timeline, against: known)
        guard let known, let timeline = server.timeline, timeline > known.timeline else { return }
        throw PostgresError(
            .wrongServer,
            "the server was promoted: it takes writes on timeline \(timeline), and the primary is on timeline "
                + "\(known.timeline): make it a standby again, or name it as the primary when it is the new one"
        )
    }

    /// True for a server that was let in and has been overtaken since.
    func isOutdated(_ server: ServerPosition) -> Bool {
        guard let newest, let timeline = server.timeline else { return false }
        return timeline < newest
    }

    private func check(_ server: ServerPosition, _ timeline: Int?, against known: Mark?) throws(PostgresError) {
        guard let known else { return }
        if let system = server.system, let expected = known.system, system != expected {
            throw PostgresError(
                .wrongServer,
                "the server is of another cluster (\(system)) than the old database (\(expected)): is the connection "
                    + "string right? When the database was moved or restored on purpose, remove \(file)"
            )
        }
        if let timeline, timeline < known.timeline {
            throw PostgresError(
                .wrongServer,
                "the server is the old primary of a failover: it is on timeline \(timeline), and timeline "
                    + "\(known.timeline) has been seen: stop it, name the new primary in the connection string, and make "
                    + "this one its standby. When timeline \(known.timeline) was given up on purpose, remove \(file)"
            )
        }
    }

    /// Returns the newest mark that this process, or another with the same file, has seen.
    private func newestMark() throws(PostgresError) -> Mark? {
        let mine = seen.withLock { $0 }
        guard let kept = try kept() else { return mine }
        guard let mine, mine.system == kept.system, mine.timeline > kept.timeline else {
            seen.withLock { $0 = kept }
            return kept
        }
        return mine
    }

    private func kept() throws(PostgresError) -> Mark? {
        guard let data = FileManager.default.contents(atPath: file) else { return nil }
        guard let mark = Mark(text: String(decoding: data, as: UTF8.self)) else {
            throw PostgresError(
                .wrongServer,
                "\(file) is torn, and says which primary is the newest: look which one it is, and remove the file"
            )
        }
        return mark
    }

    private func keep(_ mark: Mark) {
        let directory = (file as NSString).deletingLastPathComponent
        if makesDirectory {
            try? FileManager.default.createDirectory(atPath: directory, withIntermediateDirectories: true)
        }
        // A command of somebody else's leaves nothing behind.
        guard FileManager.default.fileExists(atPath: directory) else { return }
        do {
            try Data(mark.text.utf8).write(to: URL(fileURLWithPath: file), options: .atomic)
        } catch {
            logger.warning(
                "the newest timeline of the database is not kept: a start after a failover may take the old primary",
                metadata: ["file": "\(file)"]
            )
        }
    }
}

extension TimelineHistory.Mark {
    /// Its line in the file: "system 7412345678901234567 timeline 3".
    var text: String { "system \(system ?? "unknown") timeline \(timeline)\n" }

    init?(text: String) {
        let words = text.split(whereSeparator: \.isWhitespace)
        guard words.count == 4, words[0] == "system", words[2] == "timeline", let timeline = Int(words[3]) else {
            return nil
        }
        self.init(system: words[1] == "unknown" ? nil : String(words[1]), timeline: timeline)
    }
}
