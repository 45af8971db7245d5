import Gossip
import GossipProtocol
import Market

/// What the owner of networks of IPv6 does so that the records of people who are new do not spread.
enum NewcomerAttacks {
    private static let recordsOfOneLink = 10

    static let all = [
        Attack(
            name: "newcomers-48",
            words: "records over links from ever another /64 of one /48, 10 each, 12 links/s",
            rate: 120,
            isOnNewcomers: true,
            run: { run in try await links(run, of: 1, atOnce: 16) }
        ),
        Attack(
            name: "full-table",
            words:
                "the same from 4,300 /64 of 32 networks /48, a record each, 100 links/s for 45 s",
            rate: 100,
            seconds: 45,
            least: 4_000,
            isOnNewcomers: true,
            run: { run in try await links(run, of: 32, atOnce: 128, recordsOfOne: 1) }
        ),
        Attack(
            name: "trickle",
            words: "a record every 4 s from each of 128 /64 of one /48 that stay linked",
            rate: 32,
            isOnNewcomers: true,
            run: trickle
        ),
    ]

    /// Links, brings records and ends the link, each time from another /64.
    private static func links(
        _ run: AttackRun,
        of networks: Int,
        atOnce: Int,
        recordsOfOne: Int = recordsOfOneLink
    ) async throws {
        try await withThrowingTaskGroup { group in
            for first in 0..<atOnce {
                group.addTask {
                    var number = first
                    while !Task.isCancelled {
                        try await run.pace(recordsOfOne)
                        let address = try run.addressIP6(number, of: networks)
                        number += atOnce
                        // Refused or hung up, which is what the node is expected to do.
                        try? await run.gossip(at: address) { stream in
                            try await send(recordsOfOne, over: stream, run)
                        }
                    }
                }
            }
            try await group.waitForAll()
        }
    }

    private static func trickle(_ run: AttackRun) async throws {
        try await withThrowingTaskGroup { group in
            for number in 0..<128 {
                let address = try run.addressIP6(number, of: 1)
                group.addTask {
                    try await run.pace()
                    try await run.always {
                        try await run.gossip(at: address) { stream in
                            while true {
                                try await run.pace()
                                try await send(1, over: stream, run)
                            }
                        }
                    }
                }
            }
            try await group.waitForAll()
        }
    }

    /// Sends short profiles of new accounts.
    private static func send(
        _ count: Int,
        over stream: any PeerStream,
        _ run: AttackRun
    ) async throws {
        var frame = GossipRPC()
        frame.messages = try (0..<count).map { _ in
            GossipMessage(topic: run.topic, data: try RecordAttacks.profile(run, aboutBytes: 100))
        }
        try await stream.writeMessage(frame.encoded())
        run.done(count)
    }
}
