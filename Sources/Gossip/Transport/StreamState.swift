import DequeModule
import GossipProtocol
import NIOCore

/// The waiting bytes and tasks of one stream, on its link's event loop.
final class StreamState {
    /// Bytes that a task wants to send, and the promise to complete once they are sent.
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

    /// Successive bytes are merged into chunks of up to this size.
    ///
    /// Many short frames therefore cost little more than their bytes, and taking some moves none of
    /// the others.
    private static let chunkBytes = 16_384

    let id: YamuxStreamID
    var reader: Reader?
    private(set) var writers: Deque<Writer> = []
    var isFinishedByPeer = false
    var isFinishWanted = false
    /// Whether both halves are closed; only unread bytes are left.
    var isEnded = false
    /// When the last task that could read released the stream.
    private(set) var abandonedAt: Moment?
    /// Bytes that no reader has taken.
    private(set) var unreadCount = 0
    /// Bytes of writers that are not complete.
    private(set) var unsentCount = 0

    private let unread: LedgerEntry
    private let unsent: LedgerEntry
    private var chunks: Deque<[UInt8]> = []
    /// Bytes of the first chunk that were taken.
    private var takenCount = 0

    init(id: YamuxStreamID, ledger: LinkLedger) {
        self.id = id
        unread = ledger.makeEntry(.stream)
        unsent = ledger.makeEntry(.unsent)
    }

    /// Stores received bytes for a reader; `false` if the link or the node holds too many.
    func append(_ bytes: ArraySlice<UInt8>) -> Bool {
        if let last = chunks.indices.last, chunks[last].count + bytes.count <= Self.chunkBytes {
            chunks[last] += bytes
        } else {
            chunks.append(Array(bytes))
        }
        unreadCount += bytes.count
        return unread.set(unreadCount)
    }

    func take(atMost bytesMax: Int) -> [UInt8] {
        let wantedCount = min(bytesMax, unreadCount)
        var taken: [UInt8] = []
        if takenCount == 0, chunks.first?.count == wantedCount {
            taken = chunks.removeFirst()
        }
        taken.reserveCapacity(wantedCount)
        while taken.count < wantedCount, let first = chunks.first {
            let count = min(wantedCount - taken.count, first.count - takenCount)
            taken += first[takenCount..<takenCount + count]
            takenCount += count
            guard takenCount == first.count else { break }
            chunks.removeFirst()
            takenCount = 0
        }
        unreadCount -= taken.count
        unread.set(unreadCount)
        return taken
    }

    func addWriter(_ writer: Writer) {
        writers.append(writer)
        countUnsent(writer.bytes.count)
    }

    /// Adds to the count of the first writer's sent bytes.
    func noteSent(_ count: Int) { writers[0].sentCount += count }

    /// Removes the first writer, whose bytes have all been sent.
    func removeWriter() {
        countUnsent(-writers.removeFirst().bytes.count)
    }

    /// Records that no task reads any longer, and drops the unread bytes.
    func abandon(at now: Moment) {
        abandonedAt = now
        dropUnread()
    }

    /// Fails all waiting tasks with `error`, and drops the waiting bytes.
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
        countUnsent(-unsentCount)
    }

    private func dropUnread() {
        (chunks, takenCount, unreadCount) = ([], 0, 0)
        unread.set(0)
    }

    private func countUnsent(_ change: Int) {
        unsentCount += change
        unsent.set(unsentCount)
    }
}
