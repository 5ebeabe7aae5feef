package import Foundation
import Postgres

/// A request to a store, or a message to it, that was sent in the background and has no answer yet.
package struct UnansweredQuestion: Sendable, Hashable {
    /// The time of the first attempt.
    package var since: Date
    /// The error that came in place of an answer, for people.
    package var words: String

    package init(since: Date, words: String) {
        self.since = since
        self.words = words
    }

    /// True if people should look at it, after an hour: most stores are back sooner.
    package func isLong(at now: Date) -> Bool { now.timeIntervalSince(since) >= 3_600 }
}

extension UnansweredQuestion {
    /// nil if either is nil.
    init?(since: Date?, words: String?) {
        guard let since, let words else { return nil }
        self.init(since: since, words: words)
    }

    /// The columns `since` and `words` of the job of a kind about a subject, for a selection.
    static func columns(of kind: Job.Kind, about subject: Query) -> Query {
        """
        (SELECT min(a.started_at)
        FROM jobs j
        JOIN job_attempts a ON a.job_id = j.id
        WHERE j.kind = \(kind.rawValue) AND j.subject_id = \(subject) AND j.state IN ('available', 'running')
            AND a.error IS NOT NULL),
        (SELECT j.last_error
        FROM jobs j
        WHERE j.kind = \(kind.rawValue) AND j.subject_id = \(subject) AND j.state IN ('available', 'running'))
        """
    }
}

extension Queries {
    /// nil where nothing waits.
    func unansweredQuestion(of kind: Job.Kind, about subject: UUID) async throws -> UnansweredQuestion? {
        let rows = try await reader.query("SELECT \(UnansweredQuestion.columns(of: kind, about: "\(subject)"))")
        guard let (since, words) = try rows.first?.decode(Date?.self, String?.self) else { return nil }
        return UnansweredQuestion(since: since, words: words)
    }
}
