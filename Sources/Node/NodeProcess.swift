package import Concurrency
import Ethereum
import Foundation
package import Logging
import ServiceLifecycle
package import Setup
package import UnixSignals

/// One node: all its parts, assembled and run as a group.
///
/// The first part that fails ends the node with its error; a request to stop ends the parts in the
/// reverse order of their start. Source: Docs/architecture.md.
package struct NodeProcess: Sendable {
    let folder: DataFolder
    let configuration: Configuration
    let logger: Logger
    let clock: any WallClock

    /// - Parameters:
    ///   - folder: A folder made by ``DataFolder/initialise()``.
    ///   - configuration: The node's settings.
    ///   - logger: The node's log.
    ///   - clock: The wall clock.
    package init(
        folder: DataFolder,
        configuration: Configuration,
        logger: Logger,
        clock: any WallClock = .system
    ) {
        self.folder = folder
        self.configuration = configuration
        self.logger = logger
        self.clock = clock
    }

    /// Runs until the process is asked to stop by one of `signals`, `stop` ends, or a part fails.
    ///
    /// `onReady` is called once with the node's addresses, after its ports are open.
    ///
    /// - Throws: ``DataFolderError``, `StorageError`, `LinkError` and other errors that keep a node
    ///   from starting or running; each says what to do.
    package func run(
        signals: [UnixSignal] = [.sigterm, .sigint],
        until stop: AsyncStream<Void>? = nil,
        onReady: @escaping @Sendable (RunningNode) async -> Void = { _ in }
    ) async throws {
        // Before anything is opened.
        try FileAllowance.require(FileAllowance.leastOfNode)
        try await EndpointTransport.scoped { transport in
            try await serve(signals, stop, through: transport, onReady)
        }
    }

    private func serve(
        _ signals: [UnixSignal],
        _ stop: AsyncStream<Void>?,
        through transport: any RPCTransport,
        _ onReady: @escaping @Sendable (RunningNode) async -> Void
    ) async throws {
        let assembly = try await NodeAssembly(self, through: transport, onReady: onReady)
        // Only the holder of the folder's lock may say that its node is gone.
        defer { try? FileManager.default.removeItem(atPath: folder.addressFile) }
        var services: [ServiceGroupConfiguration.ServiceConfiguration] = []
        var running = try await assembly.services()
        if let stop { running.append(("stop", { for await _ in stop {} })) }
        for (name, run) in running {
            services.append(
                .init(
                    service: Part(name: name, body: run),
                    successTerminationBehavior: .gracefullyShutdownGroup
                )
            )
        }
        var group = ServiceGroupConfiguration(
            services: services,
            gracefulShutdownSignals: signals,
            logger: logger
        )
        group.maximumGracefulShutdownDuration = .seconds(10)
        try await ServiceGroup(configuration: group).run()
        logger.info("node has stopped")
    }
}

/// A part of a node as the service group runs it.
private struct Part: Service {
    let name: String
    let body: @Sendable () async throws -> Void

    func run() async throws {
        do {
            try await body()
        } catch is CancellationError {
            return
        }
    }
}
