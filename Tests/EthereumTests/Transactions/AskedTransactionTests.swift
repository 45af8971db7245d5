import BigInt
import Ethereum
import Foundation
import Keys
import Market
import Support
import Testing

struct AskedTransactionTests {
    private let wallet = testKey(3)
    private static let gasLimit: UInt64 = 100_000
    private static let feeCap: UInt64 = 30

    @Test func `accepts the requested signature in both kinds of pricing`() throws {
        for pricing in [
            TransactionPricing.legacy(gasPrice: Amount(small: Self.feeCap)),
            .dynamic(priorityFee: Amount(small: 2), feeCap: Amount(small: Self.feeCap)),
        ] {
            let asked = asked(pricing: pricing)
            let signature = wallet.sign(Keccak256.hash(asked.unsignedBytes))

            let signed = try asked.signed(with: signature)

            #expect(try signed == asked.transaction.signed(by: wallet))
            #expect(try asked.signed(raw: signed.encoded) == signed)
        }
    }

    @Test func `lets a wallet choose fees within the limit and a nonce in the range`() throws {
        let asked = asked()
        let own = Self.transaction(nonce: 9, gasLimit: 60_000, feeCap: 50)
        #expect(try asked.signed(raw: own.signed(by: wallet).encoded).transaction == own)

        let dear = Self.transaction(feeCap: Self.feeCap + 1)
        #expect(throws: AskedTransactionFault.feeAboveLimit(asked.feeMax)) {
            try asked.signed(raw: dear.signed(by: wallet).encoded)
        }
        for nonce in [6, 10] as [UInt64] {
            let other = Self.transaction(nonce: nonce)
            #expect(throws: AskedTransactionFault.otherNonce(nonce, 7...9)) {
                try asked.signed(raw: other.signed(by: wallet).encoded)
            }
        }
    }

    @Test func `names the field in which a call differs`() throws {
        let asked = asked()
        for (other, fault) in [
            (Self.transaction(to: testKey(5).address), .otherCall(.to)),
            (Self.transaction(to: nil), .otherCall(.to)),
            (Self.transaction(value: 2), .otherCall(.value)),
            (Self.transaction(data: [1, 2, 4]), .otherCall(.data)),
            (Self.transaction(chain: 2), .otherChain(ChainID(2))),
        ] as [(Transaction, AskedTransactionFault)] {
            #expect(throws: fault) { try asked.signed(raw: other.signed(by: wallet).encoded) }
        }
    }

    @Test func `refuses a transaction that is valid on every chain`() throws {
        // The form from before EIP-155: v is 27 or 28, and no chain is named.
        let signed = try Self.transaction(pricing: .legacy(gasPrice: Amount(small: 1)))
            .signed(by: wallet)
        let fields: [RLPItem] = [
            .bytes([7]), .bytes([1]), .bytes([1, 134, 160]), .bytes(testKey(4).address.bytes),
            .bytes([1]), .bytes([1, 2, 3]),
        ]
        let hash = Keccak256.hash(RLP.encode(list: fields))
        let signature = wallet.sign(hash)
        let raw = RLP.encode(
            list: fields + [
                .bytes([27 + signature.recoveryID]),
                .bytes([UInt8](signature.r.bytes.drop { $0 == 0 })),
                .bytes([UInt8](signature.s.bytes.drop { $0 == 0 })),
            ]
        )
        #expect(throws: AskedTransactionFault.otherChain(nil)) { try asked().signed(raw: raw) }
        #expect(try asked().signed(raw: signed.encoded) == signed)
    }

    @Test func `refuses another account's signature and names its address`() throws {
        let (asked, other) = (asked(), testKey(4))
        #expect(throws: AskedTransactionFault.otherSigner(other.address)) {
            try asked.signed(with: other.sign(asked.transaction.signingHash))
        }
        #expect(throws: AskedTransactionFault.otherSigner(other.address)) {
            try asked.signed(raw: asked.transaction.signed(by: other).encoded)
        }
        // A signature of an earlier request recovers to an account that nobody has.
        let earlier = wallet.sign(Self.transaction(nonce: 6).signingHash)
        #expect(throws: AskedTransactionFault.self) { try asked.signed(with: earlier) }
    }

    @Test func `refuses the second form of a signature`() throws {
        let asked = asked()
        let signature = wallet.sign(asked.transaction.signingHash)
        let order = try #require(
            BigUInt("fffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141", radix: 16)
        )
        let high = order - BigUInt(Data(signature.s.bytes))
        let highS = try #require(Bytes32(high.serialize()))
        let second = try #require(
            Signature(r: signature.r, s: highS, recoveryID: 1 - signature.recoveryID)
        )
        #expect(throws: AskedTransactionFault.unreadable(.signature)) {
            try asked.signed(with: second)
        }
    }

    @Test func `never accepts a corrupted transaction as the requested one`() throws {
        let asked = asked()
        let signed = try asked.transaction.signed(by: wallet)
        var random = SeededRandom(seed: 5)
        for _ in 0..<500 {
            var raw = signed.encoded
            random.spoil(&raw)
            guard raw != signed.encoded, let taken = try? asked.signed(raw: raw) else { continue }
            Issue.record("took \(Hex.encode(taken.encoded))")
        }
    }

    @Test func `each fault's message says what to do next`() {
        let limit = Amount(small: 1)
        for fault in [
            .unreadable(.signature), .unreadable(.gasLimitTooLow(needed: 21_000)),
            .unreadable(.withoutChain), .otherSigner(.zero), .otherChain(ChainID(1)),
            .otherChain(nil), .otherCall(.value), .otherNonce(1, 2...2), .otherNonce(1, 2...3),
            .nonceTaken(2), .feeAboveLimit(limit),
        ] as [AskedTransactionFault] {
            let words = "\(fault)"
            #expect(words.contains("ign ") && words.hasSuffix("."), "\(words)")
        }
    }

    private func asked(pricing: TransactionPricing? = nil) -> AskedTransaction {
        AskedTransaction(
            Self.transaction(pricing: pricing),
            of: wallet.address,
            nonces: 7...9,
            feeMax: Amount(small: Self.gasLimit * Self.feeCap)
        )
    }

    private static func transaction(
        chain: UInt64 = 1,
        nonce: UInt64 = 7,
        to: Address? = testKey(4).address,
        value: UInt64 = 1,
        data: [UInt8] = [1, 2, 3],
        gasLimit: UInt64 = gasLimit,
        feeCap: UInt64 = feeCap,
        pricing: TransactionPricing? = nil
    ) -> Transaction {
        Transaction(
            chain: ChainID(chain),
            nonce: nonce,
            to: to,
            value: Amount(small: value),
            data: data,
            gasLimit: gasLimit,
            pricing: pricing
                ?? .dynamic(priorityFee: Amount(small: 2), feeCap: Amount(small: feeCap))
        )
    }
}
