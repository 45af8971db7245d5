package import Keys

/// The id of a sale within one contract.
///
/// It is known before the sale is mined.
package struct SaleID: Hashable, Comparable, Sendable {
    package let hash: Bytes32

    package init(_ hash: Bytes32) {
        self.hash = hash
    }

    package static func < (left: SaleID, right: SaleID) -> Bool { left.hash < right.hash }
}

extension SaleID: CustomStringConvertible {
    package var description: String { hash.hex }
}

/// A contract on a chain.
package struct ContractReference: Hashable, Sendable {
    package let chain: ChainID
    package let address: Address

    package init(chain: ChainID, address: Address) {
        (self.chain, self.address) = (chain, address)
    }
}

/// A sale of any contract on any chain.
package struct SaleReference: Hashable, Sendable {
    package let contract: ContractReference
    package let id: SaleID

    package init(contract: ContractReference, id: SaleID) {
        (self.contract, self.id) = (contract, id)
    }
}
