import Concurrency
import Gossip
import GossipProtocol
import Keys
import Market
import NIOCore
import NIOPosix

/// What a stranger does to sockets, TLS and yamux.
enum TransportAttacks {
    static let all = [
        Attack(
            name: "reopened",
            words: "data, reset, the same number opened again and data in one TLS record, 500/s",
            rate: 500,
            run: reopened
        ),
        Attack(
            name: "unread",
            words: "4 ping streams on each of 32 links of 4 addresses filled at 200 MiB/s",
            rate: 6_400,
            least: 500,
            run: unread
        ),
        Attack(
            name: "halves",
            words:
                "all but the end of the longest frame on 64 streams of 32 links, again when reset",
            rate: 200,
            run: halves
        ),
        Attack(
            name: "silent",
            words: "silent sockets from 16 addresses in 4 networks /24, 200/s",
            rate: 200,
            run: silent
        ),
        Attack(
            name: "hellos",
            words: "the first words of handshakes, and nothing after them, 500/s",
            rate: 500,
            run: { run in try await hellos(run, groups: "X25519") }
        ),
        Attack(
            name: "dear-hellos",
            words: "the same with a key agreement that costs the most (ffdhe8192), 25/s",
            rate: 25,
            run: { run in try await hellos(run, groups: "ffdhe8192") }
        ),
        Attack(
            name: "links",
            words: "whole links of new keys from 16 addresses, left open, 50/s",
            rate: 50,
            run: links
        ),
        Attack(
            name: "updates",
            words: "TLS key updates, 20,000/s",
            rate: 20_000,
            run: updates
        ),
        Attack(
            name: "pings",
            words: "pings sent without pause on 4 streams of each of 32 links, answers read",
            rate: 20_000,
            run: pings
        ),
        Attack(
            name: "pushes",
            words: "descriptions of itself pushed by identify, 200/s",
            rate: 200,
            run: pushes
        ),
        Attack(
            name: "opened",
            words: "streams opened, agreed on and reset, 1,000/s",
            rate: 1_000,
            run: opened
        ),
        Attack(
            name: "proposals",
            words: "streams on 16 links of 16 addresses that propose 15 times and end, 2,000/s",
            rate: 2_000,
            least: 100,
            run: proposals
        ),
    ]

    /// Streams that propose 15 protocols which nobody has, and end.
    private static func proposals(_ run: AttackRun) async throws {
        let words = RawFrames.proposals(Array(repeating: "ls", count: 15))
        try await withThrowingDiscardingTaskGroup { group in
            for number in 0..<16 {
                group.addTask {
                    try await run.always {
                        try await raw(run, from: number) { peer in
                            for stream in stride(from: UInt32(1), to: .max, by: 2) {
                                try await run.pace()
                                try await peer.send(
                                    RawFrames.data(stream, words, .open)
                                        + RawFrames.window(stream, .finish)
                                )
                                run.done()
                            }
                        }
                    }
                }
            }
        }
    }

    private static let chunk = [UInt8](repeating: 7, count: 1_000)

    private static func raw(
        _ run: AttackRun,
        from number: Int = 0,
        _ body: (RawPeer) async throws -> Void
    ) async throws {
        let peer = try await RawPeer.connect(
            to: try run.address(number),
            as: try TLSCredentials(identity: .random())
        )
        defer { peer.close() }
        try await body(peer)
    }

    private static func reopened(_ run: AttackRun) async throws {
        try await run.always {
            try await raw(run) { peer in
                for stream in stride(from: UInt32(1), to: .max, by: 2) {
                    try await run.pace()
                    try await peer.send(
                        RawFrames.data(stream, chunk, .open) + RawFrames.window(stream, .reset)
                            + RawFrames.window(stream, .open) + RawFrames.data(stream, chunk)
                    )
                    run.done()
                }
            }
        }
    }

    private static func opened(_ run: AttackRun) async throws {
        try await run.always {
            try await raw(run) { peer in
                for stream in stride(from: UInt32(1), to: .max, by: 2) {
                    try await run.pace()
                    try await peer.send(
                        RawFrames.open(stream, Ping.protocolID) + RawFrames.window(stream, .reset)
                    )
                    run.done()
                }
            }
        }
    }

    private static func updates(_ run: AttackRun) async throws {
        try await run.always {
            try await raw(run) { peer in
                while true {
                    try await run.pace(10)
                    try await peer.changeKey(times: 10)
                    run.done(10)
                }
            }
        }
    }

    private static func silent(_ run: AttackRun) async throws {
        try await withThrowingDiscardingTaskGroup { group in
            for number in 0... {
                try await run.pace()
                let address = try run.address(number)
                group.addTask {
                    // A refused socket is one more that was tried.
                    let socket = try? await ClientBootstrap(
                        group: .singletonMultiThreadedEventLoopGroup
                    )
                    .connect(host: address.hostText, port: Int(address.port)).get()
                    run.done()
                    try await Task.sleep(for: .seconds(3))
                    socket?.close(promise: nil)
                }
            }
        }
    }

    /// Makes one hello, and sends it on ever new sockets.
    private static func hellos(_ run: AttackRun, groups: String) async throws {
        let own = try HostCertificate(identity: .random())
        let session = try TLSSession(
            credentials: TLSCredentials(
                certificates: [own.certificate],
                privateKey: own.privateKey,
                groups: groups
            ),
            role: .dialer,
            expecting: nil,
            at: SystemWallClock.seconds()
        )
        _ = try session.advance()
        guard let hello = session.takeOutput(allocator: ByteBufferAllocator()) else { return }
        var bytes = ByteBuffer(bytes: RawFrames.proposal(of: "/tls/1.0.0"))
        bytes.writeImmutableBuffer(hello)
        let message = bytes
        let address = try run.address()
        try await withThrowingDiscardingTaskGroup { group in
            while true {
                try await run.pace()
                group.addTask {
                    // A refused socket is one more that was tried.
                    let socket = try? await ClientBootstrap(
                        group: .singletonMultiThreadedEventLoopGroup
                    ).connect(host: address.hostText, port: Int(address.port)).get()
                    try? await socket?.writeAndFlush(message)
                    run.done()
                    try await Task.sleep(for: .milliseconds(100))
                    socket?.close(promise: nil)
                }
            }
        }
    }

    private static func links(_ run: AttackRun) async throws {
        try await withThrowingDiscardingTaskGroup { group in
            for number in 0... {
                try await run.pace()
                group.addTask {
                    // Refused or hung up, as the node may.
                    try? await raw(run, from: number) { peer in
                        run.done()
                        try await peer.wait()
                    }
                }
            }
        }
    }

    /// Counts in chunks of 32 pings.
    private static func pings(_ run: AttackRun) async throws {
        let bytes = [UInt8](repeating: 7, count: 32 * 32)
        try await each(run) { links in
            try await withThrowingDiscardingTaskGroup { group in
                for _ in 0..<4 {
                    group.addTask {
                        try await run.always {
                            let stream = try await links.open(
                                protocols: [Ping.protocolID],
                                to: run.peer
                            )
                            async let answers: Void = drain(stream)
                            while true {
                                try await run.pace()
                                try await stream.write(bytes)
                                run.done()
                            }
                            try await answers
                        }
                    }
                }
            }
        }
    }

    private static func drain(_ stream: any PeerStream) async throws {
        while try await stream.read(atMost: 65_536) != nil {}
    }

    private static func pushes(_ run: AttackRun) async throws {
        try await run.always {
            try await run.link { links in
                while true {
                    try await run.pace()
                    await links.announceIdentity()
                    run.done()
                }
            }
        }
    }

    /// Counts in chunks of 32 KiB, of which a node reads few a second.
    private static func unread(_ run: AttackRun) async throws {
        let bytes = [UInt8](repeating: 7, count: 32_768)
        try await each(run, addresses: 4) { links in
            try await withThrowingDiscardingTaskGroup { group in
                for _ in 0..<4 {
                    group.addTask {
                        try await run.always {
                            let stream = try await links.open(
                                protocols: [Ping.protocolID],
                                to: run.peer
                            )
                            while true {
                                try await run.pace()
                                try await stream.write(bytes)
                                run.done()
                            }
                        }
                    }
                }
            }
        }
    }

    private static func halves(_ run: AttackRun) async throws {
        let byteCount = GossipLimits().frameBytesMax
        let half = Varint.encode(byteCount) + [UInt8](repeating: 7, count: byteCount - 1)
        try await each(run) { links in
            try await withThrowingDiscardingTaskGroup { group in
                for _ in 0..<2 {
                    group.addTask {
                        try await run.always {
                            try await run.pace()
                            let stream = try await links.open(
                                protocols: ["/meshsub/1.1.0"],
                                to: run.peer
                            )
                            try await stream.write(half)
                            run.done()
                            _ = try await stream.read(atMost: 1)
                        }
                    }
                }
            }
        }
    }

    /// Does `body` with as many links as the node takes of each address, each again once it is lost.
    private static func each(
        _ run: AttackRun,
        addresses: Int = 1,
        _ body: @escaping @Sendable (Links) async throws -> Void
    ) async throws {
        try await withThrowingDiscardingTaskGroup { group in
            for number in 0..<LinkLimits().linksOfOneAddressMax * addresses {
                group.addTask {
                    try await run.always { try await run.link(from: number % addresses, body) }
                }
            }
        }
    }
}
