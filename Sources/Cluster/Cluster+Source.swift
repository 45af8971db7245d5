import Ethereum
import Foundation
import Keys
import Market
import Storage
import Trade

extension Cluster.ChainSource {
    /// Checks a person's input before anything is written.
    func check() throws {
        switch self {
        case .command(let command):
            guard command.first?.isEmpty == false else { throw ClusterError.badChainCommand }
        case .endpoint(let endpoint, _, let keyFile):
            _ = try Endpoint(url: endpoint)
            _ = try SecretKeyFile(path: keyFile).key()
        }
    }
}

extension Cluster {
    /// Returns whether the plan is for this chain.
    ///
    /// A plan that led to no market, because the input was wrong, is replaced by another.
    ///
    /// - Throws: ``ClusterError/otherChain(folder:endpoint:)`` if there is a market on another
    ///   chain.
    func fits(_ source: ChainSource?) throws -> Bool {
        guard let source else { return true }
        switch source {
        case .command(let command):
            return isDeployed || plan.chain.command?.starts(with: command) == true
        case .endpoint(let endpoint, let chain, let keyFile):
            let isSame = plan.chain.endpoint == endpoint && plan.chain.id == chain
            guard !isDeployed || isSame else {
                throw ClusterError.otherChain(folder: folder, endpoint: plan.chain.endpoint)
            }
            return isDeployed
                || (isSame && ClusterFile.isSame(keyFile, deployerFile))
        }
    }

    /// Whether a market is deployed, which keeps the cluster on its chain.
    var isDeployed: Bool { FileManager.default.fileExists(atPath: deploymentFile) }

    /// Whether transactions of an unfinished market were signed on somebody else's chain.
    ///
    /// They may have been paid for, and only their journal shows that to the next run. A journal
    /// that cannot be read counts as yes.
    var hasSignedForMarket: Bool {
        get async {
            guard plan.chain.command == nil, FileManager.default.fileExists(atPath: journalFolder)
            else { return false }
            do {
                let deployer = try SecretKeyFile(path: deployerFile).key().address
                let journal = LMDBTransactionJournal(store: try Store(folder: journalFolder))
                let chain = ChainID(plan.chain.id)
                return try await journal.entries(account: deployer, chain: chain).contains {
                    if case .signed = $0.event { true } else { false }
                }
            } catch {
                return true
            }
        }
    }

    private var journalFolder: String { deploymentFile + ".journal" }

    /// Stops the processes of a market that was never deployed, and removes its files.
    ///
    /// Logs stay.
    func forget() async throws {
        try await down()
        let files = [Self.planFile(folder), deployerFile, journalFolder]
        for file in files {
            // A file that is missing need not be removed.
            try? FileManager.default.removeItem(atPath: file)
        }
    }
}
