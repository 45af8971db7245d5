import Keys

// The byte forms of values without their own protobuf type.

extension Address {
    /// Empty for the zero address, which means "none".
    var bytesOrNone: [UInt8] { self == .zero ? [] : bytes }

    /// Reads 20 bytes, or no bytes for the zero address, which is not written.
    static func orNone(_ bytes: some Collection<UInt8>) -> Address? {
        guard !bytes.isEmpty else { return .zero }
        return Address(bytes).flatMap { $0 == .zero ? nil : $0 }
    }
}

extension Amount {
    /// Reads big-endian bytes without leading zeros.
    init?(minimal bytes: some Collection<UInt8>) {
        guard bytes.first != 0 else { return nil }
        self.init(bigEndian: bytes)
    }
}

extension PublicKey {
    /// Reads a compressed point.
    init?(wire bytes: ArraySlice<UInt8>) {
        guard bytes.count == 33 else { return nil }
        self.init([UInt8](bytes))
    }
}

/// The cases of an enumeration by their number on the wire, from 1.
extension Array where Element: Equatable {
    /// `nil` for a number that this version does not know.
    subscript(numbered number: UInt64) -> Element? {
        guard number >= 1, number <= UInt64(count) else { return nil }
        return self[Int(number) - 1]
    }

    /// 0 for a case that has no number.
    func number(of element: Element) -> UInt64 {
        firstIndex(of: element).map { UInt64($0 + 1) } ?? 0
    }
}
