import Keys
import Testing

struct ProofOfWorkTests {
    private static func subject(_ number: Int) -> Bytes32 { Keccak256.hash("\(number)".utf8) }

    @Test func `a nonce proves work only for its tag and subject`() {
        let work = ProofOfWork("one", for: Self.subject(1))
        let nonce = work.nonce(tries: 5_000)
        #expect(work.isDone(by: nonce, tries: 5_000) && work.isDone(by: nonce, tries: 1))
        #expect(!work.isDone(by: nonce, tries: .max))
        #expect(!ProofOfWork("other", for: Self.subject(1)).isDone(by: nonce, tries: 5_000))
        #expect(!ProofOfWork("one", for: Self.subject(2)).isDone(by: nonce, tries: 5_000))
    }

    /// SHA-256 of the letters, 32 bytes of 7 and the nonce, computed by Python's hashlib.
    @Test func `computes the hash that the protocol defines`() {
        let work = ProofOfWork("stoa record stamp 1", for: Bytes32(repeating: 7))
        #expect(work.nonce(tries: 1_000) == 152)
        #expect(work.nonce(tries: 100_000) == 116_023)
    }

    @Test func `a search takes the stated number of tries on average`() {
        let tries = (0..<200).map { number in
            ProofOfWork("mean", for: Self.subject(number)).nonce(tries: 64) + 1
        }
        let mean = tries.reduce(0, +) / UInt64(tries.count)
        // The subjects are the same on every run, so this cannot fail by chance.
        #expect((50...80).contains(mean), "\(mean)")
    }
}
