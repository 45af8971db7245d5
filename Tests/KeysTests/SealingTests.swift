import Keys
import Testing

struct SealingTests {
    private let prekey = Prekey.random()
    private let info: [UInt8] = Array("test".utf8)

    @Test(arguments: [0, 1, 255, 65_536])
    func `opens a message sealed to it`(length: Int) throws {
        let message = (0..<length).map { UInt8(truncatingIfNeeded: $0) }
        let sealed = try Sealing.seal(message, to: prekey.publicKey, info: info, aad: [9])
        #expect(sealed.count == length + Sealing.overheadBytes)
        #expect(try prekey.open(sealed, info: info, aad: [9]) == message)
    }

    @Test func `opens a message only for its recipient and purpose`() throws {
        let sealed = try Sealing.seal([1, 2, 3], to: prekey.publicKey, info: info, aad: [9])
        #expect(throws: SealingError.notOpened) {
            try Prekey.random().open(sealed, info: info, aad: [9])
        }
        #expect(throws: SealingError.notOpened) { try prekey.open(sealed, info: [], aad: [9]) }
        #expect(throws: SealingError.notOpened) { try prekey.open(sealed, info: info, aad: []) }
        for index in stride(from: 0, to: sealed.count, by: 97) + [sealed.count - 1] {
            var spoilt = sealed
            spoilt[index] ^= 1
            #expect(throws: SealingError.notOpened) {
                try prekey.open(spoilt, info: info, aad: [9])
            }
        }
        for count in [0, 1, Sealing.overheadBytes - 1] {
            #expect(throws: SealingError.tooShort(byteCount: count)) {
                try prekey.open(Array(sealed[..<count]), info: info, aad: [9])
            }
        }
        #expect(throws: SealingError.notOpened) {
            try prekey.open(Array(sealed.dropLast()), info: info, aad: [9])
        }
    }

    @Test func `two seals of one message have nothing in common`() throws {
        let first = try Sealing.seal([1], to: prekey.publicKey, info: info, aad: [])
        #expect(try Sealing.seal([1], to: prekey.publicKey, info: info, aad: []) != first)
    }

    @Test func `a stored prekey still opens messages`() throws {
        let stored = unsafe prekey.withSeed { unsafe SecretBytes(copying: $0) }
        let again = try Prekey(seed: stored)
        #expect(again.publicKey == prekey.publicKey)
        let sealed = try Sealing.seal(
            [7],
            to: SealingKey(prekey.publicKey.bytes),
            info: [],
            aad: []
        )
        #expect(try again.open(sealed, info: [], aad: []) == [7])
    }

    @Test(arguments: [0, 1, 2, 3])
    func `refuses a key to which no message can be sealed`(kind: Int) {
        // Of order 1, 4 and 8: any private key gives zeros with them.
        let ofOrder8: [UInt8] = [
            0xE0, 0xEB, 0x7A, 0x7C, 0x3B, 0x41, 0xB8, 0xAE, 0x16, 0x56, 0xE3, 0xFA, 0xF1, 0x9F,
            0xC4,
            0x6A, 0xDA, 0x09, 0x8D, 0xEB, 0x9C, 0x32, 0xB1, 0xFD, 0x86, 0x62, 0x05, 0x16, 0x5F,
            0x49,
            0xB8, 0x00,
        ]
        let zeros = [UInt8](repeating: 0, count: 31)
        let kyber = 1_184
        let valid = prekey.publicKey.bytes
        let bytes: [UInt8] =
            switch kind {
            case 0: valid[..<kyber] + [0] + zeros
            case 1: valid[..<kyber] + [1] + zeros
            case 2: valid[..<kyber] + ofOrder8
            default: [UInt8](repeating: 0xFF, count: kyber) + valid[kyber...]
            }
        #expect(bytes.count == SealingKey.byteCount)
        #expect(throws: SealingError.noKey) { try SealingKey(bytes) }
    }

    @Test(arguments: [0, 32, 1_215, 1_217])
    func `refuses bytes that are not a key`(length: Int) {
        #expect(throws: SealingError.noKey) { try SealingKey([UInt8](repeating: 1, count: length)) }
        #expect(throws: SealingError.noKey) { try Prekey(seed: .random(count: length + 1)) }
    }
}
