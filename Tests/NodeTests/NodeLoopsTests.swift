import Client
import Concurrency
import Foundation
import NIOHTTP1
import Setup
import Support
import Synchronization
import Testing

/// No error of an item ends a loop or the node; see Docs/architecture.md.
@Suite(.serialized, .timeLimit(.minutes(5)))
struct NodeLoopsTests {
    private struct Injected: Error {}

    /// The loops that have items, by the names of the metric.
    private static let loops: Set<String> = [
        "accounts", "asked-files", "catalogue", "chain", "deadlines", "gossip", "history",
        "homed-files", "homes", "housekeeping", "operations", "received-mail", "records",
        "sale-audit", "sale-news", "sale-records", "searches", "sender", "sent-mail", "served-mail",
        "works", "works-of-other-nodes",
    ]

    private static let nobody =
        "/ip4/127.0.0.1/tcp/1/p2p/16Uiu2HAkvqcszgYSKmM4ZKYYWHRUKiKTKKsgxv3UmpPFdnZNf7Zw"

    @Test func `survives an error in each loop`() async throws {
        let reached = Mutex<[String: Int]>([:])
        let fault: @Sendable (String) throws -> Void = { loop in
            let isFirst = reached.withLock { reached in
                reached[loop, default: 0] += 1
                return reached[loop] == 1
            }
            if isFirst { throw Injected() }
        }
        try await LoopErrors.$fault.withValue(fault) {
            try await MarketNode.run { market in
                try await market.asking(market.bo) { bo in
                    _ = try await bo.save(SearchTerms(text: "red"), as: "bicycles")
                }
                let listing = try await market.list().listing
                try await market.asking(market.bo) { bo in
                    let talk = try await bo.openConversation(ConversationOpening(with: "ana"))
                    _ = try await bo.send(MessageDraft(text: "Is it there?"), to: talk.id)
                }
                let gone = try await market.node.signIn("gone")
                try await market.asking(gone) { gone in
                    try await gone.removeAccount("gone", AccountRemoval(password: "correct horse"))
                }
                let files = try await Self.damagedFiles(market)
                var others = 0
                while Self.loops.contains(where: { loop in
                    reached.withLock { $0[loop] ?? 0 } < 2
                }) {
                    for id in files {
                        let token = market.bo.token
                        _ = try await market.node.call(.GET, "media/\(id)", token: token)
                    }
                    // The node writes down that nobody is there.
                    await #expect(throws: (any Error).self) {
                        try await market.node.asOperator { client in
                            try await client.connect(PeerAddress(address: Self.nobody))
                        }
                    }
                    // Each listing takes a deposit of one of Ana's ten ether.
                    if others < 6 {
                        others += 1
                        _ = try await market.list(title: "Another")
                    } else {
                        _ = try await market.node.get("metrics")
                    }
                }
                try await market.asking(market.bo) { bo in
                    for try await event in bo.events(after: 0) where event.type == "listing_found" {
                        #expect(event.subject == listing)
                        break
                    }
                }
                let metrics = try await market.node.get("metrics").body
                for loop in Self.loops {
                    #expect(metrics.contains("stoa_loop_errors{loop=\"\(loop)\"}"), "\(loop)")
                }
            }
        }
        #expect(Set(reached.withLock { $0.keys }) == Self.loops)
    }

    /// Returns the ids of the pictures of two profiles whose files are damaged, so that the node
    /// asks its peers for them.
    private static func damagedFiles(_ market: MarketNode) async throws -> [String] {
        var ids: [String] = []
        for (session, side) in [(market.ana, 20), (market.bo, 30)] {
            ids.append(
                try await market.asking(session) { client in
                    let picture = try await client.addMedia(MediaSamples.png(side, 20))
                    _ = try await client.changeProfile(ProfileChange(avatar: picture.id))
                    return picture.id
                }
            )
        }
        let folder = DataFolder(path: market.node.folder).blobsFolder
        for name in try FileManager.default.contentsOfDirectory(atPath: folder) {
            try Data([1]).write(to: URL(filePath: folder).appending(path: name))
        }
        return ids
    }
}
