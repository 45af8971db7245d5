import Market
import Synchronization

/// Frames on their way to one peer, bounded, so that a peer that does not read costs no more.
final class PeerLine: Sendable {
    private struct State {
        var byteCount = 0
        var dropped = 0
    }

    let peer: PeerID
    /// Which of the streams that this node opened to the peer over one link it is, from 0.
    let attempt: Int

    private let bytesMax: Int
    private let frames: BoundedQueue<[UInt8]>
    private let state = Mutex(State())

    init(peer: PeerID, attempt: Int, settings: GossipSettings) {
        self.peer = peer
        self.attempt = attempt
        bytesMax = settings.outboxBytesMax
        frames = BoundedQueue(elementsMax: settings.outboxFramesMax)
    }

    /// Frames that found no room.
    var dropped: Int { state.withLock { $0.dropped } }

    /// Queues a frame of messages, or drops it.
    func offer(_ frame: [UInt8]) -> Bool { offer(frame, bytesMax: bytesMax) }

    /// Queues a frame that the peer must have; `false` where it reads nothing at all.
    func insist(_ frame: [UInt8]) -> Bool { offer(frame, bytesMax: bytesMax * 3 / 2) }

    /// Takes the next frame; `nil` at the end.
    func next() async -> [UInt8]? {
        guard let frame = await frames.receive() else { return nil }
        state.withLock { $0.byteCount -= frame.count }
        return frame
    }

    func end() { frames.finish() }

    private func offer(_ frame: [UInt8], bytesMax: Int) -> Bool {
        let isWithin = state.withLock { state in
            guard state.byteCount + frame.count <= bytesMax else { return false }
            state.byteCount += frame.count
            return true
        }
        if isWithin, frames.offer(frame) { return true }
        state.withLock { state in
            if isWithin { state.byteCount -= frame.count }
            state.dropped += 1
        }
        return false
    }
}
