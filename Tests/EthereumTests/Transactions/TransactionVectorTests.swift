import Ethereum
import Foundation
import Keys
import Market
import Support
import Testing

/// The transaction tests of ethereum-tests, as a London chain with the id 1 validates them.
struct TransactionVectorTests {
    @Test func `judges every vector by the rules of London`() throws {
        var (accepted, refused) = (0, 0)
        for path in try paths() {
            let vector = try #require(vectorObject(path)?.values.first as? [String: Any])
            let text = try #require(vector["txbytes"] as? String)
            let bytes = try #require(Hex.decode(text))
            let verdicts = try #require(vector["result"] as? [String: Any])
            let verdict = try #require(verdicts["London"] as? [String: String])
            if let exception = verdict["exception"] {
                refused += 1
                try refuses(bytes, exception, path)
            } else {
                accepted += 1
                try accepts(bytes, verdict, path)
            }
        }
        print("transaction vectors: \(accepted) accepted, \(refused) refused")
    }

    private func accepts(_ bytes: [UInt8], _ verdict: [String: String], _ path: String) throws {
        let signed = try SignedTransaction.decode(bytes, chain: ChainID(1))
        #expect(signed.hash.hex == verdict["hash"], "\(path)")
        #expect("0x" + Hex.encode(signed.sender.bytes) == verdict["sender"], "\(path)")
        #expect(signed.encoded == bytes, "\(path)")
        let gas = try #require(verdict["intrinsicGas"])
        #expect(signed.transaction.intrinsicGas == UInt64(gas.dropFirst(2), radix: 16), "\(path)")
    }

    private func refuses(_ bytes: [UInt8], _ exception: String, _ path: String) throws {
        do {
            _ = try SignedTransaction.decode(bytes, chain: ChainID(1))
            Issue.record("\(path) is accepted, but is \(exception)")
        } catch {
            let name = String(exception.drop { $0 != "." }.dropFirst())
            #expect(agrees(error, with: name), "\(path): \(error), but is \(name)")
        }
    }

    /// Whether our reason is of the family of theirs, where the family says enough to tell.
    private func agrees(_ error: TransactionError, with name: String) -> Bool {
        switch name {
        case "INTRINSIC_GAS_TOO_LOW":
            if case .gasLimitTooLow = error { true } else { false }
        case "GASLIMIT_PRICE_PRODUCT_OVERFLOW": error == .feeOverflow
        case "PRIORITY_GREATER_THAN_MAX_FEE_PER_GAS_2": error == .priorityFeeAboveCap
        case "NONCE_OVERFLOW", "NONCE_TOO_BIG": error == .outOfRange(.nonce)
        case "GASPRICE_OVERFLOW":
            [.outOfRange(.gasPrice), .outOfRange(.feeCap)].contains(error)
        case "PRIORITY_OVERFLOW": error == .outOfRange(.priorityFee)
        case "VALUE_OVERFLOW": error == .outOfRange(.value)
        case "RLP_LEADING_ZEROS_NONCE": error == .malformed(.nonce)
        case "RLP_LEADING_ZEROS_VALUE": error == .malformed(.value)
        case "RLP_LEADING_ZEROS_R": error == .malformed(.r)
        case "RLP_LEADING_ZEROS_S": error == .malformed(.s)
        case "RLP_LEADING_ZEROS_V": error == .malformed(.recovery)
        case "RLP_INVALID_DATA": error == .malformed(.data)
        case "RLP_INVALID_NONCE": error == .malformed(.nonce)
        case "EC_RECOVERY_FAIL": error == .signature
        case "RLP_TOO_FEW_ELEMENTS": error == .fieldCount(expected: 9, found: 8)
        case "RLP_TOO_MANY_ELEMENTS": error == .fieldCount(expected: 9, found: 10)
        case _ where name.hasPrefix("RLP_INVALID_ACCESS_LIST"): error == .malformed(.accessList)
        default: true
        }
    }

    private func paths() throws -> [String] {
        guard VectorFolder.isPresent else {
            print("passed over: no vectors at \(VectorFolder.root.path)")
            return []
        }
        let root = VectorFolder.file("ethereum-tests/transactions")
        let paths = try FileManager.default.subpathsOfDirectory(atPath: root.path)
        return paths.filter { $0.hasSuffix(".json") }.sorted()
            .map { "ethereum-tests/transactions/" + $0 }
    }
}
