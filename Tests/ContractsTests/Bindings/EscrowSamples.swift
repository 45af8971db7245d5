import BigInt
import Ethereum
import Keys
import Market

/// A number as a word of a log, and as an address.
func number(_ value: UInt64) -> Bytes32 { Bytes32(words: 0, 0, 0, value) }

extension Bytes32 {
    /// The last twenty bytes, as the ABI puts an address into a word.
    var address: Address { Address(bytes.suffix(Address.byteCount)) ?? .zero }
}

func makeTerms(_ currency: Currency) -> EscrowTerms {
    EscrowTerms(
        currency: currency,
        price: Amount(small: 1_000),
        sellerDeposit: Amount(small: 2_000),
        buyerDeposit: Amount(small: 1_000),
        latePenalty: Amount(small: 20),
        arbiter: nil,
        arbiterFee: .zero,
        shipWindow: .days(3),
        confirmWindow: .days(21),
        rulingWindow: .days(14),
        offerUntil: ChainTime(seconds: 2_000_000),
        buyer: number(6).address
    )
}

/// The terms as the contract's struct, written out once more by hand.
func termsValue(_ terms: EscrowTerms) -> ABIValue {
    let day: BigUInt = 86_400
    return .tuple([
        .address(terms.currency.address), .uint(1_000), .uint(2_000), .uint(1_000), .uint(20),
        .address(.zero), .uint(0), .uint(3 * day), .uint(21 * day), .uint(14 * day),
        .uint(2_000_000), .address(number(6).address),
    ])
}

func makeOffer(
    _ terms: EscrowTerms,
    token: Amount = .zero,
    maker: Address? = nil
) -> EscrowOffer {
    EscrowOffer(
        seller: number(5).address,
        salt: Bytes32(repeating: 4),
        token: token,
        maker: maker,
        contentHash: Bytes32(repeating: 1),
        promise: Bytes32(repeating: 2),
        terms: terms
    )
}

/// The offer as the contract's struct, written out once more by hand.
func offerValue(_ offer: EscrowOffer) -> ABIValue {
    .tuple([
        .address(number(5).address), .bytes32(Bytes32(repeating: 4)), .amount(offer.token ?? .zero),
        .address(offer.maker), .bytes32(Bytes32(repeating: 1)), .bytes32(Bytes32(repeating: 2)),
        termsValue(offer.terms),
    ])
}
