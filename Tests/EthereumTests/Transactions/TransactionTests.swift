import BigInt
import Ethereum
import Keys
import Market
import Support
import Testing

struct TransactionTests {
    @Test func `signs the example of EIP-155`() throws {
        let secret = SecretBytes(copying: [UInt8](repeating: 0x46, count: 32))
        let key = try #require(PrivateKey(secret))
        let transaction = Transaction(
            chain: ChainID(1),
            nonce: 9,
            to: try Address(text: "0x3535353535353535353535353535353535353535"),
            value: try #require(Amount(decimal: "1000000000000000000")),
            data: [],
            gasLimit: 21_000,
            pricing: .legacy(gasPrice: Amount(small: 20_000_000_000))
        )

        let signed = try transaction.signed(by: key)

        #expect(
            transaction.signingHash.hex
                == "0xdaf5a779ae972f972197303d7b574746c7ef83eadac0f2791ad23db92e4c8e53"
        )
        #expect(
            Hex.encode(signed.encoded)
                == "f86c098504a817c800825208943535353535353535353535353535353535353535880de0b6b3"
                + "a76400008025a028ef61340bd939bc2195fe537567866003e1a15d3c71ff63e1590620aa6362"
                + "76a067cbe9d8997f761aecb703304b3800ccf555c9f3dc64214b297fb1966a3b6d83"
        )
    }

    @Test(arguments: 0..<60 as Range<UInt64>)
    func `a signed transaction reads back the same, with its sender`(seed: UInt64) throws {
        var random = SeededRandom(seed: seed)
        let key = try #require(PrivateKey(SecretBytes(copying: random.bytes(count: 32))))
        let signed = try randomTransaction(&random).signed(by: key)

        let read = try SignedTransaction.decode(signed.encoded, chain: signed.transaction.chain)

        #expect(read == signed)
        #expect(read.sender == key.address)
        #expect(read.hash == Keccak256.hash(signed.encoded))
        #expect(throws: TransactionError.otherChain(try #require(signed.transaction.chain))) {
            try SignedTransaction.decode(signed.encoded, chain: ChainID(0))
        }
    }

    @Test func `mutated bytes that decode encode to the same bytes`() throws {
        var random = SeededRandom(seed: 7)
        let key = try #require(PrivateKey(SecretBytes(copying: random.bytes(count: 32))))
        for _ in 0..<60 {
            let signed = try randomTransaction(&random).signed(by: key)
            for _ in 0..<50 {
                var bytes = signed.encoded
                random.spoil(&bytes)
                guard let read = try? SignedTransaction.decode(bytes) else { continue }
                #expect(read.encoded == bytes)
            }
        }
    }

    @Test func `refuses every truncation`() throws {
        var random = SeededRandom(seed: 8)
        let key = try #require(PrivateKey(SecretBytes(copying: random.bytes(count: 32))))
        let bytes = try randomTransaction(&random).signed(by: key).encoded
        for count in bytes.indices {
            #expect(throws: TransactionError.self) {
                try SignedTransaction.decode([UInt8](bytes[..<count]))
            }
        }
    }

    @Test func `refuses to sign a transaction that no chain accepts`() throws {
        let key = PrivateKey.random()
        func make(
            nonce: UInt64 = 0,
            gasLimit: UInt64 = 21_000,
            _ pricing: TransactionPricing = .legacy(gasPrice: .zero)
        ) throws -> SignedTransaction {
            try Transaction(
                chain: ChainID(5),
                nonce: nonce,
                to: .zero,
                value: .zero,
                data: [],
                gasLimit: gasLimit,
                pricing: pricing
            ).signed(by: key)
        }
        #expect(throws: TransactionError.outOfRange(.nonce)) { try make(nonce: .max) }
        #expect(throws: TransactionError.gasLimitTooLow(needed: 21_000)) {
            try make(gasLimit: 20_999)
        }
        #expect(throws: TransactionError.priorityFeeAboveCap) {
            try make(.dynamic(priorityFee: Amount(small: 2), feeCap: Amount(small: 1)))
        }
        #expect(throws: TransactionError.feeOverflow) { try make(.legacy(gasPrice: .max)) }
    }

    @Test func `reads a transaction without a chain id but never signs one`() throws {
        let key = PrivateKey.random()
        let fields: [RLPItem] = [
            .number(1), .number(2), .number(30_000), .address(.zero), .number(3), .bytes([4]),
        ]
        let signature = key.sign(Keccak256.hash(RLP.encode(list: fields)))
        let parts: [RLPItem] = [
            .small(UInt64(27 + signature.recoveryID)),
            // Numbers have no leading zeros.
            .bytes(Array(signature.r.bytes.drop { $0 == 0 })),
            .bytes(Array(signature.s.bytes.drop { $0 == 0 })),
        ]

        let read = try SignedTransaction.decode(RLP.encode(list: fields + parts))

        #expect(read.sender == key.address)
        #expect(read.transaction.chain == nil)
        #expect(throws: TransactionError.withoutChain) { try read.transaction.signed(by: key) }
    }

    @Test func `refuses to sign for a chain whose id no signature can carry`() throws {
        let transaction = Transaction(
            chain: ChainID(.max),
            nonce: 0,
            to: .zero,
            value: .zero,
            data: [],
            gasLimit: 21_000,
            pricing: .legacy(gasPrice: .zero)
        )
        #expect(throws: TransactionError.outOfRange(.chain)) {
            try transaction.signed(by: .random())
        }
    }

    private func randomTransaction(_ random: inout SeededRandom) throws -> Transaction {
        let fee = Amount(small: random.next() >> 20)
        let cap = try #require(fee.adding(Amount(small: random.next() >> 20)))
        let entries = (0..<Int.random(in: 0...3, using: &random)).compactMap { _ in
            Address(random.bytes(count: 20)).map { address in
                AccessListEntry(
                    address: address,
                    storageKeys: (0..<2).map { _ in Bytes32.random(using: &random) }
                )
            }
        }
        let pricing: TransactionPricing =
            switch random.next() % 3 {
            case 0: .legacy(gasPrice: fee)
            case 1: .accessList(gasPrice: fee, entries)
            default: .dynamic(priorityFee: fee, feeCap: cap, entries)
            }
        let byteCount = Int.random(in: 0...300, using: &random)
        return Transaction(
            chain: ChainID(1 + random.next() >> UInt64.random(in: 3...63, using: &random)),
            nonce: random.next() >> UInt64.random(in: 1...63, using: &random),
            to: Bool.random(using: &random) ? nil : Address(random.bytes(count: 20)),
            value: try #require(Amount(bigEndian: random.bytes(count: 9))),
            data: random.bytes(count: byteCount),
            gasLimit: 100_000 + random.next() >> 40,
            pricing: pricing
        )
    }
}
