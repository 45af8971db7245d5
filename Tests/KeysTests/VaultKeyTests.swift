import Keys
import Support
import Testing

struct VaultKeyTests {
    @Test func `the account's key opens its vault on any device`() throws {
        let sealed = VaultKey(of: testKey(1)).seal([1, 2, 3], aad: [9])
        #expect(try VaultKey(of: testKey(1)).open(sealed, aad: [9]) == [1, 2, 3])
        #expect(sealed.count == 3 + VaultKey.overheadBytes)
    }

    @Test func `refuses another key, another purpose or a changed byte`() throws {
        let key = VaultKey(of: testKey(1))
        let sealed = key.seal([1, 2, 3], aad: [9])
        #expect(throws: SealingError.notOpened) {
            try VaultKey(of: testKey(2)).open(sealed, aad: [9])
        }
        #expect(throws: SealingError.notOpened) { try key.open(sealed, aad: [8]) }
        for index in sealed.indices {
            var spoilt = sealed
            spoilt[index] ^= 1
            #expect(throws: SealingError.notOpened) { try key.open(spoilt, aad: [9]) }
        }
        #expect(throws: SealingError.tooShort(byteCount: 27)) {
            try key.open(sealed.prefix(27), aad: [9])
        }
    }

    @Test func `a vault's key differs from the account's and is never printed`() throws {
        let account = testKey(1)
        let raw = try #require(
            VaultKey(unsafe account.withBytes { unsafe SecretBytes(copying: $0) })
        )
        let sealed = raw.seal([7], aad: [])
        #expect(throws: SealingError.notOpened) { try VaultKey(of: account).open(sealed, aad: []) }
        #expect("\(raw)" == "secret")
        #expect(VaultKey(SecretBytes(copying: [1])) == nil)
    }
}
