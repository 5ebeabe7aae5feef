import Foundation
package import Logging
import Synchronization

/// The program's own log: lines to standard error, one each.
package enum Logs {
    private static let isStarted = Mutex(false)

    /// Once a process; later calls change nothing.
    package static func start(level: Logger.Level) {
        isStarted.withLock { isStarted in
            guard !isStarted else { return }
            isStarted = true
            LoggingSystem.bootstrap { label in
                var handler = LineLogHandler(label: label)
                handler.logLevel = level
                return handler
            }
        }
    }
}
