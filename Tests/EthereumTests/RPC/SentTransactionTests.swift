import Ethereum
import Foundation
import Keys
import Market
import Support
import Testing

@Suite(.timeLimit(.minutes(5)))
struct SentTransactionTests {
    private static let key = testKey(3)

    private static let pricings = [
        TransactionPricing.legacy(gasPrice: Amount(small: 3_000_000_000)),
        .accessList(gasPrice: Amount(small: 3_000_000_000), entries),
        .dynamic(
            priorityFee: Amount(small: 1_000_000_000),
            feeCap: Amount(small: 3_000_000_000),
            entries
        ),
    ]

    private static let entries = [
        AccessListEntry(address: testKey(4).address, storageKeys: [Keccak256.hash([1])])
    ]

    @Test(arguments: pricings)
    func `rebuilds a transaction on a chain as it was signed`(
        pricing: TransactionPricing
    ) async throws {
        try await DevChain.scoped { dev, transport in
            let client = ChainClient(
                chain: ChainID(dev.chainNumber),
                endpoints: [dev.endpoint],
                transport: transport,
                logger: quiet
            )
            try await dev.fund(Self.key.address)
            try await dev.control("evm_mine")
            let signed = try Self.transaction(on: dev.chainNumber, pricing).signed(by: Self.key)
            #expect(try await client.sentTransaction(signed.hash) == nil)

            _ = try await client.perform(.send(signed.encoded))
            #expect(try await client.sentTransaction(signed.hash) == signed)

            try await dev.control("evm_mine")
            #expect(try await client.sentTransaction(signed.hash) == signed)
        }
    }

    @Test(arguments: pricings)
    func `a changed field yields another hash or no transaction`(
        pricing: TransactionPricing
    ) throws {
        let signed = try Self.transaction(on: 5, pricing).signed(by: Self.key)
        let shape = Self.shape(of: signed)
        #expect(try Self.read(shape)?.hash == signed.hash)
        for (field, other) in [
            ("nonce", "0x1"), ("to", testKey(6).address.checksummed), ("value", "0x2"),
            ("input", "0x02"), ("gas", "0x186a1"), ("r", "0x1"), ("s", "0x1"), ("v", "0x7"),
            ("type", "0x3"), ("gasPrice", "0x5"), ("maxFeePerGas", "0xee6b2800"),
        ] where shape[field] != nil {
            var changed = shape
            changed[field] = other
            #expect((try? Self.read(changed))?.hash != signed.hash, "\(field)")
        }
        for field in ["nonce", "value", "input", "gas", "r", "s", "v"] {
            var changed = shape
            changed[field] = nil
            #expect(throws: DecodingError.self, "\(field)") { try Self.read(changed) }
        }
    }

    /// Anybody can name the hash of one; the endpoint that shows it as it is must not suffer for it.
    ///
    /// - From people: a transaction of a type that this node does not accept, such as one with
    ///   blobs, or its hash → bad_signature
    @Test(arguments: [3, 4, 0x7E] as [UInt8])
    func `a transaction of an unknown type is not the endpoint's fault`(type: UInt8) async throws {
        let transport = FakeTransport()
        let endpoint = try Endpoint(url: "http://one.example")
        let text = #"{"type":"0x\#(String(type, radix: 16))","nonce":"0x1"}"#
        transport.set(endpoint) { request in
            let isID = String(decoding: request, as: UTF8.self).contains("eth_chainId")
            return Array(#"{"jsonrpc":"2.0","id":0,"result":\#(isID ? "\"0x5\"" : text)}"#.utf8)
        }
        let client = ChainClient(
            chain: ChainID(5),
            endpoints: [endpoint],
            transport: transport,
            logger: quiet
        )
        await #expect(throws: AskedTransactionFault.unreadable(.unknownType(type))) {
            try await client.sentTransaction(Keccak256.hash([1]))
        }
        #expect(await client.reports.map(\.status) == [.good])
    }

    private static func transaction(on chain: UInt64, _ pricing: TransactionPricing) -> Transaction
    {
        Transaction(
            chain: ChainID(chain),
            nonce: 0,
            to: testKey(5).address,
            value: Amount(small: 1),
            data: [1],
            gasLimit: 100_000,
            pricing: pricing
        )
    }

    private static func read(_ shape: [String: Any]) throws -> SignedTransaction? {
        let json = try JSONSerialization.data(withJSONObject: shape)
        let found = try JSONDecoder().decode(SentTransaction?.self, from: json)
        guard case .signed(let signed)? = found?.content else { return nil }
        return signed
    }

    /// What an endpoint answers of a transaction.
    private static func shape(of signed: SignedTransaction) -> [String: Any] {
        let (transaction, signature) = (signed.transaction, signed.signature)
        let parity = UInt64(signature.recoveryID)
        var shape: [String: Any] = [
            "nonce": "0x0", "to": testKey(5).address.checksummed, "value": "0x1",
            "input": "0x01", "gas": "0x186a0", "r": signature.r.hex, "s": signature.s.hex,
        ]
        let entry: [String: Any] = [
            "address": testKey(4).address.checksummed, "storageKeys": [Keccak256.hash([1]).hex],
        ]
        switch transaction.pricing {
        case .legacy:
            shape["type"] = "0x0"
            shape["gasPrice"] = "0xb2d05e00"
            shape["v"] = "0x" + String(45 + parity, radix: 16)
            return shape
        case .accessList:
            shape["type"] = "0x1"
            shape["gasPrice"] = "0xb2d05e00"
        case .dynamic:
            shape["type"] = "0x2"
            shape["maxPriorityFeePerGas"] = "0x3b9aca00"
            shape["maxFeePerGas"] = "0xb2d05e00"
        }
        shape["chainId"] = "0x5"
        shape["accessList"] = [entry]
        shape["v"] = "0x" + String(parity, radix: 16)
        return shape
    }
}
