import GossipProtocol
import Market
import Testing

struct PeerIDTextTests {
    private static let digest = [UInt8](0..<32)

    @Test func `writes base58 and reads it back`() {
        for multihash in [[0x12, 32] + Self.digest, [0, 4, 8, 1, 18, 0]] {
            let peer = PeerID(multihash: multihash)
            #expect(PeerIDText.peer(from: peer.text) == peer)
        }
    }

    @Test func `reads the same peer as a CID in base32`() {
        // Both forms are in libp2p's "Peer Ids and Keys", section "String representation".
        let cid = "bafzbeie5745rpv2m6tjyuugywy4d5ewrqgqqhfnf445he3omzpjbx5xqxe"
        let text = "QmYyQSo1c1Ym7orWxLYvCrM2EmxFTANf8wXmmE7DWjhx5N"
        let peer = PeerIDText.peer(from: text)
        #expect(peer != nil)
        #expect(PeerIDText.peer(from: cid) == peer)
    }

    @Test(arguments: [
        "", "Qm", "1", "16Uiu2HA", "QmYyQSo1c1Ym7orWxLYvCrM2EmxFTANf8wXmmE7DWjhx5",
        "QmYyQSo1c1Ym7orWxLYvCrM2EmxFTANf8wXmmE7DWjhx0N", "bafzbeie", "zQm",
        "mAXIgAAEC", String(repeating: "1", count: 200),
    ])
    func `refuses text that is not a peer id`(text: String) {
        #expect(PeerIDText.peer(from: text) == nil)
    }

    @Test func `keeps leading zeros in base58`() {
        #expect(Base58.encode([0, 0, 1]) == "112")
        #expect(Base58.decode("112") == [0, 0, 1])
        #expect(Base58.encode(Array("Hello World!".utf8)) == "2NEpo7TZRRrLZSi2U")
    }
}
