/// Why a local cluster could not do what was asked.
package enum ClusterError: Error, Equatable, Sendable {
    /// There is no cluster in this folder.
    case none(folder: String)
    /// The folder's cluster is of another size.
    case otherSize(folder: String, nodes: Int)
    /// Between one and `max` nodes make a cluster.
    case badSize(max: Int)
    /// The number of no node of the cluster.
    case noNode(Int, nodes: Int)
    /// There is neither a chain to join nor a command that starts one.
    case noChain
    case badKeyFile(path: String, reason: String)
    /// A fee above what the contracts allow.
    case badFees
    case notWritable(path: String, reason: String)
    /// A file of the cluster is not what was written.
    case damaged(path: String)
    /// No free port was found.
    case noPort
    case notStarted(command: String, code: Int32)
    /// A process ended before it was ready; `tail` is the end of its log.
    case ended(name: String, log: String, tail: String)
    case notReady(name: String, reason: String, log: String)
    /// The chain's endpoint refused a call.
    case chainRefused(String)
}

extension ClusterError {
    /// What a program can do about it.
    var kind: StartFailure.Kind {
        switch self {
        case .none, .otherSize, .badSize, .noNode, .noChain, .badKeyFile, .badFees, .notWritable,
            .damaged:
            .configuration
        case .noPort, .notStarted, .ended: .failed
        case .notReady, .chainRefused: .network
        }
    }
}

extension ClusterError: CustomStringConvertible {
    package var description: String {
        switch self {
        case .none(let folder):
            "There is no cluster in \(folder). Start one with 'stoa cluster up'."
        case .otherSize(let folder, let nodes):
            "The cluster in \(folder) has \(nodes) nodes. Give that number, or another --folder."
        case .badSize(let max): "A local cluster has 1 to \(max) nodes."
        case .noNode(let number, let nodes): "There is no node \(number); they are 1 to \(nodes)."
        case .noChain:
            "There is no chain: give --rpc, or --chain-command with what starts one, or run this "
                + "from Stoa's sources after Scripts/venv."
        case .badKeyFile(let path, let reason): "\(path): \(reason)."
        case .badFees: "The platform takes at most 500 basis points, the maker at most 1000."
        case .notWritable(let path, let reason): "\(path) cannot be written: \(reason)."
        case .damaged(let path): "\(path) is not as it was written. Choose another --folder."
        case .noPort: "No free port was found below 32768."
        case .notStarted(let command, let code): "\(command) cannot be started (errno \(code))."
        case .ended(let name, let log, let tail): "\(name) ended; \(log) ends with:\n\(tail)"
        case .notReady(let name, let reason, let log):
            "\(name) is not ready: \(reason). Its log is \(log)."
        case .chainRefused(let answer): "The chain refused: \(answer)"
        }
    }
}
