package import Concurrency
package import Ethereum
package import Keys
package import Logging
package import Market

/// A chain service on a development chain, with a store that outlives it.
package struct ChainHarness: Sendable {
    package let chain: ChainID
    package let configuration: ChainConfiguration
    package let client: ChainClient
    package let store = MemoryChainStore()
    package let listener = ListenerLog()
    private let clock: any MonotonicClock
    private let logger: Logger

    package init(
        dev: DevChain,
        transport: any RPCTransport,
        filter: LogFilter,
        before others: [Endpoint] = [],
        clock: any MonotonicClock = SystemMonotonicClock(),
        logger: Logger = quiet,
        configure: (inout ChainConfiguration) -> Void = { _ in }
    ) {
        chain = ChainID(dev.chainNumber)
        (self.clock, self.logger) = (clock, logger)
        var configuration = ChainConfiguration(
            chain: chain,
            endpoints: others + [dev.endpoint],
            filter: filter
        )
        configuration.pollInterval = .milliseconds(20)
        configuration.headAgeMax = nil
        configuration.headLagSecondsMax = nil
        configuration.headLeadSecondsMax = nil
        configure(&configuration)
        self.configuration = configuration
        client = ChainClient(
            chain: chain,
            endpoints: configuration.endpoints,
            transport: transport,
            limits: configuration.limits,
            logger: logger
        )
    }

    /// Runs a new service, as after a restart, for as long as `body` does.
    ///
    /// An error ends it, or with `errors` it resumes.
    package func run(
        errors: LoopErrors? = nil,
        _ body: (ChainService) async throws -> Void
    ) async throws {
        let service = ChainService(
            configuration: configuration,
            client: client,
            store: store,
            listener: listener,
            clock: clock,
            logger: logger
        )
        try await withThrowingTaskGroup { group in
            group.addTask { try await service.run(errors: errors) }
            do {
                try await body(service)
            } catch is StreamEnded {
                // The service ended before the condition held; its own error tells why.
                try await group.waitForAll()
            }
            group.cancelAll()
            while let result = await group.nextResult() {
                if case .failure(let error) = result, !(error is CancellationError) { throw error }
            }
        }
    }
}

/// What waited for a condition was told that nothing will change any more.
package struct StreamEnded: Error {
    package init() {}
}

extension ChainService {
    /// Waits until the status satisfies a condition.
    package func until(_ condition: (ChainStatus) -> Bool) async throws {
        for await status in statuses() where condition(status) { return }
        throw StreamEnded()
    }
}

/// The smallest contract: it emits one event without data at each call.
package struct Beacon: Sendable {
    package let address: Address
    private let dev: DevChain
    private let sender: String

    /// Topic 7, then `LOG1` and `STOP`, returned by a constructor that holds them in a word.
    private static let code = "0x67600760006000a10060005260086018f3"

    package static func deployed(on dev: DevChain) async throws -> Beacon {
        let (address, sender) = try await deployed(code, on: dev)
        return Beacon(address: address, dev: dev, sender: sender)
    }

    /// A contract that refuses every call.
    package static func refusing(on dev: DevChain) async throws -> Address {
        // `REVERT` of nothing, returned by a constructor that holds it in a word.
        try await deployed("0x6460006000fd6000526005601bf3", on: dev).address
    }

    /// A contract that uses up the gas of every call.
    package static func spending(on dev: DevChain) async throws -> Address {
        // A jump to itself, returned by a constructor that holds it in a word.
        try await deployed("0x635b6000566000526004601cf3", on: dev).address
    }

    private static func deployed(
        _ code: String,
        on dev: DevChain
    ) async throws -> (address: Address, sender: String) {
        let accounts = try await dev.control("eth_accounts")
        guard let sender = accounts.firstMatch(of: /0x[0-9a-fA-F]{40}/)?.output else {
            throw DevChainError.refused(accounts)
        }
        let sent = try await dev.control(
            "eth_sendTransaction",
            #"[{"from":"\#(sender)","data":"\#(code)"}]"#
        )
        guard let hash = sent.firstMatch(of: /0x[0-9a-f]{64}/)?.output else {
            throw DevChainError.refused(sent)
        }
        let receipt = try await dev.control("eth_getTransactionReceipt", #"["\#(hash)"]"#)
        guard
            let made = receipt.firstMatch(of: /"contractAddress": ?"(0x[0-9a-fA-F]{40})"/)?.output.1
        else { throw DevChainError.refused(receipt) }
        return (try Address(text: made), String(sender))
    }

    package var filter: LogFilter { LogFilter(addresses: [address], firstBlock: 0) }

    package func emit() async throws {
        let to = address.checksummed
        try await dev.control("eth_sendTransaction", #"[{"from":"\#(sender)","to":"\#(to)"}]"#)
    }

    /// Returns an event of the contract that it did not emit.
    package func invented(
        inBlock number: UInt64,
        _ transport: any RPCTransport
    ) async throws -> ContractEvent {
        let client = ChainClient(
            chain: ChainID(dev.chainNumber),
            endpoints: [dev.endpoint],
            transport: transport,
            logger: quiet
        )
        guard let block = try await client.perform(RPCCall.block(.number(number))) else {
            throw StreamEnded()
        }
        return ContractEvent(
            block: block.id,
            index: 9,
            transaction: Bytes32(repeating: 4),
            address: address,
            topics: [Bytes32(words: 0, 0, 0, 7)],
            data: []
        )
    }
}

/// A logger that tells nobody, so that a test's output is its result.
package var quiet: Logger { Logger(label: "test") { _ in SwiftLogNoOpLogHandler() } }
