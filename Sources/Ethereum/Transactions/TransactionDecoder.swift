import Keys
import Market

/// Decodes the fields of a transaction; it does not check how they fit together.
enum TransactionDecoder {
    static func decode(
        _ encoded: [UInt8],
        limits: RLPLimits
    ) throws(TransactionError) -> (Transaction, Signature) {
        guard let first = encoded.first else { throw .encoding(.empty) }
        return switch first {
        case 0xC0...: try legacy(try fields(encoded, count: 9, limits))
        case 1: try accessList(try fields([UInt8](encoded.dropFirst()), count: 11, limits))
        case 2: try dynamic(try fields([UInt8](encoded.dropFirst()), count: 12, limits))
        default: throw .unknownType(first)
        }
    }

    private static func legacy(
        _ fields: [RLPItem]
    ) throws(TransactionError) -> (Transaction, Signature) {
        let v = try small(fields[6], .recovery)
        let (chain, recoveryID): (ChainID?, UInt8)
        switch v {
        case 27, 28: (chain, recoveryID) = (nil, UInt8(v - 27))
        case 35...: (chain, recoveryID) = (ChainID((v - 35) / 2), UInt8((v - 35) % 2))
        default: throw .outOfRange(.recovery)
        }
        let transaction = Transaction(
            readFrom: chain,
            nonce: try small(fields[0], .nonce),
            to: try receiver(fields[3]),
            value: try amount(fields[4], .value),
            data: try bytes(fields[5], .data),
            gasLimit: try small(fields[2], .gasLimit),
            pricing: .legacy(gasPrice: try amount(fields[1], .gasPrice))
        )
        return (transaction, try signature(recoveryID, r: fields[7], s: fields[8]))
    }

    private static func accessList(
        _ fields: [RLPItem]
    ) throws(TransactionError) -> (Transaction, Signature) {
        let transaction = Transaction(
            readFrom: ChainID(try small(fields[0], .chain)),
            nonce: try small(fields[1], .nonce),
            to: try receiver(fields[4]),
            value: try amount(fields[5], .value),
            data: try bytes(fields[6], .data),
            gasLimit: try small(fields[3], .gasLimit),
            pricing: .accessList(gasPrice: try amount(fields[2], .gasPrice), try entries(fields[7]))
        )
        let parity = try parity(fields[8])
        return (transaction, try signature(parity, r: fields[9], s: fields[10]))
    }

    private static func dynamic(
        _ fields: [RLPItem]
    ) throws(TransactionError) -> (Transaction, Signature) {
        let transaction = Transaction(
            readFrom: ChainID(try small(fields[0], .chain)),
            nonce: try small(fields[1], .nonce),
            to: try receiver(fields[5]),
            value: try amount(fields[6], .value),
            data: try bytes(fields[7], .data),
            gasLimit: try small(fields[4], .gasLimit),
            pricing: .dynamic(
                priorityFee: try amount(fields[2], .priorityFee),
                feeCap: try amount(fields[3], .feeCap),
                try entries(fields[8])
            )
        )
        let parity = try parity(fields[9])
        return (transaction, try signature(parity, r: fields[10], s: fields[11]))
    }

    private static func fields(
        _ bytes: [UInt8],
        count: Int,
        _ limits: RLPLimits
    ) throws(TransactionError) -> [RLPItem] {
        let item: RLPItem
        do { item = try RLP.decode(bytes, limits: limits) } catch { throw .encoding(error) }
        guard case .list(let items) = item else { throw .malformed(.transaction) }
        guard items.count == count else {
            throw .fieldCount(expected: count, found: items.count)
        }
        return items
    }

    private static func bytes(
        _ item: RLPItem,
        _ field: TransactionField
    ) throws(TransactionError) -> [UInt8] {
        guard case .bytes(let bytes) = item else { throw .malformed(field) }
        return bytes
    }

    private static func list(
        _ item: RLPItem,
        _ field: TransactionField
    ) throws(TransactionError) -> [RLPItem] {
        guard case .list(let items) = item else { throw .malformed(field) }
        return items
    }

    /// Decodes the bytes of a number: only in the shortest form, and at most `byteCountMax`.
    private static func number(
        _ item: RLPItem,
        _ field: TransactionField,
        byteCountMax: Int
    ) throws(TransactionError) -> [UInt8] {
        let bytes = try bytes(item, field)
        guard bytes.first != 0 else { throw .malformed(field) }
        guard bytes.count <= byteCountMax else { throw .outOfRange(field) }
        return bytes
    }

    private static func small(
        _ item: RLPItem,
        _ field: TransactionField
    ) throws(TransactionError) -> UInt64 {
        try number(item, field, byteCountMax: 8).reduce(0) { $0 << 8 | UInt64($1) }
    }

    private static func amount(
        _ item: RLPItem,
        _ field: TransactionField
    ) throws(TransactionError) -> Amount {
        let bytes = try number(item, field, byteCountMax: 32)
        guard let amount = Amount(bigEndian: bytes) else { throw .outOfRange(field) }
        return amount
    }

    private static func receiver(_ item: RLPItem) throws(TransactionError) -> Address? {
        let bytes = try bytes(item, .to)
        if bytes.isEmpty { return nil }
        guard let address = Address(bytes) else { throw .malformed(.to) }
        return address
    }

    private static func entries(_ item: RLPItem) throws(TransactionError) -> [AccessListEntry] {
        var entries: [AccessListEntry] = []
        for entry in try list(item, .accessList) {
            let parts = try list(entry, .accessList)
            guard parts.count == 2, let address = Address(try bytes(parts[0], .accessList))
            else { throw .malformed(.accessList) }
            var keys: [Bytes32] = []
            for key in try list(parts[1], .accessList) {
                guard let key = Bytes32(try bytes(key, .accessList))
                else { throw .malformed(.accessList) }
                keys.append(key)
            }
            entries.append(AccessListEntry(address: address, storageKeys: keys))
        }
        return entries
    }

    private static func parity(_ item: RLPItem) throws(TransactionError) -> UInt8 {
        let value = try small(item, .recovery)
        guard value <= 1 else { throw .outOfRange(.recovery) }
        return UInt8(value)
    }

    private static func signature(
        _ recoveryID: UInt8,
        r: RLPItem,
        s: RLPItem
    ) throws(TransactionError) -> Signature {
        let r = try scalar(r, .r)
        let s = try scalar(s, .s)
        guard let signature = Signature(r: r, s: s, recoveryID: recoveryID)
        else { throw .signature }
        return signature
    }

    private static func scalar(
        _ item: RLPItem,
        _ field: TransactionField
    ) throws(TransactionError) -> Bytes32 {
        let bytes = try number(item, field, byteCountMax: 32)
        let padding = [UInt8](repeating: 0, count: 32 - bytes.count)
        guard let value = Bytes32(padding + bytes) else { throw .outOfRange(field) }
        return value
    }
}
