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

    /// Bytes that came one after the other are kept together up to this, so that many short frames
    /// cost little more than their bytes, and taking some moves none of the others.
    private static let chunkBytes = 16_384

    let id: YamuxStreamID
    var reader: Reader?
    private(set) var writers: Deque<Writer> = []
    var isFinishedByPeer = false
    var isFinishWanted = false
    /// Both halves are closed; only what is unread is left.
    var isEnded = false
    /// When the last task that could read let go of the stream.
    private(set) var abandonedAt: Moment?
    /// Bytes that no reader has taken.
    private(set) var unreadCount = 0
    /// Bytes of writers that are not done.
    private(set) var unsentCount = 0

    private let unread: LedgerEntry
    private let unsent: LedgerEntry
    private var chunks: Deque<[UInt8]> = []
    /// How much of the first chunk was taken.
    private var takenCount = 0

    init(id: YamuxStreamID, ledger: LinkLedger) {
        self.id = id
        unread = ledger.makeEntry(.stream)
        unsent = ledger.makeEntry(.unsent)
    }

    /// Keeps bytes for a reader; `false` if the link or the node holds too many.
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
        var taken: [UInt8] = []
        while taken.count < bytesMax, let first = chunks.first {
            let count = min(bytesMax - taken.count, first.count - takenCount)
            if taken.isEmpty, count == first.count {
                taken = first
            } else {
                taken += first[takenCount..<takenCount + count]
            }
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

    /// Notes how much of the first writer's bytes are out.
    func noteSent(_ count: Int) { writers[0].sentCount += count }

    /// Lets go of the first writer, whose bytes are out.
    func removeWriter() {
        countUnsent(-writers.removeFirst().bytes.count)
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
