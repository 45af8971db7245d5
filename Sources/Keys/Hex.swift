/// Hexadecimal text, as Ethereum writes bytes.
package enum Hex {
    /// Encodes bytes as lower-case digits, without `0x`.
    package static func encode(_ bytes: some Sequence<UInt8>) -> String {
        let lent = bytes.withContiguousStorageIfAvailable { bytes in
            unsafe String(unsafeUninitializedCapacity: 2 * bytes.count) { text in
                unsafe write(UnsafeRawBufferPointer(bytes), to: text)
            }
        }
        return lent ?? encode(Array(bytes))
    }

    /// Writes the digits of bytes into memory that has two places for each.
    ///
    /// - Returns: The number of digits.
    static func write(
        _ bytes: UnsafeRawBufferPointer,
        to text: UnsafeMutableBufferPointer<UInt8>
    ) -> Int {
        for index in bytes.indices {
            let byte = unsafe bytes[index]
            unsafe text[2 * index] = digit(byte >> 4)
            unsafe text[2 * index + 1] = digit(byte & 0x0F)
        }
        return 2 * bytes.count
    }

    /// Decodes digits of either case, with or without `0x`.
    ///
    /// - Returns: The bytes; `nil` for an odd number of digits or an invalid character.
    package static func decode(_ text: some StringProtocol) -> [UInt8]? {
        let decoded = text.utf8.withContiguousStorageIfAvailable { digits in
            unsafe bytes(of: digits)
        }
        // Text that is not contiguous is copied.
        return decoded ?? bytes(of: Array(text.utf8))
    }

    /// Decodes digits in ASCII, as ``decode(_:)``.
    package static func decode(ascii digits: ArraySlice<UInt8>) -> [UInt8]? {
        unsafe digits.withUnsafeBufferPointer { unsafe bytes(of: $0) }
    }

    private static func bytes(of text: some RandomAccessCollection<UInt8>) -> [UInt8]? {
        var digits = text.makeIterator()
        var rest = text.count
        guard rest.isMultiple(of: 2) else { return nil }
        if rest >= 2, text[text.startIndex] == UInt8(ascii: "0"),
            text[text.index(after: text.startIndex)] | 0x20 == UInt8(ascii: "x")
        {
            _ = (digits.next(), digits.next())
            rest -= 2
        }
        var bytes: [UInt8] = []
        bytes.reserveCapacity(rest / 2)
        while let first = digits.next(), let second = digits.next() {
            guard let high = value(of: first), let low = value(of: second) else { return nil }
            bytes.append(high << 4 | low)
        }
        return bytes
    }

    private static func digit(_ value: UInt8) -> UInt8 {
        value < 10 ? UInt8(ascii: "0") + value : UInt8(ascii: "a") + value - 10
    }

    /// Returns the value of a digit of either case; `nil` for another character.
    package static func value(of character: UInt8) -> UInt8? {
        switch character {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): character - UInt8(ascii: "0")
        case UInt8(ascii: "a")...UInt8(ascii: "f"): character - UInt8(ascii: "a") + 10
        case UInt8(ascii: "A")...UInt8(ascii: "F"): character - UInt8(ascii: "A") + 10
        default: nil
        }
    }
}
