import Crypto
import Foundation
import Testing

@testable import Keys

struct EnglishWordsTests {
    @Test func `has exactly the words of the standard's list`() {
        // The file english.txt of BIP-39, a word on each line.
        let list = EnglishWords.all.map { $0 + "\n" }.joined()
        #expect(
            Hex.encode(Array(SHA256.hash(data: Data(list.utf8))))
                == "2f5eed53a4727b4bf8880d8f3f199efc90e58503646d9ff8eff3a2ed3b24dbda"
        )
    }
}
