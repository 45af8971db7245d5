package import Ethereum
package import Market

/// How the caller of the present call chooses its fees, for every part of the call.
package struct RequestedFees: Sendable {
    /// The choice of the call that this task serves.
    @TaskLocal package static var current = RequestedFees()

    let speed: FeeSpeed
    /// The maximum of all fees, in wei; previews show it instead of the current fee.
    let ceiling: Amount?

    package init(speed: FeeSpeed = .normal, ceiling: Amount? = nil) {
        (self.speed, self.ceiling) = (speed, ceiling)
    }
}
