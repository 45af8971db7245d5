import AccountAccess
import Client
import Keys
import Testing

/// The words for keystores and phrases that open no key.
struct KeyErrorTests {
    @Test(arguments: [
        OtherWalletFile.presale, .validatorKey, .sealedPhrase, .metaMaskVault, .oldKeystore,
        .list(1),
    ])
    func `says what to do with each kind of file`(kind: OtherWalletFile) {
        let words = KeystoreError.otherWallet(kind).reason.detail
        #expect(words.hasPrefix("The file "))
        #expect(words.contains("import") || words.contains("Import") || words.contains("copy one"))
    }

    @Test(arguments: [
        "Chinese", "Czech", "French", "Italian", "Japanese", "Korean", "Portuguese", "Spanish",
    ])
    func `has a word for the language of a phrase`(language: String) {
        let reason = RecoveryPhraseError.language(language).reason
        #expect(reason.detail.hasPrefix("This is a phrase of \(language) words, but only English"))
    }

    @Test func `names the place of a word that is not in the list`() {
        let reason = RecoveryPhraseError.unknownWord(position: 3, nearest: "zoo").reason
        #expect(reason.values == ["position": "3", "nearest": "zoo"])
        #expect(reason.detail == "Word 3 is not in the list; did you mean 'zoo'?")
    }
}
