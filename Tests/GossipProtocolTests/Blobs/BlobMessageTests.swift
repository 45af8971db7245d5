import Foundation
import GossipProtocol
import Keys
import Market
import Support
import SwiftProtobuf
import Testing
import WireMessages

struct BlobMessageTests {
    private static let limits = BlobExchangeLimits()

    @Test func `reads back the questions that it wrote, within their bounds`() {
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

    @Test func `reads back a chunk that it wrote; the longest one fits`() throws {
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

    @Test func `does not verify a chunk with another index, length or content`() throws {
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

    @Test func `refuses corrupted messages or reads them as different ones`() throws {
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

    /// Chunks are read and written without the library, which must not be noticed.
    @Test(arguments: [0, 1, 2, 3, 200, 16_384, 65_536])
    func `encodes and refuses chunks exactly as the library does`(
        byteCount: Int
    ) throws {
        var random = SeededRandom(seed: UInt64(byteCount) + 1)
        for proofCount in 0..<8 {
            let chunk = BlobChunk(
                length: try #require(BlobLength(Int.random(in: 1...15_728_640, using: &random))),
                index: Int.random(in: 0...(proofCount == 0 ? 0 : 300), using: &random),
                bytes: (0..<byteCount).map { _ in UInt8.random(in: 0...255, using: &random) },
                proof: (0..<proofCount).map { _ in .random(using: &random) }
            )
            let bytes = BlobAnswer.chunk(chunk).bytes
            #expect(bytes == Self.message(chunk))
            for _ in 0..<(byteCount > 200 ? 50 : 500) {
                var spoiled = bytes
                random.spoil(&spoiled)
                #expect(BlobAnswer(spoiled) == Self.read(spoiled))
            }
        }
    }

    /// What SwiftProtobuf writes for a chunk.
    private static func message(_ chunk: BlobChunk) -> [UInt8] {
        var part = BlobChunkFrame()
        part.byteCount = UInt64(chunk.length.byteCount)
        part.index = UInt32(chunk.index)
        part.bytes = Data(chunk.bytes)
        part.proof = chunk.proof.map { Data($0.bytes) }
        var frame = BlobAnswerFrame()
        frame.chunk = part
        return CanonicalMessage.bytes(of: frame)
    }

    /// What SwiftProtobuf reads, if it would write the same.
    private static func read(_ bytes: [UInt8]) -> BlobAnswer? {
        guard let frame = CanonicalMessage.read(bytes, as: BlobAnswerFrame.self),
            frame.unknownFields.data.isEmpty
        else { return nil }
        switch frame.answer {
        case nil: return nil
        case .refusal(let number): return BlobRefusal(rawValue: number).map(BlobAnswer.refused)
        case .chunk(let part):
            let proof = part.proof.compactMap { Bytes32($0) }
            guard part.unknownFields.data.isEmpty, let length = BlobLength(part.byteCount),
                proof.count == part.proof.count, proof.count <= BlobTree.proofMax
            else { return nil }
            return .chunk(
                BlobChunk(
                    length: length,
                    index: Int(part.index),
                    bytes: [UInt8](part.bytes),
                    proof: proof
                )
            )
        }
    }
}
