import Contracts
import Ethereum
import Foundation
import Support
import Testing

struct ArtifactTests {
    @Test(
        arguments: [
            ("Auction", .auction), ("Courses", .courses), ("DirectSale", .directSale),
            ("Escrow", .escrow), ("Factory", .factory), ("Item", .item), ("TestToken", .testToken),
        ] as [(String, Artifact)]
    )
    func `embeds the committed artifacts`(name: String, artifact: Artifact) throws {
        let file = projectRoot.appending(path: "Sources/Contracts/Artifacts/\(name).json")
        let committed = try Artifact(json: Data(contentsOf: file))
        #expect(artifact.name == name)
        #expect(artifact.compiler == committed.compiler)
        #expect(artifact.compiler.hasPrefix("vyper "))
        #expect(artifact.interface.functions == committed.interface.functions)
        #expect(artifact.interface.events == committed.interface.events)
        #expect(artifact.bytecode == committed.bytecode)
        #expect(artifact.runtimeBytecode == committed.runtimeBytecode)
        #expect(artifact.bytecode.count > artifact.runtimeBytecode.count)
        #expect(artifact.isCode(artifact.runtimeBytecode + [1, 2]))
        #expect(!artifact.isCode([UInt8](artifact.runtimeBytecode.dropLast())))
        #expect(!artifact.interface.functions.isEmpty)
    }

    /// - From people: a keystore that is damaged, truncated or encrypted with another password →
    ///   wrong_password
    @Test(
        arguments: [
            ("{}", nil),
            (json(bytecode: "0x"), .bytecode), (json(bytecode: "0x0"), .bytecode),
            (json(bytecode: "nothing"), .bytecode),
            (json(abi: "[{\"type\":\"event\"}]"), .interface(.incomplete("a event's name"))),
        ] as [(String, ArtifactError?)]
    )
    func `says why an artifact file is invalid`(json: String, error: ArtifactError?) {
        #expect {
            try Artifact(json: [UInt8](json.utf8))
        } throws: { thrown in
            guard let thrown = thrown as? ArtifactError else { return false }
            if let error { return thrown == error }
            if case .malformed = thrown { return true }
            return false
        }
    }

    private static func json(bytecode: String = "0x00", abi: String = "[]") -> String {
        """
        {"contract": "A", "compiler": "vyper 0.4.3", "abi": \(abi),
         "bytecode": "\(bytecode)", "runtime_bytecode": "0x00"}
        """
    }
}
