import Concurrency
import Gossip
import GossipProtocol
import Keys
import Market
import Support
import Testing

/// What a node tells its peers about each other.
@Suite(.timeLimit(.minutes(2)))
struct PeerTellingTests {
    private let network = MemoryNetwork()

    private static func peer(_ number: UInt8) -> PeerID { PeerID(multihash: [0, 1, number]) }

    /// - From peers: a peer's own record, older than one that was read before → skipped; the newer
    ///   one is passed on
    @Test func `a peer's older record replaces no newer one that others receive`() async throws {
        let key = PrivateKey.random()
        let told = HostKey(key.publicKey).peer
        let links = [Self.peer(1), told, Self.peer(3)].enumerated().map { index, peer in
            network.node(peer, port: UInt16(index + 1))
        }
        func description(_ sequence: UInt64, of program: String) throws -> PeerDescription {
            let address = try #require(Multiaddr(text: "/ip4/9.9.9.9/tcp/\(sequence)"))
            let record = PeerRecord(peer: told, sequence: sequence, addresses: [address])
            return PeerDescription(
                protocols: [],
                addresses: [address],
                observedAddress: nil,
                protocolVersion: "",
                agentVersion: program,
                sealedRecord: record.sealed(with: key),
                record: record
            )
        }
        let descriptions = [
            try description(50, of: "first"), try description(10, of: "second"),
        ]
        var unsigned = try description(60, of: "third")
        (unsigned.sealedRecord, unsigned.record) = (nil, nil)
        let all = descriptions + [unsigned]
        let ana = GossipNode(links[0])
        try await GossipNode.with([ana]) {
            try await withRunning(Array(links[1...])) {
                for other in links[1...] { _ = try await other.dial(links[0].address) }
                try await waitUntil { await ana.service.peers().count >= 2 }
                for description in all {
                    await links[0].events.send(.identified(told, description))
                    let program = description.agentVersion
                    try await waitUntil {
                        await ana.service.peers().contains(where: { $0.agentVersion == program })
                    }
                    let stream = try await links[2].open(
                        protocols: ["/stoa/peers/1"],
                        to: links[0].localPeer
                    )
                    var messages = stream.messages(bytesMax: 10_000)
                    let message = try #require(try await messages.next())
                    let envelope = try #require(ProtobufFields(message)?.repeated(1).first)
                    #expect(try PeerRecord(envelope: envelope).sequence == 50)
                }
            }
        }
    }

    @Test func `peers that dial this node do not stop it from asking others`() async throws {
        let links = (1...4).map { network.node(PeerID(multihash: [0, 1, $0]), port: UInt16($0)) }
        let ana = GossipNode(links[0]) {
            ($0.peers.linksWanted, $0.peers.dialledWanted) = (2, 1)
        }
        let asked = BoundedQueue<PeerID>(elementsMax: 64)
        for other in links[1...] {
            let peer = other.localPeer
            await other.handle(protocol: "/stoa/peers/1") { _ in await asked.send(peer) }
        }
        try await GossipNode.with([ana]) {
            try await withRunning(Array(links[1...])) {
                for other in links[1...] { _ = try await other.dial(links[0].address) }
                var missing = Set(links[1...].map(\.localPeer))
                while !missing.isEmpty, let peer = await asked.receive() { missing.remove(peer) }
                #expect(missing.isEmpty)
            }
        }
    }
}
