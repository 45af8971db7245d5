import ArgumentParser
import Foundation
import Gossip
import GossipProtocol
import Keys
import Logging
import Market

/// A peer with bad manners: publishes a well-formed, well-signed review of a sale its author had no
/// part in, and after it a profile that is in order.
///
/// Who has taken the profile has validated the review before it. Prints both records' ids.
@main
struct HostilePeer: AsyncParsableCommand {
    @Option var network: String
    @Option var chain: UInt64
    @Option var contract: String
    @Option var sale: String
    @Option(help: "The sale's price in wei, so that nothing but the author is wrong.")
    var price: String
    @Argument(help: "Peers to publish to (multiaddrs).") var peers: [String]

    func run() async throws {
        let logger = Logger(label: "hostile-peer") { _ in SwiftLogNoOpLogHandler() }
        let links = try Links(identity: .random(), agentVersion: "strange", logger: logger)
        let gossip = GossipService(
            links: links,
            validator: ClosedGate(),
            source: EmptyRecordSource(),
            seed: 7,
            logger: logger
        )
        try await withThrowingTaskGroup { group in
            group.addTask { try await links.run() }
            group.addTask { try await gossip.run() }
            group.addTask { try await publish(through: gossip) }
            try await group.next()
            group.cancelAll()
        }
    }

    private func publish(through gossip: GossipService) async throws {
        let topic = Topic("/stoa/\(network)/\(chain)")
        await gossip.join(topic)
        for peer in peers {
            guard let address = Multiaddr(text: peer) else { throw ValidationError(peer) }
            await gossip.add(address)
        }
        while await gossip.peers().filter({ $0.topics.contains(topic) }).count < peers.count {
            try await Task.sleep(for: .milliseconds(100))
        }
        let author = PrivateKey.random()
        let review = try record(.review(try review()), by: author)
        let profile = try OpenLaneRules().stamped(
            try record(.profile(try Profile(name: "Nobody in particular")), by: author)
        )
        for record in [review, profile] { await gossip.publish(record.bytes, on: topic) }
        print("review \(review.id)\nprofile \(profile.id)")
        // What was published leaves through queues that nobody outside can watch.
        try await Task.sleep(for: .seconds(3))
    }

    private func review() throws -> Review {
        guard let id = Bytes32(hex: sale), let price = Amount(decimal: price) else {
            throw ValidationError("--sale is 64 hexadecimal digits, --price a number")
        }
        let escrow = ContractReference(chain: ChainID(chain), address: try Address(text: contract))
        return try Review(
            sale: SaleReference(contract: escrow, id: SaleID(id)),
            stars: 1,
            text: "Never seen it.",
            outcome: .complete,
            currency: .native,
            price: price
        )
    }

    private func record(_ content: RecordContent, by author: PrivateKey) throws -> SignedRecord {
        let now = UInt64(Date().timeIntervalSince1970 * 1_000)
        return try RecordDraft(
            network: network,
            author: author.address,
            content: content,
            slot: .zero,
            createdAt: Timestamp(milliseconds: now)
        ).signed(by: author)
    }
}

/// Takes nothing in.
private struct ClosedGate: RecordValidator {
    func validate(
        _ data: [UInt8],
        on topic: Topic,
        from origin: RecordOrigin
    ) async -> Verdict { .ignore }
}
