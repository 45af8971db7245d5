import Glibc
import Keys
import Market
import Storage

/// Writes to a store until it is killed, or until its disk is full and free again; or dies while it
/// copies one.
///
/// `StoreWriter FOLDER` writes numbered entries from four callers at once, and prints each number
/// once its write is acknowledged. `StoreWriter FOLDER BYTES` may make no file longer than BYTES,
/// as on a full disk: it prints `full COUNT` when a write is refused, then has the room again and
/// prints `again COUNT`. `StoreWriter FOLDER BYTES TARGET` copies the store as an export does, and the
/// system kills it once the copy is longer than BYTES. With `stop` behind TARGET it stops then, having
/// printed 0, until it is killed.
@main
enum StoreWriter {
    static func main() async throws {
        let arguments = CommandLine.arguments.dropFirst()
        guard let folder = arguments.first else { exit(2) }
        if arguments.count >= 3, let target = arguments.dropFirst(2).first {
            limit(fileBytesMax: arguments.dropFirst().first.flatMap { UInt($0) } ?? 0)
            if arguments.last == "stop" { stopAtLimit() }
            try StoreCopy.make(of: folder, in: target)
            exit(0)
        }
        let store = try Store(folder: folder)
        if let bytes = arguments.dropFirst().first.flatMap({ UInt($0) }) {
            try await fill(store, fileBytesMax: bytes)
        } else {
            try await write(store)
        }
    }

    /// Has the process stop in the middle of its copy; on whichever thread that is, so not in `main`.
    private static func stopAtLimit() {
        signal(SIGXFSZ) { _ in
            StoreWriter.say("0")
            raise(SIGSTOP)
        }
    }

    private static func write(_ store: Store) async throws {
        let first = UInt64(try store.read { try $0.count(Operations.self) })
        try await withThrowingTaskGroup { group in
            for caller in 0..<4 as Range<UInt64> {
                group.addTask { @concurrent in
                    var number = first + caller
                    while true {
                        try await put(number, into: store)
                        say("\(number)")
                        number += 4
                    }
                }
            }
            try await group.waitForAll()
        }
    }

    private static func put(_ number: UInt64, into store: Store) async throws {
        try await store.write { transaction in
            let id = Bytes32(words: 0, 0, 0, number)
            let value = [UInt8](repeating: UInt8(truncatingIfNeeded: number), count: 700)
            try transaction.put(Operations.self, CompositeKey(.zero, id), value)
            try transaction.noteChange(of: RecordID(id))
        }
    }

    private static func limit(fileBytesMax: UInt) {
        var limit = rlimit()
        // A parent may have the signal ignored; and its end is no crash that anybody looks into.
        signal(SIGXFSZ, SIG_DFL)
        // Threads of Dispatch, on one of which this may run, keep it away; that of the copy does as this.
        var signals = sigset_t()
        unsafe sigemptyset(&signals)
        unsafe sigaddset(&signals, SIGXFSZ)
        unsafe pthread_sigmask(SIG_UNBLOCK, &signals, nil)
        unsafe setrlimit(__rlimit_resource_t(RLIMIT_CORE.rawValue), &limit)
        unsafe getrlimit(__rlimit_resource_t(RLIMIT_FSIZE.rawValue), &limit)
        limit.rlim_cur = fileBytesMax
        unsafe setrlimit(__rlimit_resource_t(RLIMIT_FSIZE.rawValue), &limit)
    }

    private static func fill(_ store: Store, fileBytesMax: UInt) async throws {
        signal(SIGXFSZ, SIG_IGN)
        var limit = rlimit()
        unsafe getrlimit(__rlimit_resource_t(RLIMIT_FSIZE.rawValue), &limit)
        var small = limit
        small.rlim_cur = fileBytesMax
        unsafe setrlimit(__rlimit_resource_t(RLIMIT_FSIZE.rawValue), &small)
        var count: UInt64 = 0
        do {
            while true {
                try await put(count, into: store)
                count += 1
            }
        } catch StorageError.diskFull {
            say("full \(try store.read { try $0.count(Operations.self) })")
        }
        unsafe setrlimit(__rlimit_resource_t(RLIMIT_FSIZE.rawValue), &limit)
        try await put(count, into: store)
        say("again \(try store.read { try $0.count(Operations.self) })")
    }

    /// One write to the pipe, so that a number is told whole or not at all.
    private static func say(_ line: String) {
        let bytes = [UInt8]((line + "\n").utf8)
        if unsafe Glibc.write(STDOUT_FILENO, bytes, bytes.count) != bytes.count { exit(3) }
    }
}
