/// The decision whether a call is made once more at once, while somebody waits for it.
///
/// All calls may be repeated: WeChat Pay knows them by their numbers. What takes longer is for whoever asks.
struct WeChatPayAttempts {
    /// The index of the address that is asked now.
    private(set) var address = 0
    private var pauses: ArraySlice<Duration> = [.milliseconds(200), .seconds(1)]

    /// - Parameter jitter: 0 ..< 1; up to a fifth is added to each pause.
    /// - Returns: how long to wait before the next attempt; nil for none.
    mutating func next(after error: WeChatPayError, jitter: Double) -> Duration? {
        guard Self.isWorthRepeating(error), let pause = pauses.popFirst() else { return nil }
        if error.httpStatus.map({ $0 == 502 || $0 == 503 }) ?? true { address += 1 }
        return pause + pause * (jitter / 5)
    }

    private static func isWorthRepeating(_ error: WeChatPayError) -> Bool {
        switch error.httpStatus {
        // Late ones were waited for long enough.
        case nil: error.cause.map { $0.code == .unreachable && !$0.isLate } ?? false
        // A probe on an answer, or half of one: the same number again does no more.
        case .some(200..<300): error.cause != nil && error.cause?.code != .misconfigured
        case .some(500): error.code == .systemError || error.code == .bankError
        case .some(502), .some(503): true
        case .some: false
        }
    }
}
