import BigInt
import Keys

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

// The generated messages hold bytes as Foundation's Data; only this file makes them.

extension Sequence<UInt8> {
    var data: Data { Data(self) }
}

extension Bytes32 {
    var data: Data { Data(bytes) }
}

extension Address {
    var data: Data { Data(bytes) }

    /// None for the address that says "none".
    var dataOrNone: Data { self == .zero ? Data() : data }

    /// Reads 20 bytes, or none for the address that says "none", whose zeros are not written.
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
