import Crypto
import CryptoExtras
import FoundationEssentials

/// scrypt for block sizes that are too small for the library.
///
/// BoringSSL enforces RFC 7914's n < 2^(16 r). Early wallets wrote n = 2¹⁸ with r = 1, and their
/// files must still open. Never used for writing.
///
/// Source: RFC 7914, sections 3 to 6.
enum Scrypt {
    /// Whether the library supports these parameters.
    static func isCommon(_ cost: KeystoreCost) -> Bool {
        cost.blockSize >= 4 || cost.rounds < 1 << (16 * cost.blockSize)
    }

    /// Derives 32 bytes.
    ///
    /// - Throws: ``KeystoreError/outOfMemory``, or what the library throws for lack of memory.
    static func derive(
        password: UnsafeRawBufferPointer,
        salt: [UInt8],
        cost: KeystoreCost
    ) throws -> SymmetricKey {
        let blockBytes = 128 * cost.blockSize
        let blocks = try unsafe expand(password, salt, to: blockBytes * cost.parallelism)
        let mixed = try unsafe SecretBytes(ifRoomFor: blockBytes * cost.parallelism) { all in
            unsafe blocks.withUnsafeBytes { unsafe all.copyMemory(from: $0) }
            for start in stride(from: 0, to: all.count, by: blockBytes) {
                let block = unsafe all[start..<start + blockBytes]
                try unsafe mix(UnsafeMutableRawBufferPointer(rebasing: block), cost)
            }
        }
        guard let mixed else { throw KeystoreError.outOfMemory }
        return try unsafe mixed.withBytes { try unsafe expand(password, $0, to: 32) }
    }

    private static func expand(
        _ password: UnsafeRawBufferPointer,
        _ salt: some DataProtocol,
        to byteCount: Int
    ) throws -> SymmetricKey {
        try unsafe KDF.Insecure.PBKDF2.deriveKey(
            from: password,
            salt: salt,
            using: .sha256,
            outputByteCount: byteCount,
            unsafeUncheckedRounds: 1
        )
    }

    /// Section 5, "scryptROMix"; table and scratch memory are overwritten when freed.
    private static func mix(
        _ block: UnsafeMutableRawBufferPointer,
        _ cost: KeystoreCost
    ) throws(KeystoreError) {
        let words = block.count / 4
        let table = cost.rounds * block.count
        let scratch = unsafe SecretBytes(ifRoomFor: table + block.count + 64) { memory in
            let all = unsafe memory.bindMemory(to: UInt32.self)
            let x = unsafe block.bindMemory(to: UInt32.self)
            let y = unsafe UnsafeMutableBufferPointer(rebasing: all[(cost.rounds * words)...])
            for row in 0..<cost.rounds {
                for word in 0..<words { unsafe all[row * words + word] = x[word] }
                unsafe mixBlock(x, y)
            }
            for _ in 0..<cost.rounds {
                let last = unsafe UInt32(littleEndian: x[words - 16])
                let row = Int(last) & (cost.rounds - 1)
                for word in 0..<words { unsafe x[word] ^= all[row * words + word] }
                unsafe mixBlock(x, y)
            }
        }
        if scratch == nil { throw .outOfMemory }
    }

    /// Section 4, "scryptBlockMix"; `y` has room for a block and 16 more words.
    private static func mixBlock(
        _ x: UnsafeMutableBufferPointer<UInt32>,
        _ y: UnsafeMutableBufferPointer<UInt32>
    ) {
        let count = x.count / 16
        let t = x.count
        for word in 0..<16 { unsafe y[t + word] = x[(count - 1) * 16 + word] }
        for part in 0..<count {
            for word in 0..<16 { unsafe y[t + word] ^= x[part * 16 + word] }
            unsafe salsa(UnsafeMutableBufferPointer(rebasing: y[t..<t + 16]))
            let place = (part.isMultiple(of: 2) ? part / 2 : (count + part) / 2) * 16
            for word in 0..<16 { unsafe y[place + word] = y[t + word] }
        }
        for word in 0..<x.count { unsafe x[word] = y[word] }
    }

    /// Section 3, "The Salsa20/8 Core Function".
    private static func salsa(_ b: UnsafeMutableBufferPointer<UInt32>) {
        var (x0, x1, x2, x3) = unsafe (b[0], b[1], b[2], b[3])
        var (x4, x5, x6, x7) = unsafe (b[4], b[5], b[6], b[7])
        var (x8, x9, x10, x11) = unsafe (b[8], b[9], b[10], b[11])
        var (x12, x13, x14, x15) = unsafe (b[12], b[13], b[14], b[15])
        for _ in 0..<4 {
            quarter(&x0, &x4, &x8, &x12)
            quarter(&x5, &x9, &x13, &x1)
            quarter(&x10, &x14, &x2, &x6)
            quarter(&x15, &x3, &x7, &x11)
            quarter(&x0, &x1, &x2, &x3)
            quarter(&x5, &x6, &x7, &x4)
            quarter(&x10, &x11, &x8, &x9)
            quarter(&x15, &x12, &x13, &x14)
        }
        let sums: [16 of UInt32] = [
            x0, x1, x2, x3, x4, x5, x6, x7, x8, x9, x10, x11, x12, x13, x14, x15,
        ]
        for word in 0..<16 { unsafe b[word] &+= sums[word] }
    }

    private static func quarter(
        _ a: inout UInt32,
        _ b: inout UInt32,
        _ c: inout UInt32,
        _ d: inout UInt32
    ) {
        b ^= turn(a &+ d, 7)
        c ^= turn(b &+ a, 9)
        d ^= turn(c &+ b, 13)
        a ^= turn(d &+ c, 18)
    }

    private static func turn(_ word: UInt32, _ bits: UInt32) -> UInt32 {
        word &<< bits | word &>> (32 &- bits)
    }
}
