package import Foundation
import Keys

/// A compiled contract as it is embedded in the program: interface and bytecode.
///
/// Source: Scripts/compile-contracts, which writes the files in Sources/Contracts/Artifacts.
package struct Artifact: Sendable {
    package static let item = embedded(PackageResources.Item_json)
    package static let escrow = embedded(PackageResources.Escrow_json)
    /// An ERC-20 token for tests and local chains.
    package static let testToken = embedded(PackageResources.TestToken_json)

    package let name: String
    /// Such as `vyper 0.4.3`.
    package let compiler: String
    package let interface: ContractInterface
    /// Creation code, without the constructor's arguments.
    package let bytecode: [UInt8]
    /// The code of the contract as deployed, before its immutables, which Vyper puts behind it.
    package let runtimeBytecode: [UInt8]

    /// Reads one artifact file.
    package init(json: some DataProtocol) throws(ArtifactError) {
        let document: Document
        do {
            document = try JSONDecoder().decode(Document.self, from: Data(json))
        } catch {
            throw .malformed(String(describing: error))
        }
        guard let bytecode = Hex.decode(document.bytecode), !bytecode.isEmpty,
            let runtimeBytecode = Hex.decode(document.runtimeBytecode), !runtimeBytecode.isEmpty
        else { throw .bytecode }
        do {
            interface = try ContractInterface(entries: document.abi)
        } catch {
            throw .interface(error)
        }
        (name, compiler) = (document.contract, document.compiler)
        (self.bytecode, self.runtimeBytecode) = (bytecode, runtimeBytecode)
    }

    /// Writes what is sent to make a new contract.
    ///
    /// - Throws: ``ABIError`` if the arguments are not the constructor's.
    package func creation(_ arguments: [ABIValue]) throws(ABIError) -> [UInt8] {
        try interface.creation(bytecode: bytecode, arguments)
    }

    /// Whether `code`, as a chain gives it, is this contract, whatever its immutables.
    package func isCode(_ code: [UInt8]) -> Bool { code.starts(with: runtimeBytecode) }

    private static func embedded(_ json: [UInt8]) -> Artifact {
        do {
            return try Artifact(json: json)
        } catch {
            preconditionFailure("an artifact was committed that is none: \(error)")
        }
    }

    private struct Document: Decodable {
        let contract: String
        let compiler: String
        let abi: [InterfaceEntry]
        let bytecode: String
        let runtimeBytecode: String

        private enum CodingKeys: String, CodingKey {
            case contract, compiler, abi, bytecode
            case runtimeBytecode = "runtime_bytecode"
        }
    }
}

/// Why a file is not an artifact; run Scripts/compile-contracts to make it anew.
package enum ArtifactError: Error, Equatable, Sendable {
    case malformed(String)
    case bytecode
    case interface(ContractInterfaceError)
}
