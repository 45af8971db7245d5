import Foundation
import Keys
import Testing

/// Files that other programs write.
struct OtherWalletFileTests {
    /// A key of 30 bytes, sealed without the zeros in front of it, in a file without an id.
    private static let early = """
        {"crypto":{"cipher":"aes-128-ctr","cipherparams":{"iv":"c25c045a6e6cbcf686ccbdfd904c9f7b"},
        "ciphertext":"96b6e2fb42d10fe81382b3c950860ac761d52ade82327b8857197d64915d","kdf":"scrypt",
        "kdfparams":{"dklen":32,"n":1024,"p":1,"r":8,
        "salt":"759aa9be613a5179ef2f2a8e8ca5591311b387ceaf976faad54965cd16d22b91"},
        "mac":"db4c22fc1838b0bb9452da31b39626243cdc5177c2c5daa0569bf58d6ccf376d"},"version":3}
        """

    private static func error(_ file: String) -> KeystoreError? {
        do throws(KeystoreError) {
            _ = try Keystore(json: Array(file.utf8))
            return nil
        } catch {
            return error
        }
    }

    @Test(arguments: [
        early, early.replacing(#""version""#, with: #""id":null,"version""#), "\u{FEFF}" + early,
        early.replacing("aes-128-ctr", with: "AES-128-CTR"),
    ])
    func `opens an early program's key that lacks leading zeros`(file: String) throws {
        let keystore = try Keystore(json: Array(file.utf8))
        let key = try keystore.unlock(password: SecretBytes(text: "early bird 1"))
        #expect(key.address.checksummed == "0x47dEb5F309280b37adBB8A1230017D7D2E1Aebf8")
        #expect(throws: KeystoreError.wrongPasswordOrDamaged) {
            try keystore.unlock(password: SecretBytes(text: "early bird 2"))
        }
    }

    @Test func `refuses a keystore without a sealed key`() {
        let empty = Self.early.replacing(#/"ciphertext":"[0-9a-f]*"/#, with: #""ciphertext":"""#)
        #expect(Self.error(empty) == .malformed(.ciphertext))
    }

    /// - From people: a wallet file that is not a keystore: from the presale, a validator or
    ///   MetaMask, with a sealed phrase, of version 1, or a list → bad_key
    @Test(
        arguments: [
            (#"{"encseed":"aa","ethaddr":"2f","email":"a@b.example","btcaddr":"1B"}"#, .presale),
            (
                #"{"crypto":{"kdf":{"function":"scrypt"},"checksum":{},"cipher":{}},"version":4}"#,
                .validatorKey
            ),
            (#"{"data":"q83v","iv":"AAAA","salt":"c2FsdA=="}"#, .metaMaskVault),
            (
                #"{"data":"q8","iv":"AA","salt":"c2","keyMetadata":{"algorithm":"PBKDF2"}}"#,
                .metaMaskVault
            ),
            (
                #"{"Address":"2f","Crypto":{"CipherText":"aa","KeyHeader":{}},"Version":"1"}"#,
                .oldKeystore
            ),
            (#"{"crypto":{},"encMnemonic":{},"imTokenMeta":{},"version":44}"#, .sealedPhrase),
            ("[]", .list(0)), ("[\(early)]", .list(1)), ("[1,2,3]", .list(3)),
            (
                early.replacing(
                    #""ciphertext":""#,
                    with: #""ciphertext":"\#(String(repeating: "ab", count: 44))"#
                )
                .replacing(#""version""#, with: #""type":"mnemonic","version""#),
                .sealedPhrase
            ),
        ] as [(String, OtherWalletFile)]
    )
    func `recognises the kind of another wallet's file`(file: String, kind: OtherWalletFile) {
        #expect(Self.error(file) == .otherWallet(kind))
    }
}
