import Foundation
import Keys
import Market
import SwiftProtobuf

extension BlobQuestion {
    /// Reads a question in its canonical form; `nil` if it is not one.
    package init?(_ bytes: [UInt8], limits: BlobExchangeLimits) {
        guard let frame = CanonicalMessage.read(bytes, as: BlobQuestionFrame.self),
            frame.unknownFields.data.isEmpty, let id = Bytes32(frame.id),
            frame.first < BlobLength.chunksMax,
            (1...UInt32(limits.chunksMax)).contains(frame.count)
        else { return nil }
        let first = Int(frame.first)
        self.init(id: id, chunks: first..<first + Int(frame.count))
    }

    package var bytes: [UInt8] {
        var frame = BlobQuestionFrame()
        frame.id = Data(id.bytes)
        frame.first = UInt32(chunks.lowerBound)
        frame.count = UInt32(chunks.count)
        return CanonicalMessage.bytes(of: frame)
    }
}

extension BlobAnswer {
    /// Reads a message in its canonical form; `nil` if it is not one.
    package init?(_ bytes: [UInt8]) {
        guard let frame = CanonicalMessage.read(bytes, as: BlobAnswerFrame.self),
            frame.unknownFields.data.isEmpty, let answer = frame.answer
        else { return nil }
        switch answer {
        case .refusal(let number):
            guard let refusal = BlobRefusal(rawValue: number) else { return nil }
            self = .refused(refusal)
        case .chunk(let frame):
            let proof = frame.proof.compactMap { Bytes32($0) }
            guard frame.unknownFields.data.isEmpty, let length = BlobLength(frame.byteCount),
                proof.count == frame.proof.count, proof.count <= BlobTree.proofMax
            else { return nil }
            self = .chunk(
                BlobChunk(
                    length: length,
                    index: Int(frame.index),
                    bytes: [UInt8](frame.bytes),
                    proof: proof
                )
            )
        }
    }

    package var bytes: [UInt8] {
        var frame = BlobAnswerFrame()
        switch self {
        case .refused(let refusal): frame.refusal = refusal.rawValue
        case .chunk(let chunk):
            var part = BlobChunkFrame()
            part.byteCount = UInt64(chunk.length.byteCount)
            part.index = UInt32(clamping: chunk.index)
            part.bytes = Data(chunk.bytes)
            part.proof = chunk.proof.map { Data($0.bytes) }
            frame.chunk = part
        }
        return CanonicalMessage.bytes(of: frame)
    }
}
