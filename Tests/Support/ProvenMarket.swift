package import Contracts
package import Keys
import Market

extension DeployedMarket {
    /// A market whose addresses are those at which a factory makes its contracts; on no chain.
    package static func proven(tokens: [Address] = []) throws -> DeployedMarket {
        let fees = MarketFees.points(200, 200)
        let item = Location.made(
            of: .item,
            arguments: ItemContract.arguments(makerBasisPoints: fees.makerBasisPoints)
        )
        let arguments = EscrowContract.arguments(item: item.address, fees: fees, tokens: tokens)
        let escrow = Contract(
            kind: .escrow,
            location: .made(of: .escrow, arguments: arguments),
            fees: fees,
            tokens: tokens
        )
        return DeployedMarket(
            chain: ChainID(31_337),
            item: item,
            contracts: [escrow],
            tokens: tokens.map { Token(address: $0) }
        )
    }
}

extension DeployedMarket.Location {
    /// Where a factory makes a contract.
    package static func made(of artifact: Artifact, arguments: [UInt8]) -> DeployedMarket.Location {
        let creation = ContractCreation(
            factory: testKey(9).address,
            salt: Bytes32(repeating: 5),
            arguments: arguments
        )
        return DeployedMarket.Location(
            address: creation.address(of: artifact.bytecode),
            firstBlock: 7,
            creation: creation
        )
    }
}
