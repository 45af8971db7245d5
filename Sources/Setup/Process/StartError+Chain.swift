package import Contracts
package import Ethereum
import Keys

extension EthereumError: StartError {
    package var startFailure: StartFailure? { StartFailure(.network, "\(self).") }
}

extension EndpointError: StartError {
    package var startFailure: StartFailure? {
        StartFailure(
            .usage,
            "The chain's endpoint is not a URL such as http://127.0.0.1:8545. Correct it."
        )
    }
}

extension PreflightError: StartError {
    package var startFailure: StartFailure? {
        switch self {
        case .feeAboveCeiling:
            StartFailure(
                .refused,
                "The gas price is above the usual level on this chain. Wait, then run the command "
                    + "again."
            )
        case .feesDiffer:
            StartFailure(.network, "The endpoints do not agree on the gas price. Try again.")
        case .feeOfOne, .gasDiffers, .notRun, .refusedByOne:
            StartFailure(.network, "Nothing is signed: \(self).")
        default: nil
        }
    }
}

extension DeployError: StartError {
    package var startFailure: StartFailure? {
        switch self {
        case .interrupted(let step):
            StartFailure(.failed, "The deployment stopped at '\(step)'. Run the command again.")
        case .refused(let step, let reason):
            StartFailure(
                .refused,
                "The chain refuses the step '\(step)': \(reason). Remove the cause and run the "
                    + "command again; it continues from this step."
            )
        case .notTaken(let step, let reason):
            StartFailure(
                .refused,
                "No endpoint accepts the signed step '\(step)': \(reason). Remove the cause, such "
                    + "as a node's cap on fees (--rpc.txfeecap of go-ethereum), name another "
                    + "--rpc, or give a --tip-floor-gwei that the pool accepts. Then run the "
                    + "command again; it continues from this step."
            )
        case .keyUsedElsewhere(let step):
            StartFailure(
                .refused,
                "Another program has used the key: its transaction has the nonce of the step "
                    + "'\(step)'. If you know of it, run the command again with "
                    + "--key-used-elsewhere."
            )
        case .nonceAwaited(let step, let nonce):
            StartFailure(
                .refused,
                "Another program's transaction of this account waits with the nonce \(nonce), "
                    + "which the step '\(step)' needs. Run the command again once that transaction "
                    + "is mined, or with --key-used-elsewhere to replace it; only one of the two "
                    + "is then mined."
            )
        case .nonceUnconfirmed(let step, let nonce):
            StartFailure(
                .refused,
                "Only one endpoint answers, and it says that the account's next nonce is \(nonce), "
                    + "which the step '\(step)' needs. Run the command again once another one "
                    + "answers, or with --key-used-elsewhere to believe it."
            )
        case .reverted(let step), .notMade(let step):
            StartFailure(
                .refused,
                "The step '\(step)' failed on the chain; deploy to another --output."
            )
        case .notToken(let address):
            StartFailure(
                .usage,
                "There is no contract at \(address.checksummed) on this chain. Correct --token."
            )
        case .differs(let part):
            StartFailure(.refused, "On the chain, \(part) is not what was deployed. Check --rpc.")
        }
    }
}
