import Foundation
import NIOCore
import NIOPosix
import Synchronization

/// Sends raw bytes over a socket, and collects the answer until the server hangs up, or for a minute.
enum RawClient {
    /// - Parameter drip: bytes that are sent afterwards, one each 50 ms, while the connection lasts.
    static func exchange(port: Int, _ bytes: String, thenDrip drip: String = "") async throws -> String {
        let channel = try await ClientBootstrap(group: MultiThreadedEventLoopGroup.singleton)
            .channelOption(.allowRemoteHalfClosure, value: false)
            .connect(host: "127.0.0.1", port: port) { channel in
                channel.eventLoop.makeCompletedFuture {
                    try NIOAsyncChannel<ByteBuffer, ByteBuffer>(wrappingChannelSynchronously: channel)
                }
            }
        return try await channel.executeThenClose { inbound, outbound in
            try await withThrowingTaskGroup(of: String?.self) { group in
                group.addTask {
                    // The server may hang up before it has read everything: that is part of the tests.
                    try? await outbound.write(ByteBuffer(string: bytes))
                    for byte in drip.utf8 {
                        try await Task.sleep(for: .milliseconds(50))
                        try? await outbound.write(ByteBuffer(bytes: [byte]))
                    }
                    return nil
                }
                group.addTask {
                    var received = ""
                    do {
                        for try await part in inbound { received += String(buffer: part) }
                    } catch {
                        // A reset after the answer is an end too.
                    }
                    return received
                }
                group.addTask {
                    try await Task.sleep(for: .seconds(60))
                    return "the server did not hang up"
                }
                for try await answer in group {
                    guard let answer else { continue }
                    group.cancelAll()
                    return answer
                }
                return ""
            }
        }
    }
}
