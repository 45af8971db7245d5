import Keys
import Market
import Testing

struct MailGrantTests {
    private let secret = Bytes32(repeating: 1)
    private let home = PeerID(multihash: [0, 1, 1])
    private let envelope = Bytes32(repeating: 9)

    @Test func `the holder of the secret recognises the proof of its own grant`() throws {
        let given = MailGrant(id: Bytes32(repeating: 2), under: secret)
        let carried = try #require(MailGrant(given.bytes))
        #expect(carried == given)
        let checked = MailGrant(id: carried.id, under: secret)
        #expect(carried.proof(of: envelope, to: home) == checked.proof(of: envelope, to: home))
    }

    @Test func `a proof is valid for one envelope, home, grant and secret`() {
        let grant = MailGrant(id: Bytes32(repeating: 2), under: secret)
        let proof = grant.proof(of: envelope, to: home)
        let other = MailGrant(id: Bytes32(repeating: 3), under: secret)
        let foreign = MailGrant(id: grant.id, under: Bytes32(repeating: 4))
        #expect(proof != grant.proof(of: Bytes32(repeating: 8), to: home))
        #expect(proof != grant.proof(of: envelope, to: PeerID(multihash: [0, 1, 2])))
        #expect(proof != other.proof(of: envelope, to: home))
        #expect(proof != foreign.proof(of: envelope, to: home))
        #expect(MailGrant(Array(grant.bytes.dropLast())) == nil)
    }
}
