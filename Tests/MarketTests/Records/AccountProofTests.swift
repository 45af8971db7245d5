import Keys
import Market
import Support
import Testing

struct AccountProofTests {
    private static let proof = AccountProof(
        network: "stoa",
        node: "16Uiu2HAm",
        account: Samples.ana.address,
        name: "ana",
        validUntil: 1_800_000_900
    )
    private static let now: UInt64 = 1_800_000_000

    @Test func `a wallet's statement has the right digest and says what it permits`() throws {
        let read = try TypedData(json: Self.proof.typedDataJSON)

        #expect(read.digest == Self.proof.digest)
        for words in ["16Uiu2HAm", "'ana'", Samples.ana.address.checksummed, "signs nothing"] {
            #expect(Self.proof.summary.contains(words))
        }
    }

    @Test func `only the account's own key proves the account, for a short time`() {
        let signature = Samples.ana.sign(Self.proof.digest)

        #expect(Self.proof.isProved(by: signature, at: Self.now))
        #expect(Self.proof.isProved(by: signature, at: Self.proof.validUntil))
        #expect(!Self.proof.isProved(by: signature, at: Self.proof.validUntil + 1))
        // One that is valid for longer was not made by a node.
        #expect(!Self.proof.isProved(by: signature, at: Self.now - 1))
        #expect(!Self.proof.isProved(by: Samples.bo.sign(Self.proof.digest), at: Self.now))
    }

    @Test func `a statement for another node, name or network has another digest`() {
        let proof = Self.proof
        let others = [
            AccountProof(
                network: "other",
                node: proof.node,
                account: proof.account,
                name: proof.name,
                validUntil: proof.validUntil
            ),
            AccountProof(
                network: proof.network,
                node: "16Uiu2HAn",
                account: proof.account,
                name: proof.name,
                validUntil: proof.validUntil
            ),
            AccountProof(
                network: proof.network,
                node: proof.node,
                account: proof.account,
                name: "bo",
                validUntil: proof.validUntil
            ),
        ]
        let signature = Samples.ana.sign(proof.digest)

        for other in others { #expect(!other.isProved(by: signature, at: Self.now)) }
    }
}
