import Ethereum
package import Foundation
package import Keys
import Market

/// A file from which a wallet learns to show calls or signed data in words.
///
/// Source: ERC-7730, version 2.0.0.
package struct ClearSigningDescriptor: Sendable {
    /// The file's name, such as `Item.json`.
    package let name: String
    private let document: ClearSigningDocument

    /// The text of the file.
    package var json: Data {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
        do {
            return try encoder.encode(document)
        } catch {
            preconditionFailure("texts and addresses can be encoded: \(error)")
        }
    }

    /// Describes the calls of one contract.
    ///
    /// - Parameters:
    ///   - artifact: The contract's interface.
    ///   - address: Where it is.
    ///   - texts: The words; a call without any is left out, and the wallet shows it as unknown.
    ///   - market: The market that it belongs to.
    package init(
        _ artifact: Artifact,
        at address: Address,
        texts: ClearSigningTexts,
        in market: DeployedMarket
    ) {
        name = artifact.name + ".json"
        var formats: [String: ClearSigningDocument.Call] = [:]
        for call in texts.calls {
            let function = artifact.interface.known(call.function)
            formats[function.fragment] = ClearSigningDocument.Call(call, of: function, texts.fields)
        }
        document = ClearSigningDocument(
            context: .contract(
                name: "Stoa " + artifact.name,
                chain: market.chain.number,
                address: address
            ),
            metadata: ClearSigningDocument.Metadata(
                contractName: "Stoa " + artifact.name,
                constants: ["item": market.item.address.checksummed]
            ),
            formats: formats
        )
    }

    /// Describes the typed data of records, such as listings and reviews, and of accounts that sign
    /// elsewhere.
    package static let records = ClearSigningDescriptor(
        name: "Record.json",
        document: ClearSigningDocument(
            context: .typedData(
                domainName: RecordDigest.domainName,
                version: RecordDigest.domainVersion
            ),
            metadata: ClearSigningDocument.Metadata(
                contractName: "Stoa",
                enums: ["kind": recordKinds]
            ),
            formats: [RecordDigest.type: .record, AccountProof.type: .account]
        )
    )

    private static let recordKinds = Dictionary(
        uniqueKeysWithValues: RecordKind.allCases.map { (String($0.rawValue), "\($0)") }
    )

    private init(name: String, document: ClearSigningDocument) {
        (self.name, self.document) = (name, document)
    }
}

extension DeployedMarket {
    /// The descriptors of all contracts of the market that this program knows, and of records.
    ///
    /// If a market has several contracts of a kind, it is the one in which new sales begin.
    ///
    /// - Parameter contracts: The kinds that the program knows.
    /// - Returns: One for each contract, the item's first; the last describes records.
    package func clearSigning(_ contracts: SaleContracts) -> [ClearSigningDescriptor] {
        let item = ClearSigningDescriptor(
            .item,
            at: item.address,
            texts: ItemContract.clearSigning,
            in: self
        )
        let sales = contracts.types.compactMap { type in
            contract(for: type.kind).map {
                ClearSigningDescriptor(
                    type.artifact,
                    at: $0.address,
                    texts: type.clearSigning,
                    in: self
                )
            }
        }
        return [item] + sales + [.records]
    }
}
