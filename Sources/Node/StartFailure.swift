import Contracts
import Foundation
import Gossip
import NIOCore
import Storage

/// Why a command that works on this machine, without a node's API, did not go through; in words
/// that say what to do.
package struct StartFailure: Sendable {
    /// What a program can do about it.
    package enum Kind: Sendable {
        case configuration, locked, schemaTooNew, network, refused, failed
    }

    package let kind: Kind
    package let message: String

    /// Takes the errors that starting a node, deploying contracts and keeping a cluster throw;
    /// `nil` for any other.
    package init?(_ error: any Error) {
        switch error {
        case is ConfigurationError, is DataFolderError, is DeploymentError:
            self.init(.configuration, "\(error)")
        case let error as StorageError:
            self.init(error)
        case let error as ClusterError:
            self.init(error.kind, error.description)
        case let error as LinkError:
            self.init(error)
        case let error as EthereumError:
            self.init(.network, "\(error)")
        case let error as DeployError:
            self.init(error)
        case let error as EndpointError:
            self.init(.configuration, "The chain's endpoint is no http or https URL: \(error).")
        case let error as IOError where error.errnoCode == EADDRINUSE:
            self.init(
                .configuration,
                "A port is in use by another program. Choose others with api.port and health.port."
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
            case .schemaTooNew: .schemaTooNew
            default: .failed
            }
        self.init(kind, "\(error)")
    }

    private init(_ error: LinkError) {
        guard case .cannotListen(let address, let reason) = error else {
            self.init(.network, "The network failed: \(error).")
            return
        }
        self.init(
            .configuration,
            "\(address) cannot be listened on (\(reason)). Choose another address with 'listen', "
                + "or end the program that holds the port."
        )
    }

    private init(_ error: DeployError) {
        switch error {
        case .interrupted(let step):
            self.init(.failed, "The deployment stopped at '\(step)'. Run the command again.")
        case .refused(let step, let reason):
            self.init(.refused, "The chain refuses the step '\(step)': \(reason).")
        case .reverted(let step), .notMade(let step):
            self.init(.refused, "The step '\(step)' failed on the chain; deploy with another salt.")
        case .differs(let part):
            self.init(.refused, "On the chain, \(part) is not what was deployed: a wrong endpoint?")
        }
    }
}
