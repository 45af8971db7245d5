import Gossip
import Keys
import Market
import Support
import Testing

struct BlobMessageTests {
    private static let limits = BlobExchangeLimits()

    @Test func `questions are read as they were written, within their bounds`() {
        let id = Bytes32(repeating: 7)
        for chunks in [0..<1, 0..<16, 239..<240, 224..<240] {
            let question = BlobQuestion(id: id, chunks: chunks)
            #expect(question.bytes.count <= Self.limits.questionBytesMax)
            #expect(BlobQuestion(question.bytes, limits: Self.limits) == question)
        }
        for chunks in [0..<0, 0..<17, 240..<241, 9_000..<9_001] {
            let question = BlobQuestion(id: id, chunks: chunks)
            #expect(BlobQuestion(question.bytes, limits: Self.limits) == nil)
        }
        #expect(BlobQuestion([], limits: Self.limits) == nil)
    }

    @Test func `a chunk is read as it was written, and the longest fits`() throws {
        let file = [UInt8](repeating: 5, count: 15_728_640)
        let tree = try #require(BlobTree(of: file))
        let length = try #require(BlobLength(file.count))
        let chunk = BlobChunk(
            length: length,
            index: 239,
            bytes: Array(file[length.range(of: 239)]),
            proof: tree.proof(of: 239)
        )
        let bytes = BlobAnswer.chunk(chunk).bytes

        #expect(bytes.count <= Self.limits.answerBytesMax)
        #expect(BlobAnswer(bytes) == .chunk(chunk))
        #expect(chunk.isProved(of: tree.root))
        for refusal in BlobRefusal.allCases {
            #expect(BlobAnswer(BlobAnswer.refused(refusal).bytes) == .refused(refusal))
        }
    }

    @Test func `a chunk of another place, length or content is not proved`() throws {
        let file = (0..<200_000).map { UInt8(truncatingIfNeeded: $0 / 1_000) }
        let tree = try #require(BlobTree(of: file))
        let length = try #require(BlobLength(file.count))
        func isProved(_ length: BlobLength, _ index: Int, _ bytes: [UInt8]) -> Bool {
            BlobChunk(length: length, index: index, bytes: bytes, proof: tree.proof(of: 0))
                .isProved(of: tree.root)
        }
        let first = Array(file[length.range(of: 0)])

        #expect(isProved(length, 0, first))
        #expect(!isProved(length, 1, first))
        #expect(!isProved(length, 4, first))
        #expect(!isProved(length, 0, first.dropLast()))
        #expect(!isProved(length, 0, first.dropLast() + [6]))
        #expect(!isProved(try #require(BlobLength(70_000)), 0, first))
    }

    @Test func `spoiled messages are refused or read as others, and nothing else happens`() throws {
        var random = SeededRandom(seed: 11)
        let file = [UInt8](repeating: 1, count: 66_000)
        let tree = try #require(BlobTree(of: file))
        let chunk = BlobChunk(
            length: try #require(BlobLength(file.count)),
            index: 1,
            bytes: Array(file[65_536...]),
            proof: tree.proof(of: 1)
        )
        var refused = 0
        for _ in 0..<2_000 {
            var question = BlobQuestion(id: .random(using: &random), chunks: 3..<9).bytes
            random.spoil(&question)
            if let read = BlobQuestion(question, limits: Self.limits) {
                #expect((1...16).contains(read.chunks.count))
            } else {
                refused += 1
            }
            var answer = BlobAnswer.chunk(chunk).bytes
            let whole = answer
            random.spoil(&answer)
            if answer != whole, case .chunk(let read)? = BlobAnswer(answer), read != chunk {
                #expect(!read.isProved(of: tree.root) || read.length != chunk.length)
            }
        }
        #expect(refused > 100)
    }
}
