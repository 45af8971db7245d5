import Contracts
import Gossip
import Keys
import Storage

/// Why a command that works on this machine, without a node's API, failed.
///
/// The message says what to do.
package struct StartFailure: Sendable {
    /// The kind of failure, by which a program decides what to do.
    package enum Kind: Sendable {
        case usage, configuration, locked, schema, network, refused, failed
    }

    package let kind: Kind
    package let message: String

    /// Takes the errors of starting a node, deploying contracts and running a cluster.
    ///
    /// Returns `nil` for any other error.
    package init?(_ error: any Error) {
        switch error {
        case is ConfigurationError, is DataFolderError, is DeploymentError, is ListeningPortError:
            self.init(.configuration, "\(error)")
        case let error as StorageError:
            self.init(error)
        case let error as ClusterError:
            self.init(error.kind, error.description)
        case let error as LinkError:
            self.init(error)
        case let error as EthereumError:
            self.init(.network, "\(error).")
        case PreflightError.feeAboveCeiling:
            self.init(.refused, "The price of gas is above what is usual on this chain; wait.")
        case PreflightError.feesDiffer:
            self.init(.network, "The endpoints do not agree on the price of gas. Try again.")
        case let error as DeployError:
            self.init(error)
        case is EndpointError:
            self.init(
                .usage,
                "The chain's endpoint is not a URL such as http://127.0.0.1:8545. Correct it."
            )
        default: return nil
        }
    }

    private init(_ kind: Kind, _ message: String) {
        (self.kind, self.message) = (kind, message)
    }

    private init(_ error: StorageError) {
        let kind: Kind =
            switch error {
            case .locked: .locked
            case .schemaTooNew, .schemaTooOld: .schema
            case .readOnly: .configuration
            default: .failed
            }
        self.init(kind, "\(error).")
    }

    private init(_ error: LinkError) {
        guard case .cannotListen = error else {
            self.init(.network, "The network failed: \(error).")
            return
        }
        self.init(.configuration, "\(error).")
    }

    private init(_ error: DeployError) {
        switch error {
        case .interrupted(let step):
            self.init(.failed, "The deployment stopped at '\(step)'. Run the command again.")
        case .refused(let step, let reason):
            let again = "Then run the command again; it goes on there."
            self.init(.refused, "The chain refuses the step '\(step)': \(reason). \(again)")
        case .reverted(let step), .notMade(let step):
            self.init(
                .refused,
                "The step '\(step)' failed on the chain; deploy to another --output."
            )
        case .notToken(let address):
            self.init(
                .usage,
                "There is no contract at \(address.checksummed) on this chain. Correct --token."
            )
        case .differs(let part):
            self.init(.refused, "On the chain, \(part) is not what was deployed. Check --rpc.")
        }
    }
}
