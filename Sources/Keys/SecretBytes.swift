import Glibc

/// Secret bytes such as private keys, seeds and passwords, and values derived from them.
///
/// All secrets live in this type. Its memory is locked if the system allows it, overwritten when
/// the last reference is released, never copied by this type, and never printed.
@safe
package final class SecretBytes: Sendable {
    package let count: Int

    // Written only in `init`, before any reference is shared; freed only in `deinit`.
    private nonisolated(unsafe) let memory: UnsafeMutableRawBufferPointer

    /// Allocates `count` bytes and lets `fill` write them.
    package init(count: Int, fill: (UnsafeMutableRawBufferPointer) throws -> Void) rethrows {
        self.count = count
        unsafe memory = LockedMemory.shared.allocate(byteCount: count)
        try unsafe fill(memory)
    }

    /// Allocates a table of `count` bytes and lets `fill` write it; `nil` without enough memory.
    package init?(
        ifRoomFor count: Int,
        fill: (UnsafeMutableRawBufferPointer) throws -> Void
    ) rethrows {
        guard let memory = unsafe LockedMemory.shared.allocateIfThereIsRoom(byteCount: count) else {
            return nil
        }
        self.count = count
        unsafe self.memory = memory
        try unsafe fill(memory)
    }

    /// Copies `bytes`; the caller is responsible for the original.
    package convenience init(copying bytes: some Collection<UInt8>) {
        unsafe self.init(count: bytes.count) { memory in
            unsafe memory.copyBytes(from: bytes)
        }
    }

    /// Copies `bytes` and overwrites the original.
    package convenience init(taking bytes: inout [UInt8]) {
        self.init(copying: bytes)
        unsafe bytes.withUnsafeMutableBytes { original in
            if let start = original.baseAddress {
                unsafe explicit_bzero(start, original.count)
            }
        }
    }

    /// Copies the UTF-8 bytes of a text; the text itself cannot be overwritten.
    package convenience init(text: some StringProtocol) {
        self.init(copying: text.utf8)
    }

    /// Decodes hexadecimal digits, optionally after `0x`, and within white space, quotes and a byte
    /// order mark.
    ///
    /// `nil` for anything else.
    package convenience init?(hexadecimal digits: SecretBytes) {
        let range = digits.digits
        guard range.count.isMultiple(of: 2) else { return nil }
        var isRead = true
        unsafe self.init(count: range.count / 2) { memory in
            unsafe digits.withBytes { digits in
                for index in memory.indices {
                    let place = range.lowerBound + 2 * index
                    let high = unsafe Self.value(ofDigit: digits[place])
                    let low = unsafe Self.value(ofDigit: digits[place + 1])
                    isRead = isRead && high < 16 && low < 16
                    unsafe memory[index] = high << 4 | low & 15
                }
            }
        }
        guard isRead else { return nil }
    }

    /// Returns bytes from the system's random source.
    package static func random(count: Int) -> SecretBytes {
        var source = SystemRandomNumberGenerator()
        return unsafe SecretBytes(count: count) { memory in
            for index in memory.indices { unsafe memory[index] = source.next() }
        }
    }

    deinit {
        unsafe LockedMemory.shared.free(memory)
    }

    /// Lends the bytes to `body`, which must not keep or copy them.
    package func withBytes<Value>(
        _ body: (UnsafeRawBufferPointer) throws -> Value
    ) rethrows -> Value {
        guard unsafe memory.isEmpty else { return try unsafe body(UnsafeRawBufferPointer(memory)) }
        // C libraries, and wrappers of them, require an address even for no bytes.
        return try unsafe withUnsafeBytes(of: 0 as UInt8) { byte in
            try unsafe body(UnsafeRawBufferPointer(rebasing: byte[..<0]))
        }
    }

    /// Returns the bytes as lower-case hexadecimal digits with a line break.
    package func hexadecimalLine() -> SecretBytes {
        let digits = Array("0123456789abcdef".utf8)
        return unsafe SecretBytes(count: 2 * count + 1) { line in
            unsafe withBytes { bytes in
                for unsafe(index, byte) in unsafe bytes.enumerated() {
                    unsafe line[2 * index] = digits[Int(byte >> 4)]
                    unsafe line[2 * index + 1] = digits[Int(byte & 15)]
                }
            }
            unsafe line[2 * count] = UInt8(ascii: "\n")
        }
    }

    /// Whether the system keeps the bytes out of swap.
    package var isLocked: Bool { unsafe LockedMemory.shared.isLocked(memory) }

    /// The range of the digits, without `0x` and the characters around them.
    private var digits: Range<Int> {
        // No byte of these characters is a digit, so each byte can be skipped individually.
        let blanks = Array(" \t\r\n\"'\u{A0}\u{FEFF}".utf8)
        return unsafe withBytes { bytes in
            guard let first = unsafe bytes.firstIndex(where: { !blanks.contains($0) }),
                let last = unsafe bytes.lastIndex(where: { !blanks.contains($0) })
            else { return 0..<0 }
            let isMarked =
                unsafe last > first && bytes[first] == UInt8(ascii: "0")
                && bytes[first + 1] | 0x20 == UInt8(ascii: "x")
            return (isMarked ? first + 2 : first)..<last + 1
        }
    }

    /// Returns 0 to 15; 255 for a byte that is not a digit.
    private static func value(ofDigit byte: UInt8) -> UInt8 {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): byte - UInt8(ascii: "0")
        case UInt8(ascii: "a")...UInt8(ascii: "f"): byte - UInt8(ascii: "a") + 10
        case UInt8(ascii: "A")...UInt8(ascii: "F"): byte - UInt8(ascii: "A") + 10
        default: 255
        }
    }
}

extension SecretBytes: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    package var description: String { "secret" }
    package var debugDescription: String { "secret" }
    package var customMirror: Mirror { Mirror(self, children: [], displayStyle: .class) }
}
