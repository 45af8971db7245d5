package import Ethereum
package import Keys

extension Artifact {
    package static let factory = embedded(EmbeddedArtifacts.factory)
}

/// A contract that deploys others by CREATE2, at addresses that prove their creation code.
///
/// It has no owner and no state, and anyone can use it.
///
/// Source: Sources/Contracts/Vyper/Factory.vy; Docs/contracts.md, section 1.
package struct FactoryContract: Hashable, Sendable {
    private static let create = Artifact.factory.interface.known("create")

    package let address: Address

    package init(address: Address) {
        self.address = address
    }

    /// The data of a transaction that deploys the factory itself.
    package static var creation: [UInt8] { Artifact.factory.bytecode }

    /// Deploys a contract; the factory refuses if it exists already, or leaves no code.
    ///
    /// - Parameters:
    ///   - salt: Distinguishes contracts of the same code.
    ///   - code: Creation code, followed by the arguments.
    /// - Returns: The call. The contract's address is ``ContractCreation/address(of:)``.
    package func create(salt: Bytes32, code: [UInt8]) -> ContractCall {
        ContractCall(to: address, Self.create, [.bytes32(salt), .bytes(code)])
    }
}
