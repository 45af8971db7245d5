import DequeModule
import NIOCore

/// One stream's waiting bytes and waiting tasks, on its link's event loop.
final class StreamState {
    /// Bytes that a task wants sent, and its wish to know when they are.
    struct Writer {
        let bytes: [UInt8]
        var sentCount = 0
        let done: EventLoopPromise<Void>
        let timer: Scheduled<Void>?
    }

    /// A task that waits for bytes.
    struct Reader {
        let bytesMax: Int
        let done: EventLoopPromise<[UInt8]?>
        let timer: Scheduled<Void>?
    }

    let id: YamuxStreamID
    var reader: Reader?
    var writers: Deque<Writer> = []
    var isFinishedByPeer = false
    var isFinishWanted = false
    /// Both halves are closed; only what is unread is left.
    var isEnded = false
    /// When the last task that could read let go of the stream.
    private(set) var abandonedAt: Moment?

    private let entry: LedgerEntry
    private var inbound: [UInt8] = []
    private var inboundStart = 0

    init(id: YamuxStreamID, entry: LedgerEntry) {
        (self.id, self.entry) = (id, entry)
    }

    var unreadCount: Int { inbound.count - inboundStart }

    /// Keeps bytes for a reader; `false` if the link or the node holds too many.
    func append(_ bytes: ArraySlice<UInt8>, compactedBeyond startMax: Int) -> Bool {
        if inboundStart > startMax {
            inbound.removeFirst(inboundStart)
            inboundStart = 0
        }
        inbound.append(contentsOf: bytes)
        return entry.set(unreadCount)
    }

    func take(atMost bytesMax: Int) -> [UInt8] {
        let count = min(bytesMax, unreadCount)
        let taken: [UInt8]
        if inboundStart == 0, count == inbound.count {
            taken = inbound
            inbound = []
        } else {
            taken = Array(inbound[inboundStart..<inboundStart + count])
            inboundStart += count
            if inboundStart == inbound.count { (inbound, inboundStart) = ([], 0) }
        }
        entry.set(unreadCount)
        return taken
    }

    /// Notes that nobody reads any more: what waits is dropped.
    func abandon(at now: Moment) {
        abandonedAt = now
        dropUnread()
    }

    /// Tells everybody who waits that nothing comes any more, and drops what waits.
    func fail(_ error: any Error) {
        dropUnread()
        reader?.timer?.cancel()
        reader?.done.fail(error)
        reader = nil
        for writer in writers {
            writer.timer?.cancel()
            writer.done.fail(error)
        }
        writers = []
    }

    private func dropUnread() {
        (inbound, inboundStart) = ([], 0)
        entry.set(0)
    }
}
