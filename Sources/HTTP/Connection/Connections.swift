import Foundation
package import NIOCore
import Synchronization

/// The limits on connections at a time.
package struct ConnectionLimits: Sendable {
    package var inTotal: Int
    /// From one IPv4 address or one IPv6 network of 64 bits.
    package var perAddress: Int
    /// Returns true for an IP address whose connections are other people's: proxies of ours, and this machine.
    package var isShared: @Sendable (String) -> Bool

    package init(
        inTotal: Int = 4_096,
        perAddress: Int = 256,
        isShared: @escaping @Sendable (String) -> Bool = { IPAddress($0)?.isLoopback ?? false }
    ) {
        self.inTotal = max(1, inTotal)
        self.perAddress = max(1, perAddress)
        self.isShared = isShared
    }
}

/// Everybody who is connected to this server.
package final class Connections: Sendable {
    private struct State {
        var table: ConnectionTable
        var channels: [ConnectionTable.ID: any Channel] = [:]
        /// The most connections since memory was given back.
        var peak = 0
        var givesBackSoon = false
    }

    private let isShared: @Sendable (String) -> Bool
    private let state: Mutex<State>

    package init(_ limits: ConnectionLimits) {
        isShared = limits.isShared
        state = Mutex(State(table: ConnectionTable(limits)))
    }

    /// Lets a connection in, where need be in the place of one that waits for its client.
    ///
    /// - Returns: nil when all are at work.
    package func admit(_ channel: any Channel) -> ConnectionPlace? {
        let address = channel.remoteAddress
        let isCounted = address?.ipAddress.map { !isShared($0) } ?? false
        let group = isCounted ? AddressGroup(address) : nil
        let (id, leaving): (ConnectionTable.ID?, (any Channel)?) = state.withLock { state in
            guard case .admitted(let id, let closing) = state.table.admit(group, at: .now()) else { return (nil, nil) }
            state.channels[id] = channel
            state.peak = max(state.peak, state.table.count)
            return (id, closing.flatMap { state.channels[$0] })
        }
        leaving?.pipeline.fireUserInboundEventTriggered(MakeRoom())
        guard let id else { return nil }
        let loop = channel.eventLoop
        channel.closeFuture.whenComplete { [self] _ in leave(id, loop) }
        return ConnectionPlace(connections: self, id: id)
    }

    fileprivate func change(_ id: ConnectionTable.ID, to activity: ConnectionTable.Activity) {
        state.withLock { $0.table.change(id, to: activity, at: .now()) }
    }

    private func leave(_ id: ConnectionTable.ID, _ loop: any EventLoop) {
        let givesBack = state.withLock { state in
            state.table.leave(id, at: .now())
            state.channels[id] = nil
            guard !state.givesBackSoon, state.peak - state.table.count >= Self.worthGivingBack else { return false }
            state.givesBackSoon = true
            return true
        }
        guard givesBack else { return }
        // Many leave together: what the first wait for is given back with that of the last.
        loop.scheduleTask(in: .seconds(2)) { [self] in
            state.withLock { state in
                state.givesBackSoon = false
                state.peak = state.table.count
            }
            DispatchQueue.global(qos: .utility).async { Memory.giveBack() }
        }
    }

    /// So many connections fewer are some ten megabytes.
    private static let worthGivingBack = 256
}

/// Asks a connection to close. It closes at once, or, if its client did what it waited for, after the answers that it owes.
package struct MakeRoom: Sendable {}

/// One connection's place among the others.
package struct ConnectionPlace: Sendable {
    fileprivate let connections: Connections
    fileprivate let id: ConnectionTable.ID

    /// Tells what the connection waits for now.
    package func change(to activity: ConnectionTable.Activity) { connections.change(id, to: activity) }
}
