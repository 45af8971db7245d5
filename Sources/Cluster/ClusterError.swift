import Foundation
package import Setup

/// Why a local cluster could not do the requested action.
package enum ClusterError: Error, Equatable, Sendable {
    /// There is no cluster in this folder.
    case none(folder: String)
    /// A cluster must have 1 to `max` nodes.
    case badSize(max: Int)
    /// No node of the cluster has this number.
    case noNode(Int, nodes: Int)
    /// There is neither a chain to join nor a command that starts one.
    case noChain
    case badKeyFile(path: String, reason: String)
    /// A text for an endpoint's header is not a header, or does not name its endpoint.
    case badHeaders
    /// A fee above the contracts' limit.
    case badFees
    case badConfirmations
    /// Not a token's address, or one too many.
    case badToken(String, max: Int)
    /// Neither an address nor the name of an account on a node that runs.
    case badAddress(String)
    /// Several nodes have an account of this name.
    case ambiguousName(String, addresses: [String])
    case badEther
    case badTokenUnits
    /// The market accepts no token of play money.
    case noTestToken(folder: String)
    /// The command that starts a chain is empty.
    case badChainCommand
    /// The folder's market is on another chain.
    case otherChain(folder: String, endpoint: String)
    /// Contracts of an unfinished market were signed on another chain or by another key.
    case begunElsewhere(folder: String, endpoint: String)
    /// The chain's endpoint does not answer.
    case chainAway(endpoint: String, reason: String)
    /// The chain makes no block on its own, so nothing on it would ever become final.
    case noBlocks(endpoint: String, patience: Duration)
    case notWritable(path: String, reason: String)
    /// The output file exists and is not an earlier result of the same run.
    case exists(path: String)
    /// A file of the cluster has been changed or damaged.
    case damaged(path: String)
    /// A file or folder of the cluster is another user's, or others can write it.
    case notOwn(path: String, reason: String)
    /// A node of the cluster is run by another program than this one.
    case otherProgram(process: Int32, path: String)
    /// The chain does not run, and the caller does not say what starts it.
    case chainStopped(folder: String)
    /// No free port was found.
    case noPort
    case notStarted(command: String, code: Int32)
    /// A process ended before it was ready; `tail` is the end of its log.
    case ended(name: String, log: String, tail: String)
    case notReady(name: String, reason: String, log: String)
    /// The chain's endpoint refused a call.
    case chainRefused(String)
}

extension ClusterError: StartError {
    package var startFailure: StartFailure? { StartFailure(kind, description) }

    /// The kind of failure, from which a program decides its next step.
    private var kind: StartFailure.Kind {
        switch self {
        case .none, .notWritable, .exists, .damaged, .notOwn, .otherProgram: .configuration
        case .badSize, .noNode, .noChain, .badKeyFile, .badHeaders, .badFees, .badConfirmations,
            .badToken, .badAddress, .ambiguousName, .badEther, .badTokenUnits, .noTestToken,
            .badChainCommand,
            .otherChain, .begunElsewhere, .chainStopped:
            .usage
        case .noPort, .notStarted, .ended: .failed
        case .notReady, .chainRefused, .chainAway, .noBlocks: .network
        }
    }
}

extension ClusterError: CustomStringConvertible {
    package var description: String {
        switch self {
        case .none(let folder):
            "There is no cluster in \(folder). Name its folder with --folder, or start one with 'stoa "
                + "cluster up'."
        case .badSize(let max): "A local cluster must have 1 to \(max) nodes."
        case .noNode(let number, let nodes): "There is no node \(number), only 1 to \(nodes)."
        case .noChain:
            "There is no chain. Go to the folder of Stoa's sources, where Scripts/setup has run, and "
                + "repeat the command there with --folder; or give --rpc, or --chain-command to "
                + "start one."
        case .badKeyFile(let path, let reason): "\(path): \(reason)."
        case .badHeaders: "The file of --rpc-headers-file must hold \(EndpointHeaders.form)."
        case .badFees:
            "The platform can take at most 5% (500 basis points) of a sale, the maker at most 10%."
        case .notWritable(let path, let reason):
            "\(path) cannot be written: \(reason). "
                + (FullDisk.advice(reason) ?? "Correct its permissions, or choose another folder.")
        case .exists(let path):
            "\(path) exists already and is not the result of this deployment. Nothing was signed or "
                + "overwritten; name another file with --output."
        case .damaged(let path): "\(path) has been changed or damaged. Choose another --folder."
        case .notOwn(let path, let reason):
            "\(path) is not used: \(reason). A cluster's files must belong to this user."
        case .otherProgram(let process, let path):
            "Process \(process) runs a node of this cluster with another program (\(path)). Stop "
                + "it with that program first."
        case .chainStopped(let folder):
            "The chain of \(folder) is not running. Repeat the command in the folder of Stoa's "
                + "sources, which start it, or give --chain-command with what does."
        case .badToken(let text, let max):
            "\(text.quoted) is not a new token's address: give each token's address once, copied "
                + "with its capital letters, and at most \(max)."
        case .badConfirmations: "A step can be final after 1 to 64 blocks."
        case .badAddress(let text):
            "\(text.quoted) is neither an address (0x and 40 digits, copied with their "
                + "capital letters) nor the name of an account on a node that runs."
        case .ambiguousName(let name, let addresses):
            "Several nodes have an account \(name.quoted): \(addresses.joined(separator: ", ")). "
                + "Give an address."
        case .badEther: "The faucet gives 1 to 1000000 ether."
        case .badTokenUnits: "The faucet gives 1 to 1000000 units of the test token."
        case .noTestToken(let folder):
            "The market in \(folder) has no test token. Create one that has it with 'stoa cluster "
                + "up --test-token' in another --folder."
        case .badChainCommand: "--chain-command is empty: name the program that starts a chain."
        case .otherChain(let folder, let endpoint):
            "The market in \(folder) is on the chain at \(endpoint). Leave out --rpc, or give "
                + "another --folder."
        case .begunElsewhere(let folder, let endpoint):
            "The market in \(folder) was begun on the chain at \(endpoint) and is partly paid for. "
                + "Finish it with the --rpc and --key-file of that run, or give another --folder."
        case .noBlocks(let endpoint, let patience):
            "The chain at \(endpoint) made no block in \(patience.components.seconds) seconds: it "
                + "seems to mine only when it gets a transaction, so nothing on it becomes final. "
                + "Start it with a block time, such as 'anvil --block-time 1'."
        case .chainAway(let endpoint, let reason):
            "The chain at \(endpoint) does not answer (\(reason)). Start it with 'stoa cluster up'."
        case .noPort: "No free port was found below 32768."
        case .notStarted(let command, let code):
            unsafe "\(command) cannot be started: \(String(cString: strerror(code))). Correct "
                + "--chain-command."
        case .ended(let name, let log, ""): "\(name) ended; its log \(log) is empty."
        case .ended(let name, let log, let tail): "\(name) ended; \(log) ends with:\n\(tail)"
        case .notReady(let name, let reason, let log):
            "\(name) is not ready: \(reason). Its log is \(log)."
        case .chainRefused(let answer): "The chain refused: \(answer)."
        }
    }
}
