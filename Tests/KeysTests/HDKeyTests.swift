import Keys
import Testing

struct HDKeyTests {
    private static let seeds = [
        "000102030405060708090a0b0c0d0e0f",
        """
        fffcf9f6f3f0edeae7e4e1dedbd8d5d2cfccc9c6c3c0bdbab7b4b1aeaba8a5a29f9c999693908d8a8784817e7b78\
        75726f6c696663605d5a5754514e4b484542
        """,
        """
        4b381541583be4423346c643850da4b320e46a87ae3d2a4e6da11eba819cd4acba45d239319ac14f863b8d5ab5a0\
        d0c64d2e8a1e7d1457df2e5a3c51c73235be
        """,
        "3ddd5602285899a946114506157c7997e5444528f3003f6134712147db19b678",
    ]

    /// Test vectors 1 to 4 of BIP-32; the fourth holds keys that begin with zeros.
    @Test(arguments: [
        (
            0, "m",
            "xprv9s21ZrQH143K3QTDL4LXw2F7HEK3wJUD2nW2nRk4stbPy6cq3jPPqjiChkVvvNKmPGJxWUtg6LnF5kejMRNNU3TGtRBeJgk33yuGBxrMPHi"
        ),
        (
            0, "m/0'",
            "xprv9uHRZZhk6KAJC1avXpDAp4MDc3sQKNxDiPvvkX8Br5ngLNv1TxvUxt4cV1rGL5hj6KCesnDYUhd7oWgT11eZG7XnxHrnYeSvkzY7d2bhkJ7"
        ),
        (
            0, "m/0h/1",
            "xprv9wTYmMFdV23N2TdNG573QoEsfRrWKQgWeibmLntzniatZvR9BmLnvSxqu53Kw1UmYPxLgboyZQaXwTCg8MSY3H2EU4pWcQDnRnrVA1xe8fs"
        ),
        (
            0, "m/0'/1/2H",
            "xprv9z4pot5VBttmtdRTWfWQmoH1taj2axGVzFqSb8C9xaxKymcFzXBDptWmT7FwuEzG3ryjH4ktypQSAewRiNMjANTtpgP4mLTj34bhnZX7UiM"
        ),
        (
            0, "m/0'/1/2'/2",
            "xprvA2JDeKCSNNZky6uBCviVfJSKyQ1mDYahRjijr5idH2WwLsEd4Hsb2Tyh8RfQMuPh7f7RtyzTtdrbdqqsunu5Mm3wDvUAKRHSC34sJ7in334"
        ),
        (
            0, "m/0'/1/2'/2/1000000000",
            "xprvA41z7zogVVwxVSgdKUHDy1SKmdb533PjDz7J6N6mV6uS3ze1ai8FHa8kmHScGpWmj4WggLyQjgPie1rFSruoUihUZREPSL39UNdE3BBDu76"
        ),
        (
            1, "m",
            "xprv9s21ZrQH143K31xYSDQpPDxsXRTUcvj2iNHm5NUtrGiGG5e2DtALGdso3pGz6ssrdK4PFmM8NSpSBHNqPqm55Qn3LqFtT2emdEXVYsCzC2U"
        ),
        (
            1, "m/0",
            "xprv9vHkqa6EV4sPZHYqZznhT2NPtPCjKuDKGY38FBWLvgaDx45zo9WQRUT3dKYnjwih2yJD9mkrocEZXo1ex8G81dwSM1fwqWpWkeS3v86pgKt"
        ),
        (
            1, "m/0/2147483647'",
            "xprv9wSp6B7kry3Vj9m1zSnLvN3xH8RdsPP1Mh7fAaR7aRLcQMKTR2vidYEeEg2mUCTAwCd6vnxVrcjfy2kRgVsFawNzmjuHc2YmYRmagcEPdU9"
        ),
        (
            1, "m/0/2147483647'/1",
            "xprv9zFnWC6h2cLgpmSA46vutJzBcfJ8yaJGg8cX1e5StJh45BBciYTRXSd25UEPVuesF9yog62tGAQtHjXajPPdbRCHuWS6T8XA2ECKADdw4Ef"
        ),
        (
            1, "m/0/2147483647'/1/2147483646'",
            "xprvA1RpRA33e1JQ7ifknakTFpgNXPmW2YvmhqLQYMmrj4xJXXWYpDPS3xz7iAxn8L39njGVyuoseXzU6rcxFLJ8HFsTjSyQbLYnMpCqE2VbFWc"
        ),
        (
            1, "m/0/2147483647'/1/2147483646'/2",
            "xprvA2nrNbFZABcdryreWet9Ea4LvTJcGsqrMzxHx98MMrotbir7yrKCEXw7nadnHM8Dq38EGfSh6dqA9QWTyefMLEcBYJUuekgW4BYPJcr9E7j"
        ),
        (
            2, "m",
            "xprv9s21ZrQH143K25QhxbucbDDuQ4naNntJRi4KUfWT7xo4EKsHt2QJDu7KXp1A3u7Bi1j8ph3EGsZ9Xvz9dGuVrtHHs7pXeTzjuxBrCmmhgC6"
        ),
        (
            2, "m/0'",
            "xprv9uPDJpEQgRQfDcW7BkF7eTya6RPxXeJCqCJGHuCJ4GiRVLzkTXBAJMu2qaMWPrS7AANYqdq6vcBcBUdJCVVFceUvJFjaPdGZ2y9WACViL4L"
        ),
        (
            3, "m",
            "xprv9s21ZrQH143K48vGoLGRPxgo2JNkJ3J3fqkirQC2zVdk5Dgd5w14S7fRDyHH4dWNHUgkvsvNDCkvAwcSHNAQwhwgNMgZhLtQC63zxwhQmRv"
        ),
        (
            3, "m/0'",
            "xprv9vB7xEWwNp9kh1wQRfCCQMnZUEG21LpbR9NPCNN1dwhiZkjjeGRnaALmPXCX7SgjFTiCTT6bXes17boXtjq3xLpcDjzEuGLQBM5ohqkao9G"
        ),
        (
            3, "m/0'/1'",
            "xprv9xJocDuwtYCMNAo3Zw76WENQeAS6WGXQ55RCy7tDJ8oALr4FWkuVoHJeHVAcAqiZLE7Je3vZJHxspZdFHfnBEjHqU5hG1Jaj32dVoS6XLT1"
        ),
    ])
    func `derives the keys of the published vectors`(seed: Int, path: String, text: String) throws {
        let bytes = try #require(Hex.decode(Self.seeds[seed]))
        let root = try HDKey(seed: SecretBytes(copying: bytes))
        #expect(try ExtendedKeyText(text).matches(root.derive(HDPath(path))))
    }

    @Test(arguments: [
        (0 as UInt32, "0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266"),
        (1, "0x70997970C51812dc3A010C7d01b50e0d17dc79C8"),
        (2, "0x3C44CdDdB6a900fa2b585dd299e03d12FA4293BC"),
    ])
    func `derives the same accounts as other wallets`(index: UInt32, address: String) throws {
        let phrase = try RecoveryPhrase(
            text: "test test test test test test test test test test test junk"
        )
        let keys = try AccountKeys(seed: phrase.seed())
        #expect(try keys.key(index).address.checksummed == address)
    }

    @Test(arguments: [
        ("", 0), ("n/0", 0), ("/m", 0), ("m/", 1), ("m/0//1", 2), ("m/-1", 1), ("m/0'/x", 2),
        ("m/2147483648", 1), ("m/''", 1), ("m/ 1", 1), ("m/+1", 1),
    ])
    func `refuses text that is not a path`(text: String, step: Int) {
        #expect(throws: HDKeyError.path(step: step)) { try HDPath(text) }
    }

    @Test func `refuses seeds and indexes out of bounds`() {
        #expect(throws: HDKeyError.seedLength(15)) { try HDKey(seed: .random(count: 15)) }
        #expect(throws: HDKeyError.seedLength(65)) { try HDKey(seed: .random(count: 65)) }
        #expect(throws: HDKeyError.path(step: 5)) { try HDPath.account(1 << 31) }
    }
}
