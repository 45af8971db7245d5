import Ethereum
import Keys
import Market

/// A movement of an account's money, as it is stored.
struct MoneyMovement: Hashable, Sendable {
    enum Kind: UInt8 {
        case sent = 0
        case received = 1
        case fee = 2
        case changed = 3
    }

    var kind: Kind
    var isIncoming: Bool
    var currency: Currency
    var amount: Amount
    var other: Address?
    var purpose: String?
    /// In wei.
    var fee: Amount?
    var transaction: Bytes32?
    let time: ChainTime
}

extension MoneyMovement: StoredValue {
    func write(to writer: inout StoredWriter) {
        writer.write(kind.rawValue)
        writer.write(isIncoming)
        writer.write(currency.address)
        writer.write(amount)
        writer.write(optional: other) { $0.write($1) }
        writer.write(optional: purpose) { $0.write($1) }
        writer.write(optional: fee) { $0.write($1) }
        writer.write(optional: transaction) { $0.write($1) }
        writer.write(time.seconds)
    }

    init(from reader: inout StoredReader) throws(StoredValueError) {
        let number = try reader.byte()
        guard let kind = Kind(rawValue: number) else { throw .unknownForm(number) }
        self.kind = kind
        isIncoming = try reader.flag()
        currency = Currency(address: try reader.address())
        amount = try reader.amount()
        other = try reader.optional { reader throws(StoredValueError) in try reader.address() }
        purpose = try reader.optional { reader throws(StoredValueError) in try reader.text() }
        fee = try reader.optional { reader throws(StoredValueError) in try reader.amount() }
        transaction = try reader.optional { reader throws(StoredValueError) in try reader.hash() }
        time = ChainTime(seconds: try reader.number())
    }
}

/// How far an account's movements have been read: a block, and the account's balances then.
struct WalletPlace: Hashable, Sendable {
    let block: BlockID
    let state: NativeState
}

/// An account's native balance and the number of its transactions, after a block.
///
/// Only the account's own transactions reduce its balance, and each raises the number. So two equal
/// states have nothing between them.
struct NativeState: Hashable, Sendable {
    let balance: Amount
    let nonce: Amount
}

extension WalletPlace: StoredValue {
    func write(to writer: inout StoredWriter) {
        writer.write(block)
        writer.write(state.balance)
        writer.write(state.nonce)
    }

    init(from reader: inout StoredReader) throws(StoredValueError) {
        block = try BlockID(from: &reader)
        state = NativeState(balance: try reader.amount(), nonce: try reader.amount())
    }
}
