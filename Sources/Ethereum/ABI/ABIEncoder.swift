import BigInt
import Keys

/// Appends encoded values; offsets are filled in when the tails are known.
struct ABIEncoder {
    private(set) var output: [UInt8] = []

    mutating func append(_ bytes: [UInt8]) {
        output.append(contentsOf: bytes)
    }

    /// Appends a tuple: all heads, then the tails.
    mutating func writeTuple(_ values: [ABIValue], as types: [ABIType]) throws(ABIError) {
        guard values.count == types.count else {
            throw .count(expected: types.count, found: values.count)
        }
        try writeParts(values, count: types.count) { types[$0] }
    }

    private mutating func writeParts(
        _ values: [ABIValue],
        count: Int,
        type: (Int) -> ABIType
    ) throws(ABIError) {
        let start = output.count
        for index in 0..<count {
            let type = type(index)
            if type.isDynamic {
                appendZeros(32)
            } else {
                try writeStatic(values[index], as: type)
            }
        }
        var head = start
        for index in 0..<count {
            let type = type(index)
            if type.isDynamic {
                patch(UInt64(output.count - start), at: head)
                try writeTail(values[index], as: type)
            }
            head += type.headByteCount
        }
    }

    private mutating func writeStatic(_ value: ABIValue, as type: ABIType) throws(ABIError) {
        switch (type, value) {
        case (.fixedArray(let element, let count), .array(let values)):
            try check(values, count)
            for value in values { try writeStatic(value, as: element) }
        case (.tuple(let types), .tuple(let values)):
            try check(values, types.count)
            for (value, type) in zip(values, types) { try writeStatic(value, as: type) }
        default: try writeWord(value, as: type)
        }
    }

    private mutating func writeTail(_ value: ABIValue, as type: ABIType) throws(ABIError) {
        switch (type, value) {
        case (.bytes, .bytes(let bytes)): writeCounted(bytes)
        case (.string, .string(let text)): writeCounted([UInt8](text.utf8))
        case (.array(let element), .array(let values)):
            appendZeros(32)
            patch(UInt64(values.count), at: output.count - 32)
            try writeParts(values, count: values.count) { _ in element }
        case (.fixedArray(let element, let count), .array(let values)):
            try check(values, count)
            try writeParts(values, count: count) { _ in element }
        case (.tuple(let types), .tuple(let values)): try writeTuple(values, as: types)
        default: throw .mismatch(type: type)
        }
    }

    private mutating func writeCounted(_ bytes: [UInt8]) {
        appendZeros(32)
        patch(UInt64(bytes.count), at: output.count - 32)
        writePadded(bytes)
    }

    private mutating func writePadded(_ bytes: [UInt8]) {
        append(bytes)
        appendZeros((32 - bytes.count % 32) % 32)
    }

    private mutating func writeWord(_ value: ABIValue, as type: ABIType) throws(ABIError) {
        switch (type, value) {
        case (.uint(let bits), .uint(let number)) where number.bitWidth <= bits:
            appendNumber(number.words, fill: 0)
        case (.int(let bits), .int(let number)) where number.fits(bits: bits):
            appendNumber(number.words, fill: number < 0 ? 0xFF : 0)
        case (.address, .address(let address)):
            appendZeros(12)
            append(address.bytes)
        case (.bool, .bool(let isTrue)):
            appendZeros(31)
            output.append(isTrue ? 1 : 0)
        case (.fixedBytes(let count), .fixedBytes(let bytes)) where bytes.count == count:
            append(bytes)
            appendZeros(32 - count)
        case (.function, .fixedBytes(let bytes)) where bytes.count == 24:
            append(bytes)
            appendZeros(8)
        default: throw .mismatch(type: type)
        }
    }

    private mutating func appendZeros(_ count: Int) {
        output.append(contentsOf: repeatElement(0, count: count))
    }

    private mutating func patch(_ value: UInt64, at wordStart: Int) {
        for index in 0..<8 {
            output[wordStart + 31 - index] = UInt8(truncatingIfNeeded: value >> (index * 8))
        }
    }

    private mutating func appendNumber(_ words: some Sequence<UInt>, fill: UInt8) {
        let start = output.count
        output.append(contentsOf: repeatElement(fill, count: 32))
        var index = start + 32
        for word in words {
            for shift in stride(from: 0 as UInt, to: 64, by: 8) where index > start {
                index -= 1
                output[index] = UInt8(truncatingIfNeeded: word >> shift)
            }
        }
    }

    private func check(_ values: [ABIValue], _ count: Int) throws(ABIError) {
        guard values.count == count else { throw .count(expected: count, found: values.count) }
    }
}

extension ABIEncoder {
    /// Appends the bytes that are hashed for a topic: no lengths or offsets, and padding in every
    /// value but the outermost.
    mutating func writeInPlace(
        _ value: ABIValue,
        as type: ABIType,
        isOutermost: Bool
    ) throws(ABIError) {
        switch (type, value) {
        case (.bytes, .bytes(let bytes)): isOutermost ? append(bytes) : writePadded(bytes)
        case (.string, .string(let text)):
            isOutermost ? append([UInt8](text.utf8)) : writePadded([UInt8](text.utf8))
        case (.array(let element), .array(let values)):
            for value in values { try writeInPlace(value, as: element, isOutermost: false) }
        case (.fixedArray(let element, let count), .array(let values)):
            try check(values, count)
            for value in values { try writeInPlace(value, as: element, isOutermost: false) }
        case (.tuple(let types), .tuple(let values)):
            try check(values, types.count)
            for (value, type) in zip(values, types) {
                try writeInPlace(value, as: type, isOutermost: false)
            }
        default: try writeWord(value, as: type)
        }
    }
}

extension BigInt {
    /// Returns whether the number fits into `bits` bits in two's complement.
    fileprivate func fits(bits: Int) -> Bool {
        if magnitude.bitWidth < bits { return true }
        return sign == .minus && magnitude == BigUInt(1) << (bits - 1)
    }
}
