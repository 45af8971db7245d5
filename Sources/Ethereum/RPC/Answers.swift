import Keys
import Market

extension BlockHeader: Decodable {
    private enum Key: String, CodingKey {
        case number, hash, parentHash, timestamp, baseFeePerGas, gasLimit, logsBloom
    }

    package init(from decoder: any Decoder) throws {
        let fields = try decoder.container(keyedBy: Key.self)
        self.init(
            id: BlockID(number: try fields.number(.number), hash: try fields.hash(.hash)),
            parent: try fields.hash(.parentHash),
            timestamp: try fields.number(.timestamp, most: ChainLimits.timeSecondsMax),
            baseFee: try fields.decodeIfPresent(Quantity.self, forKey: .baseFeePerGas)?.amount,
            // Not every chain has these, and the answer is useful without them.
            gasLimit: try? fields.number(.gasLimit),
            bloom: (try? fields.decode(HexBytes.self, forKey: .logsBloom)).flatMap {
                LogBloom($0.bytes)
            }
        )
    }
}

extension ContractEvent: Decodable {
    private enum Key: String, CodingKey {
        case blockNumber, blockHash, logIndex, transactionHash, address, topics, data, removed
    }

    package init(from decoder: any Decoder) throws {
        let fields = try decoder.container(keyedBy: Key.self)
        if try fields.decodeIfPresent(Bool.self, forKey: .removed) == true {
            throw DecodingError.dataCorruptedError(
                forKey: .removed,
                in: fields,
                debugDescription: "a removed event"
            )
        }
        let topics = try fields.decode([String].self, forKey: .topics)
        let hashes = topics.compactMap { HexBytes.bytes(of: $0).flatMap { Bytes32($0) } }
        let data = try fields.bytes(.data)
        guard topics.count <= 4, hashes.count == topics.count else {
            throw DecodingError.dataCorruptedError(
                forKey: .topics,
                in: fields,
                debugDescription: "not at most four topics of 32 bytes"
            )
        }
        guard data.count <= ChainLimits().logDataBytesMax else {
            throw DecodingError.dataCorruptedError(
                forKey: .data,
                in: fields,
                debugDescription: "too long"
            )
        }
        self.init(
            block: BlockID(
                number: try fields.number(.blockNumber),
                hash: try fields.hash(.blockHash)
            ),
            index: try fields.number(.logIndex, most: ChainLimits.logIndexMax),
            transaction: try fields.hash(.transactionHash),
            address: try fields.address(.address),
            topics: hashes,
            data: data
        )
    }
}

extension Receipt: Decodable {
    private enum Key: String, CodingKey {
        case transactionHash, blockNumber, blockHash, status, gasUsed, effectiveGasPrice
        case contractAddress, logs
    }

    package init(from decoder: any Decoder) throws {
        let fields = try decoder.container(keyedBy: Key.self)
        let status = try fields.number(.status)
        guard status <= 1 else {
            throw DecodingError.dataCorruptedError(
                forKey: .status,
                in: fields,
                debugDescription: "neither 0 nor 1"
            )
        }
        let isContract = try fields.decodeIfPresent(HexBytes.self, forKey: .contractAddress) != nil
        self.init(
            transaction: try fields.hash(.transactionHash),
            block: BlockID(
                number: try fields.number(.blockNumber),
                hash: try fields.hash(.blockHash)
            ),
            isSuccess: status == 1,
            gasUsed: try fields.number(.gasUsed),
            gasPrice: try fields.decodeIfPresent(Quantity.self, forKey: .effectiveGasPrice)?.amount
                ?? .zero,
            contract: isContract ? try fields.address(.contractAddress) : nil,
            events: try fields.decode([ContractEvent].self, forKey: .logs)
        )
    }
}
