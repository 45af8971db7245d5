import Concurrency
import Keys
import Synchronization

/// The files that callers have asked for and that the node gets from its peers behind their
/// requests.
///
/// Askers take turns, and each has a share of the fetches: slow files that one of them looks at
/// delay others little.
final class AskedFiles: Sendable {
    /// The maximum number of files that are fetched or wait for it; of one asker.
    static let filesMax = 1_024
    static let askerFilesMax = 256
    /// The maximum number of files that are fetched at a time for one asker.
    static let askerFetchesMax = 24
    /// The maximum number of accounts that are told of one file.
    private static let accountsMax = 64
    /// When a caller may ask again for a file that is being fetched, and for one that has no place.
    static let again = Duration.seconds(2)
    static let later = Duration.seconds(15)
    /// How long a file that did not arrive is not fetched again, as ``BlobFetchLimits/pause``, and
    /// how many are remembered.
    private static let pause = Duration.seconds(30)
    private static let failuresMax = 4_096

    private struct File {
        /// The caller among whose files it counts.
        var asker: MediaCaller
        var isBeingFetched = false
        /// The accounts to tell.
        var accounts: Set<Address> = []
    }

    private struct Caller {
        var waiting: [Bytes32] = []
        var fetchCount = 0

        var count: Int { waiting.count + fetchCount }
        var canFetch: Bool { !waiting.isEmpty && fetchCount < askerFetchesMax }
    }

    private struct State {
        var files: [Bytes32: File] = [:]
        private var askers: [MediaCaller: Caller] = [:]
        /// The askers whose files can be fetched, in the order of their turns.
        private var turns: [MediaCaller] = []
        /// The uptime until which a file that did not arrive is left alone.
        var failures: [Bytes32: Duration] = [:]

        /// Lets a file wait among those of a caller.
        ///
        /// - Returns: `false` if there is no place for it.
        mutating func add(_ id: Bytes32, by caller: MediaCaller) -> Bool {
            let count = askers[caller]?.count ?? 0
            if let file = files[id] {
                // It comes sooner among the files of a caller with fewer.
                guard !file.isBeingFetched, count < askers[file.asker]?.count ?? 0 else {
                    return true
                }
                change(file.asker) { $0.waiting.removeAll { $0 == id } }
                files[id]?.asker = caller
            } else {
                guard files.count < filesMax, count < askerFilesMax else { return false }
                files[id] = File(asker: caller)
            }
            change(caller) { $0.waiting.append(id) }
            return true
        }

        /// Takes a file of the asker whose turn it is.
        mutating func take() -> Bytes32? {
            while !turns.isEmpty {
                let caller = turns.removeFirst()
                guard let asker = askers[caller], asker.canFetch else { continue }
                files[asker.waiting[0]]?.isBeingFetched = true
                change(caller) {
                    $0.waiting.removeFirst()
                    $0.fetchCount += 1
                }
                return asker.waiting[0]
            }
            return nil
        }

        /// Removes a file that was fetched, or was tried.
        mutating func remove(_ id: Bytes32) -> Set<Address> {
            guard let file = files.removeValue(forKey: id) else { return [] }
            change(file.asker) { $0.fetchCount -= 1 }
            return file.accounts
        }

        private mutating func change(_ caller: MediaCaller, _ body: (inout Caller) -> Void) {
            var asker = askers[caller] ?? Caller()
            body(&asker)
            askers[caller] = asker.count > 0 ? asker : nil
            if asker.canFetch, !turns.contains(caller) { turns.append(caller) }
        }
    }

    private let state = Mutex(State())
    /// At least one element for each file that can be fetched now.
    private let ready = BoundedQueue<Bool>(elementsMax: 2 * filesMax)

    /// Asks for a file, once however often it is asked for.
    ///
    /// - Parameters:
    ///   - id: The file.
    ///   - caller: The side that asks; an account is told once the file is here.
    ///   - now: The uptime.
    /// - Returns: After which time to ask for it again.
    func ask(for id: Bytes32, by caller: MediaCaller, at now: Duration) -> Duration {
        let wait: Duration? = state.withLock { state in
            if let end = state.failures[id], end > now { return end - now }
            state.failures[id] = nil
            guard state.add(id, by: caller) else { return Self.later }
            if case .account(let account) = caller,
                state.files[id]?.accounts.count ?? 0 < Self.accountsMax
            {
                state.files[id]?.accounts.insert(account)
            }
            return nil
        }
        guard wait == nil else { return wait ?? Self.again }
        _ = ready.offer(true)
        return Self.again
    }

    /// Waits for the next file to fetch; `nil` if the task is cancelled.
    func next() async -> Bytes32? {
        while await ready.receive() != nil {
            if let id = state.withLock({ $0.take() }) { return id }
        }
        return nil
    }

    /// Ends the fetch of a file.
    ///
    /// - Returns: The accounts to tell, if it is here now.
    func end(_ id: Bytes32, isHere: Bool, at now: Duration) -> Set<Address> {
        // The next file of the same asker can be fetched now.
        defer { _ = ready.offer(true) }
        return state.withLock { state in
            let accounts = state.remove(id)
            guard !isHere else { return accounts }
            if state.failures.count >= Self.failuresMax {
                state.failures = state.failures.filter { now < $0.value }
            }
            if state.failures.count < Self.failuresMax { state.failures[id] = now + Self.pause }
            return []
        }
    }
}
