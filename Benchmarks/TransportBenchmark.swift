import Concurrency
import Gossip
import GossipProtocol
import Keys
import Limits
import Logging
import Market

/// Two nodes of one process over loopback, beside C that has TLS alone.
enum TransportBenchmark {
    private static let chunkBytes = 1 << 20
    private static let sink = "/benchmark/sink/1"

    static func run() async throws {
        let sender = try node()
        // A stream for each ping is more than strangers may open.
        var limits = LinkLimits()
        limits.yamux.openingsMax = 100_000
        let receiver = try node(limits)
        await receiver.handle(protocol: sink) { stream in
            while try await stream.read(atMost: chunkBytes) != nil {}
            try await stream.writeMessage([1])
        }
        guard let any = Multiaddr(text: "/ip4/127.0.0.1/tcp/0") else { return }
        let address = try await receiver.listen(on: any)[0]
        try await withThrowingTaskGroup { group in
            group.addTask { try await sender.run() }
            group.addTask { try await receiver.run() }
            // Nobody else reads the events, and unread ones stop new links.
            group.addTask { while await sender.events.receive() != nil {} }
            group.addTask { while await receiver.events.receive() != nil {} }
            let peer = try await sender.dial(address)
            try await streaming(from: sender, to: peer)
            try await echoing(from: sender, to: peer)
            try await connecting(to: address)
            group.cancelAll()
        }
    }

    private static func streaming(from sender: Links, to peer: PeerID) async throws {
        let comparison = Comparison(name: "MiB of a TLS + yamux stream", goal: 0.3, rounds: 256)
        let chunk = [UInt8](repeating: 7, count: chunkBytes)
        try await comparison.run {
            let stream = try await sender.open(protocols: [sink], to: peer)
            for _ in 0..<comparison.rounds { try await stream.write(chunk) }
            try await stream.closeWrite()
            _ = try await stream.read(atMost: 2)
        } limit: {
            _ = limits_tls_send_mebibytes(Int32(comparison.rounds))
        }
    }

    private static func echoing(from sender: Links, to peer: PeerID) async throws {
        let comparison = Comparison(name: "ping with its stream", goal: 0, rounds: 1_000)
        try await comparison.run {
            var times: [Duration] = []
            for _ in 0..<comparison.rounds {
                times.append(try await Ping.measure(peer, over: sender))
            }
            print("ping round trip: median \(times.sorted()[times.count / 2])")
        } limit: {
            _ = limits_tls_echo(Int32(comparison.rounds))
        }
    }

    /// A link of ours costs certificates of both sides, two multistreams and a key's signature.
    private static func connecting(to address: Multiaddr) async throws {
        let comparison = Comparison(name: "link opened and pinged", goal: 0, rounds: 50)
        try await comparison.run {
            for _ in 0..<comparison.rounds {
                let caller = try node()
                try await withThrowingTaskGroup { group in
                    group.addTask { try await caller.run() }
                    let peer = try await caller.dial(address)
                    _ = try await Ping.measure(peer, over: caller)
                    group.cancelAll()
                }
            }
        } limit: {
            _ = limits_tls_connect(Int32(comparison.rounds))
        }
    }

    private static func node(_ limits: LinkLimits = LinkLimits()) throws -> Links {
        var logger = Logger(label: "benchmark")
        logger.logLevel = .critical
        return try Links(
            identity: .random(),
            agentVersion: "stoa/benchmark",
            limits: limits,
            logger: logger
        )
    }
}
