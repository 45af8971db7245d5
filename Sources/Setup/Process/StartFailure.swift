/// Why a command that works on this machine, without a node's API, failed.
///
/// The message states the next step.
package struct StartFailure: Sendable {
    /// The kind of failure, from which a program decides its next step.
    package enum Kind: Sendable {
        case usage, configuration, locked, schema, network, refused, failed
    }

    package let kind: Kind
    package let message: String

    package init(_ kind: Kind, _ message: String) {
        (self.kind, self.message) = (kind, message)
    }

    /// Takes an error of starting a node, deploying contracts or running a cluster.
    ///
    /// Returns `nil` for any other error.
    package init?(_ error: any Error) {
        guard let failure = (error as? any StartError)?.startFailure else { return nil }
        self = failure
    }
}

/// An error that can end such a command, and describes itself.
package protocol StartError: Error {
    /// The command's report; `nil` if the error does not belong to a command.
    var startFailure: StartFailure? { get }
}
