import Contracts
import Keys
import Testing

struct DeployedMarketCreationTests {
    /// Source: the examples of EIP-1014, with the creation code divided into code and arguments.
    @Test(
        arguments: [
            (
                "0x0000000000000000000000000000000000000000", "00", "00", "",
                "0x4D1A2e2bB4F88F0250f26Ffff098B0b30B26BF38"
            ),
            (
                "0xdeadbeef00000000000000000000000000000000", "00", "00", "",
                "0xB928f69Bb1D91Cd65274e3c79d8986362984fDA3"
            ),
            (
                "0x00000000000000000000000000000000deadbeef",
                "00000000000000000000000000000000000000000000000000000000cafebabe", "dead", "beef",
                "0x60f3f640a8508fC6a86d45DF051962668E1e8AC7"
            ),
        ]
    )
    func `computes the same address as the factory`(
        factory: String,
        salt: String,
        code: String,
        arguments: String,
        expected: String
    ) throws {
        let zeros = String(repeating: "0", count: 64 - salt.count)
        let creation = ContractCreation(
            factory: try Address(text: factory.lowercased()),
            salt: try #require(Bytes32(hex: zeros + salt)),
            arguments: arguments.isEmpty ? [] : try #require(Hex.decode(arguments))
        )
        let address = creation.address(of: try #require(Hex.decode(code)))
        #expect(address.checksummed == expected)
    }
}
