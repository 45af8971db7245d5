package import Ethereum
package import Keys
package import Market

/// An ERC-20 token that anyone may mint, for development chains.
///
/// Source: Sources/Contracts/Vyper/TestToken.vy.
package struct TestTokenContract: Hashable, Sendable {
    private static let mint = Artifact.testToken.interface.known("mint")

    package let address: Address

    package init(address: Address) {
        self.address = address
    }

    /// Encodes the data of a transaction that deploys the contract.
    static func creation(name: String, symbol: String, decimals: UInt8) -> [UInt8] {
        written {
            try Artifact.testToken.creation([
                .string(name), .string(symbol), .small(UInt64(decimals)),
            ])
        }
    }

    package func mint(_ amount: Amount, to receiver: Address) -> ContractCall {
        ContractCall(to: address, Self.mint, [.address(receiver), .amount(amount)])
    }
}
