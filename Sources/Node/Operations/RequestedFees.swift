import Contracts
import Market

/// How the caller of the present call chooses its fees, for every part of the call.
struct RequestedFees: Sendable {
    /// The choice of the call that this task serves.
    @TaskLocal static var current = RequestedFees()

    var speed = FeeSpeed.normal
    /// The maximum of all fees, in wei; previews show it in place of the present fee.
    var ceiling: Amount?
}
