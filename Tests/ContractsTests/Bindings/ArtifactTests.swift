import Contracts
import Testing

struct ArtifactTests {
    @Test func `what is embedded is what is committed`() throws {
        #expect(Artifact.item.name == "Item")
        #expect(Artifact.escrow.name == "Escrow")
        #expect(Artifact.factory.name == "Factory")
        #expect(Artifact.testToken.name == "TestToken")
        for artifact in [Artifact.item, .escrow, .factory, .testToken] {
            #expect(artifact.compiler.hasPrefix("vyper "))
            #expect(artifact.bytecode.count > artifact.runtimeBytecode.count)
            #expect(artifact.isCode(artifact.runtimeBytecode + [1, 2]))
            #expect(!artifact.isCode([UInt8](artifact.runtimeBytecode.dropLast())))
            #expect(!artifact.interface.functions.isEmpty)
        }
    }

    @Test(
        arguments: [
            ("{}", nil),
            (json(bytecode: "0x"), .bytecode), (json(bytecode: "0x0"), .bytecode),
            (json(bytecode: "nothing"), .bytecode),
            (json(abi: "[{\"type\":\"event\"}]"), .interface(.incomplete("a event's name"))),
        ] as [(String, ArtifactError?)]
    )
    func `says what is wrong with a file`(json: String, error: ArtifactError?) {
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
