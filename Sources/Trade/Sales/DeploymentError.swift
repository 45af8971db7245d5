package import Contracts
package import Market
package import Setup

/// Why a deployment file cannot be used.
package enum DeploymentError: Error, Equatable, Sendable {
    case missing(path: String)
    case malformed(path: String, reason: String)
    case otherChain(path: String, found: ChainID, configured: ChainID)
    /// A contract's address does not prove the file's statement about it.
    case notGenuine(path: String, difference: MarketDifference)
    /// The file is of an older or a newer version of this program.
    case otherForm(path: String, isNewer: Bool)
}

extension DeploymentError: CustomStringConvertible, StartError {
    package var startFailure: StartFailure? { StartFailure(.configuration, description) }

    package var description: String {
        switch self {
        case .missing(let path):
            """
            chain.deployment names '\(path)', which cannot be read. Run 'stoa chain deploy', or \
            correct the path.
            """
        case .malformed(let path, let reason):
            "\(path) is not a deployment file: \(reason). Write it again with 'stoa chain deploy'."
        case .notGenuine(let path, let difference):
            """
            \(path) does not describe a genuine market of this version: \(difference.description). Do not use that market: ask the person who deployed yours \
            for a current file, or install the version of stoa that deployed it.
            """
        case .otherForm(let path, true):
            "\(path) was written by a newer version of stoa. Install that version to use this market."
        case .otherForm(let path, false):
            """
            \(path) was written by an earlier version of stoa, whose market this version cannot \
            use. Deploy a new one with 'stoa chain deploy', or ask the person who deployed yours for a \
            current file.
            """
        case .otherChain(let path, let found, let configured):
            """
            \(path) is for chain \(found), but the settings name it for chain \(configured). Correct \
            the id (chain.id, or that of the entry in chains), or name the deployment of chain \
            \(configured).
            """
        }
    }
}
