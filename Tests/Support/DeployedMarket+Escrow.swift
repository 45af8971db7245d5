package import Contracts
package import Keys
package import Market

extension DeployedMarket {
    /// A market with one escrow contract, whose addresses prove nothing.
    package init(
        chain: ChainID,
        item: Address,
        escrow: Address,
        firstBlock: UInt64,
        fees: MarketFees,
        tokens: [Address]
    ) {
        let creation = ContractCreation(factory: .zero, salt: .zero, arguments: [])
        func location(_ address: Address) -> Location {
            Location(address: address, firstBlock: firstBlock, creation: creation)
        }
        self.init(
            chain: chain,
            item: location(item),
            contracts: [
                Contract(
                    kind: .escrow,
                    location: location(escrow),
                    fees: fees,
                    tokens: tokens
                )
            ],
            tokens: tokens.map { Token(address: $0) }
        )
    }

    /// The escrow contract, which every market of the tests has.
    package var escrowContract: Contract {
        guard let contract = contract(for: .escrow) else {
            preconditionFailure("a market without an escrow contract")
        }
        return contract
    }

    package var escrow: Address { escrowContract.address }
    package var contract: ContractReference { reference(to: escrowContract) }
}
