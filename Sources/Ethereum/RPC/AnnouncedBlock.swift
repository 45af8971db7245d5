import Keys
import Market

/// A whole block header, as an endpoint announces it or shows it.
package struct AnnouncedBlock: Equatable, Sendable {
    package let header: BlockHeader
    /// The filter of the block's logs, if the block's hash proves it.
    ///
    /// The hash covers the filter, and later blocks cover the hash. `nil` if the hash is not that
    /// of the fields: the header is forged, or the chain's headers have another form.
    package let bloom: LogBloom?

    /// Whether the block's hash is that of the header's fields, so that it proves its time.
    package var isProven: Bool { bloom != nil }

    package init(header: BlockHeader, bloom: LogBloom?) {
        (self.header, self.bloom) = (header, bloom)
    }

    /// The header, without a filter unless the block's hash proves it.
    var provenHeader: BlockHeader {
        var proven = BlockHeader(
            id: header.id,
            parent: header.parent,
            timestamp: header.timestamp,
            baseFee: header.baseFee,
            gasLimit: header.gasLimit,
            bloom: bloom
        )
        proven.isBloomProven = isProven
        return proven
    }
}

extension AnnouncedBlock: Decodable {
    private enum Key: String, CodingKey {
        case sha3Uncles, miner, stateRoot, transactionsRoot, receiptsRoot, logsBloom, difficulty
        case gasLimit, gasUsed, extraData, mixHash, nonce, withdrawalsRoot, blobGasUsed
        case excessBlobGas, parentBeaconBlockRoot, requestsHash
    }

    package init(from decoder: any Decoder) throws {
        let header = try BlockHeader(from: decoder)
        self.header = header
        guard let fields = try? decoder.container(keyedBy: Key.self),
            let bloom = try? fields.decode(HexBytes.self, forKey: .logsBloom),
            let items = try? Self.items(of: fields, header),
            Self.hasHash(header.id.hash, items, UnknownFields.of(decoder))
        else {
            self.bloom = nil
            return
        }
        self.bloom = LogBloom(bloom.bytes)
    }

    /// The most bytes of a header for which unknown fields are tried; usual ones have less than 800.
    private static let headerBytesMax = 2_048

    /// Returns whether a header's fields give its hash: the known ones, or these and unknown ones.
    ///
    /// Upgrades of a chain add fields at the end, and endpoints show fields that the hash does not
    /// cover. The node need not know which fields it covers, or in which order: no other fields
    /// with the same hash can be found.
    private static func hasHash(_ hash: Bytes32, _ items: [RLPItem], _ unknown: [RLPItem]) -> Bool {
        let bytes = RLP.encode(list: items)
        if Keccak256.hash(bytes) == hash { return true }
        // A long header would be hashed many times over.
        guard bytes.count <= headerBytesMax else { return false }
        return unknown.indices.contains { index in
            var rest = unknown
            let next = rest.remove(at: index)
            return hasHash(hash, items + [next], rest)
        }
    }

    /// Returns the fields that a block's hash covers, in their order, as far as they are known.
    ///
    /// Fields that are `null` are not there yet.
    ///
    /// Source: Ethereum Yellow Paper, section 4.4; EIP-1559, EIP-4895, EIP-4844, EIP-4788 and
    /// EIP-7685 for the fields at the end, each of which needs those before it.
    private static func items(
        of fields: KeyedDecodingContainer<Key>,
        _ header: BlockHeader
    ) throws -> [RLPItem] {
        func bytes(_ key: Key) throws -> RLPItem {
            .bytes(try fields.decode(HexBytes.self, forKey: key).bytes)
        }
        func number(_ key: Key) throws -> RLPItem {
            .number(try fields.decode(Quantity.self, forKey: key).amount.units)
        }
        var items = [
            .bytes(header.parent.bytes), try bytes(.sha3Uncles), try bytes(.miner),
            try bytes(.stateRoot), try bytes(.transactionsRoot), try bytes(.receiptsRoot),
            try bytes(.logsBloom), try number(.difficulty), .small(header.number),
            try number(.gasLimit), try number(.gasUsed), .small(header.timestamp),
            try bytes(.extraData), try bytes(.mixHash), try bytes(.nonce),
        ]
        guard let baseFee = header.baseFee else { return items }
        items.append(.number(baseFee.units))
        let later: [Key] = [
            .withdrawalsRoot, .blobGasUsed, .excessBlobGas, .parentBeaconBlockRoot, .requestsHash,
        ]
        for key in later {
            guard fields.contains(key), try !fields.decodeNil(forKey: key) else { return items }
            let isNumber = key == .blobGasUsed || key == .excessBlobGas
            items.append(isNumber ? try number(key) : try bytes(key))
        }
        return items
    }
}

/// The fields of a header that this program does not know.
private enum UnknownFields {
    /// The maximum number that are tried; their orders are fewer than 70.
    private static let fieldsMax = 4
    /// The maximum number that are read to find these.
    private static let namesMax = 32

    /// The known fields: covered by the hash, or never covered.
    private static let known: Set<String> = [
        "number", "hash", "parentHash", "timestamp", "baseFeePerGas", "sha3Uncles", "miner",
        "stateRoot", "transactionsRoot", "receiptsRoot", "logsBloom", "difficulty", "gasLimit",
        "gasUsed", "extraData", "mixHash", "nonce", "withdrawalsRoot", "blobGasUsed",
        "excessBlobGas", "parentBeaconBlockRoot", "requestsHash", "size", "totalDifficulty",
        "transactions", "uncles", "withdrawals", "author",
    ]

    private struct Name: CodingKey {
        let stringValue: String
        var intValue: Int? { nil }

        init(stringValue: String) { self.stringValue = stringValue }

        init?(intValue: Int) { nil }
    }

    /// Returns the unknown fields that can belong to a header: hashes, addresses and numbers.
    static func of(_ decoder: any Decoder) -> [RLPItem] {
        guard let fields = try? decoder.container(keyedBy: Name.self) else { return [] }
        let names = fields.allKeys.filter { !known.contains($0.stringValue) }
        guard names.count <= namesMax else { return [] }
        let items = names.sorted { $0.stringValue < $1.stringValue }
            .compactMap { item($0, of: fields) }
        return items.count > fieldsMax ? [] : items
    }

    private static func item(_ name: Name, of fields: KeyedDecodingContainer<Name>) -> RLPItem? {
        guard let text = try? fields.decode(String.self, forKey: name) else { return nil }
        if let bytes = HexBytes.bytes(of: text), [20, 32].contains(bytes.count) {
            return .bytes(bytes)
        }
        return Quantity.amount(of: text).map { .number($0.units) }
    }
}
