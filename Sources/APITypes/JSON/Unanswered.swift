public import Foundation

/// That a store has not answered for more than an hour; it is asked again.
public struct Unanswered: Resource {
    public var since: Date
    public var message: String

    public static let fields = Fields<Self> {
        Field("since", \.since, "When it was asked first.")
        Field("message", \.message, "What came in place of an answer.")
    }

    public init(since: Date, message: String) {
        (self.since, self.message) = (since, message)
    }
}
