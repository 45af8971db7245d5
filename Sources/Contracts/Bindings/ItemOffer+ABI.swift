package import Ethereum
package import Market

/// Terms that are a struct of their contract.
package protocol ABITerms: ItemTerms {
    var abiValue: ABIValue { get }

    init(_ reader: inout ABIValueReader) throws(ABIError)
}

/// Converts between offers and the contracts' struct `Offer`.
///
/// Source: Docs/contracts.md, section 4.
extension ItemOffer where Terms: ABITerms {
    var abiValue: ABIValue {
        .tuple([
            .address(seller), .bytes32(salt), .amount(token ?? .zero), .address(maker),
            .bytes32(contentHash), .bytes32(promise), terms.abiValue,
        ])
    }

    init(_ reader: inout ABIValueReader) throws(ABIError) {
        let (seller, salt) = (try reader.address(), try reader.bytes32())
        let (token, maker) = (try reader.amount(), try reader.address())
        let (contentHash, promise) = (try reader.bytes32(), try reader.bytes32())
        var terms = try reader.tuple()
        self.init(
            seller: seller,
            salt: salt,
            token: token,
            maker: maker,
            contentHash: contentHash,
            promise: promise,
            terms: try Terms(&terms)
        )
    }
}

/// Reads the common fields of the contracts' `Listed` and `Ended`, after the sale's id.
extension ItemListing where Terms: ABITerms {
    init(_ reader: inout ABIValueReader) throws(ABIError) {
        let (seller, token) = (try reader.address(), try reader.amount())
        let (promise, contentHash) = (try reader.bytes32(), try reader.bytes32())
        let (maker, salt) = (try reader.address(), try reader.bytes32())
        let isMinted = try reader.bool()
        var terms = try reader.tuple()
        self.init(
            seller: seller,
            token: token,
            promise: promise,
            contentHash: contentHash,
            maker: maker,
            salt: salt,
            isMinted: isMinted,
            terms: try Terms(&terms)
        )
    }
}

extension ItemSaleEnd where Status: ContractFlag {
    init(_ reader: inout ABIValueReader) throws(ABIError) {
        let (seller, buyer) = (try reader.address(), try reader.address())
        let status: Status = try reader.flag()
        let (by, tokenTo) = (try reader.address(), try reader.address())
        let maker = try reader.address()
        var payout = try reader.tuple()
        self.init(
            seller: seller,
            buyer: buyer,
            status: status,
            by: by,
            tokenTo: tokenTo,
            maker: maker,
            payout: try ItemPayout(&payout)
        )
    }
}

extension ItemPayout {
    fileprivate init(_ reader: inout ABIValueReader) throws(ABIError) {
        self.init(
            seller: try reader.amount(),
            platform: try reader.amount(),
            maker: try reader.amount()
        )
    }
}

extension ABIValueReader {
    /// Reads a contract's flag, in which exactly one bit is set.
    mutating func flag<Flag: ContractFlag>(_ name: String = "a status") throws(ABIError) -> Flag {
        guard let flag = Flag(number: try small(name)) else { throw .meaningless(name) }
        return flag
    }
}
