import Hummingbird
import HummingbirdCore
import Logging
import NIOCore
import ServiceLifecycle

extension ApplicationProtocol {
    /// Runs the application on a port of 127.0.0.1 that the system chooses, while the test runs.
    func served<Value: Sendable>(_ body: @Sendable (TestClient) async throws -> Value) async throws -> Value {
        let (ports, listening) = AsyncStream.makeStream(of: Int.self)
        let service = ServiceGroup(
            configuration: ServiceGroupConfiguration(
                services: [ServedApplication(base: self, listening: listening)],
                logger: logger
            )
        )
        return try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask {
                defer { listening.finish() }
                try await service.run()
            }
            guard let port = await ports.first(where: { _ in true }) else {
                try await group.waitForAll()
                throw ChannelError.eof
            }
            let connection = try await LiveConnection(port: port)
            let value: Value
            do {
                value = try await body(TestClient(port: port, send: connection.send))
            } catch {
                await connection.close()
                await service.triggerGracefulShutdown()
                throw error
            }
            await connection.close()
            await service.triggerGracefulShutdown()
            try await group.waitForAll()
            return value
        }
    }
}

/// The application on another address, which reports its port once it listens.
private struct ServedApplication<Base: ApplicationProtocol>: ApplicationProtocol {
    let base: Base
    let listening: AsyncStream<Int>.Continuation

    var responder: Base.Responder { get async throws { try await base.responder } }
    var server: HTTPServerBuilder { base.server }
    var eventLoopGroup: any EventLoopGroup { base.eventLoopGroup }
    var logger: Logger { base.logger }
    var services: [any Service] { base.services }
    var processesRunBeforeServerStart: [@Sendable () async throws -> Void] { base.processesRunBeforeServerStart }

    var configuration: ApplicationConfiguration {
        var configuration = base.configuration
        configuration.address = .hostname("127.0.0.1", port: 0)
        return configuration
    }

    @Sendable func onServerRunning(_ channel: any Channel) async {
        await base.onServerRunning(channel)
        if let port = channel.localAddress?.port { listening.yield(port) }
    }
}
