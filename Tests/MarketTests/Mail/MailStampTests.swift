import Keys
import Market
import Testing

struct MailStampTests {
    private let subject = Keccak256.hash("subject".utf8)

    @Test func `a proof of work counts only for its own subject`() throws {
        let proof = try #require(
            MailStamp.search(for: subject, work: 256, from: 1, count: 100_000)
        )
        #expect(proof.isWorth(256, for: subject))
        #expect(proof.isWorth(1, for: subject))
        #expect(!proof.isWorth(1 << 40, for: subject))
        let others = (0..<64).filter { proof.isWorth(256, for: Keccak256.hash("\($0)".utf8)) }
        #expect(others.count < 8)
    }

    @Test func `the requested work is about the number of hashes that it takes`() throws {
        // Over 256 subjects the mean number of tries is within a fifth of the work, except once in
        // 10³.
        var tries: UInt64 = 0
        for index in 0..<256 {
            let subject = Keccak256.hash("subject \(index)".utf8)
            let proof = try #require(
                MailStamp.search(for: subject, work: 64, from: 1, count: 100_000)
            )
            tries += proof.nonce
        }
        #expect((51 * 256...77 * 256).contains(tries))
    }

    @Test func `an interrupted search resumes where it stopped; 0 is not a proof`() {
        var (first, proof): (UInt64, MailStamp?) = (0, nil)
        while proof == nil {
            proof = MailStamp.search(for: subject, work: 128, from: first, count: 7)
            first += 7
        }
        #expect(proof == MailStamp.search(for: subject, work: 128, from: 1, count: 100_000))
        #expect(MailStamp(nonce: 0) == nil)
    }
}
