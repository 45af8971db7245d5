import GossipProtocol
import Keys
import Market
import Testing

struct PeerRecordTests {
    private static let key = PrivateKey.random()
    private static let peer = HostKey(key.publicKey).peer

    private static func record(of peer: PeerID = peer) -> PeerRecord {
        let addresses = ["/ip4/127.0.0.1/tcp/1", "/dns4/stoa.example/tcp/2"]
        return PeerRecord(
            peer: peer,
            sequence: 3,
            addresses: addresses.compactMap(Multiaddr.init(text:))
        )
    }

    private static func refusal(_ envelope: [UInt8]) -> PeerRecord.Refusal? {
        do throws(PeerRecord.Refusal) {
            _ = try PeerRecord(envelope: envelope)
            return nil
        } catch {
            return error
        }
    }

    @Test func `reads back a sealed record`() throws {
        let sealed = Self.record().sealed(with: Self.key)
        #expect(try PeerRecord(envelope: sealed) == Self.record())
    }

    @Test func `refuses a record if a signed byte was changed`() {
        let sealed = Self.record().sealed(with: Self.key)
        for index in sealed.indices {
            var forged = sealed
            forged[index] ^= 1
            #expect(Self.refusal(forged) != nil, "byte \(index)")
        }
        for end in 0..<sealed.count { #expect(Self.refusal(Array(sealed[..<end])) != nil) }
    }

    @Test func `refuses a record that another peer sealed`() {
        let other = PrivateKey.random()
        #expect(Self.refusal(Self.record().sealed(with: other)) == .wrongPeer)
    }

    @Test func `refuses an envelope made for another purpose`() {
        let payload = SignedEnvelope.seal([1], domain: "other", type: [3, 1], with: Self.key)
        #expect(Self.refusal(payload) == .envelope(.wrongSignature))
        let typed = SignedEnvelope.seal(
            [1],
            domain: "libp2p-peer-record",
            type: [9],
            with: Self.key
        )
        #expect(Self.refusal(typed) == .envelope(.wrongType))
    }

    @Test func `accepts only a peer's own record in its description`() throws {
        let description = PeerDescription(
            protocols: ["/a/1", "/b/1"],
            addresses: Self.record().addresses,
            observedAddress: Self.record().addresses[0],
            protocolVersion: "stoa/1",
            agentVersion: "stoa/0.2.0",
            sealedRecord: Self.record().sealed(with: Self.key),
            record: Self.record()
        )
        let message = description.message(key: HostKey(Self.key.publicKey))
        #expect(try PeerDescription(message, from: Self.peer) == description)
        let other = HostKey(PrivateKey.random().publicKey).peer
        #expect(throws: PeerDescription.Refusal.wrongKey) {
            _ = try PeerDescription(message, from: other)
        }
        #expect(throws: PeerDescription.Refusal.malformed) {
            _ = try PeerDescription(message + [7], from: Self.peer)
        }
    }
}
