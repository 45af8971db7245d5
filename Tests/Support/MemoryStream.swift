import Concurrency
import Gossip
package import Market
import Synchronization

/// One end of a stream between two nodes in memory.
package final class MemoryStream: PeerStream {
    private static let chunksMax = 4

    package let remotePeer: PeerID
    package let protocolID: String
    private let incoming: BoundedQueue<[UInt8]>
    private let outgoing: BoundedQueue<[UInt8]>
    private let isReset: SharedFlag
    private let leftover = Mutex<[UInt8]>([])
    private let isWriteClosed = Mutex(false)

    private init(
        _ peer: PeerID,
        _ protocolID: String,
        incoming: BoundedQueue<[UInt8]>,
        outgoing: BoundedQueue<[UInt8]>,
        isReset: SharedFlag
    ) {
        remotePeer = peer
        self.protocolID = protocolID
        self.incoming = incoming
        self.outgoing = outgoing
        self.isReset = isReset
    }

    /// Makes both ends.
    package static func pair(
        _ one: PeerID,
        _ other: PeerID,
        protocolID: String
    ) -> (one: MemoryStream, other: MemoryStream) {
        let there = BoundedQueue<[UInt8]>(elementsMax: chunksMax)
        let back = BoundedQueue<[UInt8]>(elementsMax: chunksMax)
        let isReset = SharedFlag(false)
        return (
            MemoryStream(other, protocolID, incoming: back, outgoing: there, isReset: isReset),
            MemoryStream(one, protocolID, incoming: there, outgoing: back, isReset: isReset)
        )
    }

    package func read(atMost bytesMax: Int, within limit: Duration?) async throws -> [UInt8]? {
        var bytes = leftover.withLock { bytes in
            defer { bytes = [] }
            return bytes
        }
        while bytes.isEmpty {
            try check()
            guard let chunk = await incoming.receive() else {
                try Task.checkCancellation()
                try check()
                return nil
            }
            bytes = chunk
        }
        try check()
        if bytes.count > bytesMax {
            let rest = Array(bytes[bytesMax...])
            leftover.withLock { $0 = rest }
        }
        return Array(bytes.prefix(bytesMax))
    }

    package func write(_ bytes: [UInt8], within limit: Duration?) async throws {
        try check()
        if isWriteClosed.withLock({ $0 }) { throw LinkError.writeClosed }
        guard await outgoing.send(bytes) else {
            try Task.checkCancellation()
            throw LinkError.streamReset
        }
    }

    package func closeWrite() async throws {
        try check()
        isWriteClosed.withLock { $0 = true }
        outgoing.finish()
    }

    package func reset() {
        isReset.value.withLock { $0 = true }
        incoming.finish()
        outgoing.finish()
    }

    private func check() throws {
        if isReset.value.withLock({ $0 }) { throw LinkError.streamReset }
    }
}

/// A flag that both ends hold.
final class SharedFlag: Sendable {
    let value: Mutex<Bool>

    init(_ value: Bool) {
        self.value = Mutex(value)
    }
}
