package import Ethereum
package import Foundation
import Keys

/// A compiled contract that is embedded in the program: interface and bytecode.
///
/// Source: Scripts/compile-contracts, which writes the files in Sources/Contracts/Artifacts and
/// ``EmbeddedArtifacts``.
package struct Artifact: Sendable {
    package static let item = embedded(EmbeddedArtifacts.item)
    /// An ERC-20 token for tests and local chains.
    package static let testToken = embedded(EmbeddedArtifacts.testToken)

    package let name: String
    /// The compiler and its version, such as `vyper 0.4.3`.
    package let compiler: String
    package let interface: ContractInterface
    /// Creation code, without the constructor's arguments.
    package let bytecode: [UInt8]
    /// The deployed contract's code, without its immutables, which Vyper appends.
    package let runtimeBytecode: [UInt8]

    /// Parses an artifact file.
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

    /// Encodes the data of a transaction that deploys the contract.
    ///
    /// - Throws: ``ABIError`` if the arguments do not match the constructor.
    package func creation(_ arguments: [ABIValue]) throws(ABIError) -> [UInt8] {
        try interface.creation(bytecode: bytecode, arguments)
    }

    /// Encodes the constructor's arguments, which follow the creation code.
    ///
    /// - Throws: ``ABIError`` if they do not match the constructor.
    package func arguments(_ arguments: [ABIValue]) throws(ABIError) -> [UInt8] {
        try interface.creation(bytecode: [], arguments)
    }

    /// Returns whether `code`, as read from a chain, is this contract with any immutables.
    package func isCode(_ code: [UInt8]) -> Bool { code.starts(with: runtimeBytecode) }

    static func embedded(_ json: String) -> Artifact {
        do {
            return try Artifact(json: [UInt8](json.utf8))
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

/// Why a file is not an artifact; run Scripts/compile-contracts to write it again.
package enum ArtifactError: Error, Equatable, Sendable {
    case malformed(String)
    case bytecode
    case interface(ContractInterfaceError)
}
