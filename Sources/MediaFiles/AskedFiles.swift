import Concurrency
import Keys
import Synchronization

/// The files that callers have asked for and that the node gets from its peers behind their
/// requests.
final class AskedFiles: Sendable {
    /// The maximum number of files that are fetched or wait for it.
    static let filesMax = 1_024
    /// The maximum number of accounts that are told of one file.
    private static let accountsMax = 64
    /// When a caller may ask again for a file that is being fetched.
    static let again = Duration.seconds(2)
    /// How long a file that did not arrive is not fetched again, as ``BlobFetchLimits/pause``, and
    /// how many are remembered.
    private static let pause = Duration.seconds(30)
    private static let failuresMax = 4_096

    private struct State {
        /// The accounts to tell, by file.
        var asked: [Bytes32: Set<Address>] = [:]
        /// The uptime until which a file that did not arrive is left alone.
        var failures: [Bytes32: Duration] = [:]
    }

    private let state = Mutex(State())
    private let queue = BoundedQueue<Bytes32>(elementsMax: filesMax)

    /// Asks for a file, once however often it is asked for.
    ///
    /// - Parameters:
    ///   - id: The file.
    ///   - account: The account that is told once the file is here; `nil` for nobody.
    ///   - now: The uptime.
    /// - Returns: After which time to ask for it again.
    func ask(for id: Bytes32, by account: Address?, at now: Duration) -> Duration {
        let (pause, isNew): (Duration?, Bool) = state.withLock { state in
            if let end = state.failures[id], end > now { return (end - now, false) }
            state.failures[id] = nil
            let isNew = state.asked[id] == nil
            if let account, state.asked[id, default: []].count < Self.accountsMax {
                state.asked[id, default: []].insert(account)
            } else if isNew {
                state.asked[id] = []
            }
            return (nil, isNew)
        }
        if isNew, !queue.offer(id) { state.withLock { $0.asked[id] = nil } }
        return pause ?? Self.again
    }

    /// Waits for the next file to fetch; `nil` if the task is cancelled.
    func next() async -> Bytes32? { await queue.receive() }

    /// Ends the fetch of a file.
    ///
    /// - Returns: The accounts to tell, if it is here now.
    func end(_ id: Bytes32, isHere: Bool, at now: Duration) -> Set<Address> {
        state.withLock { state in
            let accounts = state.asked.removeValue(forKey: id) ?? []
            guard !isHere else { return accounts }
            if state.failures.count >= Self.failuresMax {
                state.failures = state.failures.filter { now < $0.value }
            }
            if state.failures.count < Self.failuresMax { state.failures[id] = now + Self.pause }
            return []
        }
    }
}
