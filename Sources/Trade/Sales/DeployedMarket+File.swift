package import Contracts
import Foundation
import Keys
package import Market

extension DeployedMarket {
    /// The form of the file; a program reads only files of the form that it writes.
    private static let form = 4

    /// Reads the file that the setting `chain.deployment` names.
    ///
    /// Of a contract whose kind this program does not know only kind and address are read, so that
    /// a newer program's file can be used: its other contracts work, and that one is left alone.
    ///
    /// - Parameters:
    ///   - path: The path of the file.
    ///   - chain: The chain that the node is configured for; `nil` takes the file's own.
    ///   - kinds: The kinds of sale that the node knows.
    /// - Throws: ``DeploymentError``, which states the next step.
    package init(
        file path: String,
        chain: ChainID?,
        kinds: SaleKinds = .standard
    ) throws(DeploymentError) {
        guard let data = FileManager.default.contents(atPath: path) else {
            throw .missing(path: path)
        }
        let document: MarketDocument
        do {
            let form = try JSONDecoder().decode(Form.self, from: data).form ?? 1
            guard form == Self.form else {
                throw DeploymentError.otherForm(path: path, isNewer: form > Self.form)
            }
            document = try JSONDecoder().decode(MarketDocument.self, from: data)
        } catch let error as DeploymentError {
            throw error
        } catch {
            throw .malformed(path: path, reason: Self.reason(of: error))
        }
        if let chain, document.chain != chain.number {
            throw .otherChain(path: path, found: ChainID(document.chain), configured: chain)
        }
        do {
            self = try document.market(kinds)
        } catch let fault as MarketDocument.Fault {
            throw .malformed(path: path, reason: fault.reason)
        } catch {
            throw .malformed(path: path, reason: Self.reason(of: error))
        }
    }

    /// The names and addresses of the contracts, for people; the item's first.
    package var contractNames: [(name: String, address: String)] {
        [("item", item.address.checksummed)]
            + contracts.map { ($0.kind.rawValue, $0.address.checksummed) }
    }

    /// The text of the file.
    package var json: [UInt8] {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys]
        do {
            return [UInt8](try encoder.encode(MarketDocument(self, form: Self.form))) + [
                UInt8(ascii: "\n")
            ]
        } catch {
            preconditionFailure("texts and numbers always encode: \(error)")
        }
    }

    private static func reason(of error: any Error) -> String {
        switch error {
        case DecodingError.keyNotFound(let key, let context):
            "'\(name(context.codingPath + [key]))' is missing"
        case DecodingError.typeMismatch(_, let context),
            DecodingError.valueNotFound(_, let context):
            "'\(name(context.codingPath))' has another type"
        default: "it is not JSON"
        }
    }

    private static func name(_ path: [any CodingKey]) -> String {
        path.map { $0.intValue.map { "\($0 + 1)" } ?? $0.stringValue }.joined(separator: ".")
    }

    /// The file's form, which every version's file can be asked for.
    private struct Form: Decodable {
        let form: Int?
    }
}
