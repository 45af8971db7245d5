import DequeModule
import NIOCore

/// One stream's waiting bytes and waiting tasks, on its link's event loop.
struct StreamState {
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

    let serial: UInt64
    var inbound: [UInt8] = []
    var inboundStart = 0
    var reader: Reader?
    var writers: Deque<Writer> = []
    var isFinishedByPeer = false
    var isFinishWanted = false
    /// Both halves are closed; only what is unread is left.
    var isEnded = false
    /// When the last task that could read let go of the stream.
    var abandonedAt: Moment?

    init(serial: UInt64) {
        self.serial = serial
    }

    var unreadCount: Int { inbound.count - inboundStart }

    mutating func take(atMost bytesMax: Int) -> [UInt8] {
        let count = min(bytesMax, unreadCount)
        if inboundStart == 0, count == inbound.count {
            defer { inbound = [] }
            return inbound
        }
        let taken = Array(inbound[inboundStart..<inboundStart + count])
        inboundStart += count
        if inboundStart == inbound.count { (inbound, inboundStart) = ([], 0) }
        return taken
    }

    /// Tells everybody who waits that nothing comes any more.
    mutating func fail(_ error: any Error) {
        reader?.timer?.cancel()
        reader?.done.fail(error)
        reader = nil
        for writer in writers {
            writer.timer?.cancel()
            writer.done.fail(error)
        }
        writers = []
    }
}
