import Answers
package import Client
import Ethereum
import Foundation
package import Keys
import Market

/// An operation that an account asks for, under the caller's name for it: the same again is the
/// same operation.
package struct OperationRequest: Sendable {
    package let kind: Client.Operation.Kind
    let call: KeyedCall
    /// The hash of the request, without its key and fee.
    let content: Bytes32
    /// The maximum fees, in wei, as the caller wrote them.
    private(set) var feeMax: String?
    /// Whether one endpoint's answer is enough while no second one answers.
    var acceptsOneSource = false
    /// Whether a person asks for it; `false` for what the node does by itself.
    private(set) var isByOwner = true

    package var account: Address { call.account }

    /// Whether it is refused while the store has little room: it neither moves a sale nor ends one.
    var isAddition: Bool {
        switch kind {
        case .withdraw, .move, .collect: false
        case .list, .edit, .buy, .bid, .arbitrate, .send, .other: true
        }
    }

    /// - Parameters:
    ///   - kind: The action.
    ///   - request: The full request.
    ///   - account: Who asks.
    ///   - key: The caller's name for it.
    ///   - feeMax: The maximum fees, in wei, as the caller wrote them.
    /// - Throws: `EncodingError`.
    package init(
        _ kind: Client.Operation.Kind,
        _ request: some Encodable,
        by account: Address,
        key: String,
        feeMax: String? = nil
    ) throws {
        let fee = feeMax.map { [UInt8](" feeMax ".utf8) + [UInt8]($0.utf8) } ?? []
        let asked = [UInt8](kind.rawValue.utf8) + [0] + (try WireCoding.encoder().encode(request))
        let speed = RequestedFees.current.speed
        let pace = speed == .normal ? [] : [UInt8](" feeSpeed ".utf8) + [speed.rawValue]
        let hash = Keccak256.hash(asked + fee + pace)
        (self.kind, self.feeMax) = (kind, feeMax)
        content = Keccak256.hash(asked + account.bytes)
        call = KeyedCall(key, by: account, asking: hash)
    }

    /// Returns the request as the node's own, with a limit of its fees that the node sets, in wei:
    /// it is not part of what is asked.
    func limited(to feeMax: Amount?) -> Self {
        var limited = self
        if let feeMax { (limited.feeMax, limited.isByOwner) = (feeMax.decimal, false) }
        return limited
    }
}
