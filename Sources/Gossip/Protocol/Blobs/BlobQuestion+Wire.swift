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
