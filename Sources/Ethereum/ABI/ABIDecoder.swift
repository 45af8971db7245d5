import BigInt
import Keys

/// Decodes one encoding from front to back, as strictly as ``ABI`` says.
struct ABIDecoder {
    private let bytes: [UInt8]
    private var valuesLeft = ABILimits.valuesMax

    init(bytes: [UInt8]) {
        self.bytes = bytes
    }

    mutating func decodeAll(
        _ types: [ABIType],
        from start: Int
    ) throws(ABIError) -> [ABIValue] {
        guard types.allSatisfy({ $0.depth <= ABILimits.depthMax }) else {
            throw .tooDeep(maximum: ABILimits.depthMax)
        }
        guard start <= bytes.count else { throw .truncated(offset: bytes.count) }
        var end = start
        let values = try parts(count: types.count, end: &end) { types[$0] }
        guard end == bytes.count else { throw .trailingBytes(offset: end) }
        return values
    }

    /// Decodes heads and their tails; `end` is the offset of their start, and then of their end.
    private mutating func parts(
        count: Int,
        end: inout Int,
        type: (Int) -> ABIType
    ) throws(ABIError) -> [ABIValue] {
        let start = end
        try take(count)
        for index in 0..<count { end += try headByteCount(type(index), at: end) }
        var values: [ABIValue] = []
        values.reserveCapacity(count)
        var head = start
        for index in 0..<count {
            let type = type(index)
            if type.isDynamic {
                guard try length(at: head) == end - start else { throw .offset(at: head) }
                values.append(try tail(type, end: &end))
            } else {
                values.append(try inPlace(type, at: head))
            }
            head += type.headByteCount
        }
        return values
    }

    private func headByteCount(_ type: ABIType, at offset: Int) throws(ABIError) -> Int {
        let byteCount = type.headByteCount
        guard byteCount <= bytes.count - offset else { throw .truncated(offset: offset) }
        return byteCount
    }

    private mutating func tail(
        _ type: ABIType,
        end: inout Int
    ) throws(ABIError) -> ABIValue {
        switch type {
        case .bytes: return .bytes([UInt8](try counted(end: &end)))
        case .string:
            let start = end
            guard let text = String(validating: try counted(end: &end), as: UTF8.self)
            else { throw .text(offset: start) }
            return .string(text)
        case .array(let element):
            let count = try length(at: end)
            end += 32
            let room = (bytes.count - end) / max(1, element.headByteCount)
            guard count <= room else { throw .truncated(offset: end - 32) }
            return .array(try parts(count: count, end: &end) { _ in element })
        case .fixedArray(let element, let count):
            return .array(try parts(count: count, end: &end) { _ in element })
        case .tuple(let types):
            return .tuple(try parts(count: types.count, end: &end) { types[$0] })
        default: preconditionFailure("\(type) is not dynamic")
        }
    }

    private mutating func inPlace(
        _ type: ABIType,
        at offset: Int
    ) throws(ABIError) -> ABIValue {
        switch type {
        case .fixedArray(let element, let count):
            try take(count)
            let step = element.headByteCount
            var values: [ABIValue] = []
            values.reserveCapacity(count)
            for index in 0..<count {
                values.append(try inPlace(element, at: offset + index * step))
            }
            return .array(values)
        case .tuple(let types):
            try take(types.count)
            var values: [ABIValue] = []
            values.reserveCapacity(types.count)
            var offset = offset
            for type in types {
                values.append(try inPlace(type, at: offset))
                offset += type.headByteCount
            }
            return .tuple(values)
        default: return try word(type, at: offset)
        }
    }

    private func word(_ type: ABIType, at offset: Int) throws(ABIError) -> ABIValue {
        guard let value = ABIWord(bytes: bytes, offset: offset).value(of: type) else {
            throw .word(offset: offset, type: type)
        }
        return value
    }

    /// Decodes a length, that many bytes, and their padding.
    private func counted(end: inout Int) throws(ABIError) -> ArraySlice<UInt8> {
        let start = end
        let count = try length(at: start)
        let room = bytes.count - start - 32
        guard count <= room, (count + 31) / 32 * 32 <= room else {
            throw .truncated(offset: start)
        }
        let first = start + 32
        end = first + (count + 31) / 32 * 32
        guard bytes[first + count..<end].allSatisfy({ $0 == 0 }) else {
            throw .word(offset: start, type: .bytes)
        }
        return bytes[first..<first + count]
    }

    /// Decodes a length or an offset; throws `truncated` if it exceeds the number of bytes.
    private func length(at offset: Int) throws(ABIError) -> Int {
        guard bytes.count - offset >= 32 else { throw .truncated(offset: offset) }
        let word = ABIWord(bytes: bytes, offset: offset)
        guard let value = word.small, value <= UInt64(bytes.count) else {
            throw .truncated(offset: offset)
        }
        return Int(value)
    }

    private mutating func take(_ count: Int) throws(ABIError) {
        guard count <= valuesLeft else { throw .tooManyValues(maximum: ABILimits.valuesMax) }
        valuesLeft -= count
    }
}
