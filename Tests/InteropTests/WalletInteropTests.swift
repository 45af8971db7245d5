import Ethereum
import Foundation
import Keys
import Market
import Support
import Testing

/// Records and transactions that eth-account signs for us; see wallet_sign.py.
@Suite(.timeLimit(.minutes(5)))
struct WalletInteropTests {
    private struct Signed: Decodable {
        let typedData: String
        let transaction: String
    }

    @Test func `a wallet signs the node's records and transactions`() throws {
        let key = testKey(7)
        let draft = RecordDraft(
            network: "test",
            author: key.address,
            content: .device(
                try DeviceCertificate(key: testKey(8).publicKey, name: "Åsa's \"one\"")
            ),
            slot: .zero,
            createdAt: Timestamp(milliseconds: 1_763_700_000_000)
        )
        let asked = AskedTransaction(
            Transaction(
                chain: ChainID(31_337),
                nonce: 3,
                to: testKey(9).address,
                value: Amount(small: 5),
                data: [0xD0, 0xE3],
                gasLimit: 90_000,
                pricing: .dynamic(priorityFee: Amount(small: 1), feeCap: Amount(small: 9))
            ),
            of: key.address,
            nonces: 3...3,
            feeMax: Amount(small: 810_000)
        )

        let signed = try Self.sign(
            [
                "privateKey": "0x" + String(repeating: "07", count: 32),
                "typedData": try JSONSerialization.jsonObject(with: draft.typedDataJSON),
                "transaction": [
                    "type": 2, "chainId": 31_337, "nonce": 3, "to": testKey(9).address.checksummed,
                    "value": 5, "data": "0xd0e3", "gas": 90_000, "maxFeePerGas": 9,
                    "maxPriorityFeePerGas": 1,
                ],
            ]
        )

        let bytes = try #require(Hex.decode(signed.typedData))
        let record = try draft.signed(with: try #require(Signature(wallet: bytes)))
        #expect(record.author == key.address)
        let raw = try #require(Hex.decode(signed.transaction))
        #expect(try asked.signed(raw: raw) == asked.transaction.signed(by: key))
    }

    private static func sign(_ given: [String: Any]) throws -> Signed {
        let (process, input, output) = (Process(), Pipe(), Pipe())
        process.executableURL = projectRoot.appending(path: ".venv/bin/python")
        process.arguments = [projectRoot.appending(path: "Tests/InteropTests/wallet_sign.py").path]
        process.standardInput = input
        process.standardOutput = output
        try process.run()
        try input.fileHandleForWriting.write(
            contentsOf: try JSONSerialization.data(withJSONObject: given)
        )
        try input.fileHandleForWriting.close()
        let words = try output.fileHandleForReading.readToEnd() ?? Data()
        process.waitUntilExit()
        try #require(process.terminationStatus == 0)
        return try JSONDecoder().decode(Signed.self, from: words)
    }
}
