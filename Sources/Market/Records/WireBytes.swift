import BigInt
import Keys

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

// The generated messages hold bytes as Foundation's Data; only this file creates it.

extension Sequence<UInt8> {
    var data: Data { Data(self) }
}

extension Bytes32 {
    var data: Data { Data(bytes) }
}

extension Address {
    var data: Data { Data(bytes) }

    /// Empty for the zero address, which means "none".
    var dataOrNone: Data { self == .zero ? Data() : data }

    /// Reads 20 bytes, or no bytes for the zero address, which is not written.
    static func orNone(_ bytes: Data) -> Address? {
        guard !bytes.isEmpty else { return .zero }
        return Address(bytes).flatMap { $0 == .zero ? nil : $0 }
    }
}

extension Amount {
    var data: Data { Data(minimalBytes) }

    /// Reads big-endian bytes without leading zeros.
    init?(minimal bytes: Data) {
        guard bytes.first != 0 else { return nil }
        self.init(bigEndian: bytes)
    }
}
