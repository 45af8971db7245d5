package import Contracts
package import Keys
package import Market

extension DeployedMarket {
    /// A market with one escrow contract, whose addresses prove nothing.
    package init(
        chain: ChainID = ChainID(31_337),
        item: Address = testKey(21).address,
        escrow: Address = testKey(20).address,
        firstBlock: UInt64 = 1,
        fees: MarketFees = .points(200, 200),
        tokens: [Address] = []
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

    /// Returns the market with another contract, which has the escrow contract's fees and tokens.
    package func with(
        _ kind: SaleKind,
        at address: Address,
        firstBlock: UInt64 = 1
    ) -> DeployedMarket {
        let contract = Contract(
            kind: kind,
            location: Location(
                address: address,
                firstBlock: firstBlock,
                creation: item.creation
            ),
            fees: escrowContract.fees,
            tokens: escrowContract.tokens
        )
        return DeployedMarket(
            chain: chain,
            item: item,
            contracts: contracts + [contract],
            tokens: tokens
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

extension MarketFees {
    /// Fees in basis points.
    package static func points(
        _ platformBasisPoints: UInt64,
        _ makerBasisPoints: UInt64,
        to platform: Address = testKey(3).address
    ) -> MarketFees {
        let fees = MarketFees(
            platformBasisPoints: platformBasisPoints,
            makerBasisPoints: makerBasisPoints,
            platform: platform
        )
        guard let fees else { preconditionFailure("fees beyond the contracts' limits") }
        return fees
    }
}
