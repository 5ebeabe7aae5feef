package import NIOCore

/// The longest that a client may take; against those who are slow on purpose.
package struct ConnectionDeadlines: Sendable {
    /// From the first byte of a request (or from connecting) to the end of its headers.
    package var headers: TimeAmount
    /// From there to the end of the body.
    package var body: TimeAmount
    /// To take what was written, once it piles up.
    package var reading: TimeAmount
    /// From piling up until the client counts as one who keeps us waiting, and may have to make room.
    package var stalling: TimeAmount
    /// Between requests.
    package var idle: TimeAmount
    /// To hang up after an answer that said it was the last.
    package var lingering: TimeAmount

    package init(
        headers: TimeAmount = .seconds(10),
        body: TimeAmount = .seconds(30),
        reading: TimeAmount = .seconds(60),
        stalling: TimeAmount = .seconds(5),
        idle: TimeAmount = .seconds(75),
        lingering: TimeAmount = .seconds(2)
    ) {
        self.headers = headers
        self.body = body
        self.reading = reading
        self.stalling = stalling
        self.idle = idle
        self.lingering = lingering
    }
}
