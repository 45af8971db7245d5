import Crypto
import CryptoExtras
import Foundation

/// The words from which an account and all its derived keys can be restored.
///
/// It is stored as the words' entropy, in memory that is overwritten when freed; the words are
/// computed on demand. Show them once, and keep no copy.
///
/// Source: BIP-39, English word list.
package struct RecoveryPhrase: Sendable {
    /// 12, 15, 18, 21 or 24 words.
    private static let entropyByteCounts = [16, 20, 24, 28, 32]
    private static let bitsPerWord = 11

    private let entropy: SecretBytes

    /// Takes 16, 20, 24, 28 or 32 secret bytes; `nil` for any other number.
    package init?(entropy: SecretBytes) {
        guard Self.entropyByteCounts.contains(entropy.count) else { return nil }
        self.entropy = entropy
    }

    /// Returns twelve new words (128 bits) from the system's random source.
    package static func random() -> RecoveryPhrase {
        guard let phrase = RecoveryPhrase(entropy: .random(count: 16)) else {
            preconditionFailure("16 is among the lengths")
        }
        return phrase
    }

    /// Reads words as people keep them.
    ///
    /// They can be in any case, in lines or columns, numbered, with any punctuation, and shortened
    /// to their first four letters, which are enough to distinguish them.
    ///
    /// - Throws: ``RecoveryPhraseError`` with the word that is wrong.
    package init(text: String) throws(RecoveryPhraseError) {
        let words = PhraseText.words(text)
        if let language = PhraseLanguage.other(of: words) { throw .language(language) }
        let byteCount = words.count * Self.bitsPerWord * 32 / 33 / 8
        guard words.count.isMultiple(of: 3), Self.entropyByteCounts.contains(byteCount) else {
            throw .wordCount(words.count)
        }
        var numbers: [Int] = []
        for (index, word) in words.enumerated() {
            guard let number = EnglishWords.number(of: word) else {
                throw .unknownWord(position: index + 1, nearest: EnglishWords.nearest(to: word))
            }
            numbers.append(number)
        }
        var bytes = Self.bytes(numbers)
        let all = SecretBytes(taking: &bytes)
        entropy = unsafe all.withBytes { unsafe SecretBytes(copying: $0.prefix(byteCount)) }
        guard unsafe entropy.withBytes({ unsafe Self.numbers($0) }) == numbers else {
            throw .checksum
        }
    }

    /// Returns the words, in order.
    ///
    /// Only for showing them to their owner.
    package func words() -> [String] {
        unsafe entropy.withBytes { unsafe Self.numbers($0) }.map { EnglishWords.all[$0] }
    }

    /// Derives the 64-byte seed of all keys; another passphrase gives another seed.
    package func seed(passphrase: String = "") -> SecretBytes {
        let salt = Array("mnemonic".utf8) + passphrase.decomposedStringWithCompatibilityMapping.utf8
        let derived = unsafe sentence.withBytes { sentence in
            try? unsafe KDF.Insecure.PBKDF2.deriveKey(
                from: sentence,
                salt: salt,
                using: .sha512,
                outputByteCount: 64,
                unsafeUncheckedRounds: 2_048
            )
        }
        guard let derived else { preconditionFailure("these lengths always give a seed") }
        return unsafe derived.withUnsafeBytes { unsafe SecretBytes(copying: $0) }
    }

    /// The words, separated by single spaces.
    private var sentence: SecretBytes {
        let words = words()
        let count = words.reduce(words.count - 1) { $0 + $1.utf8.count }
        return unsafe SecretBytes(count: count) { sentence in
            var place = 0
            for word in words {
                for byte in word.utf8 {
                    unsafe sentence[place] = byte
                    place += 1
                }
                if place < count { unsafe sentence[place] = UInt8(ascii: " ") }
                place += 1
            }
        }
    }

    /// Lends the entropy to `body`, for encryption.
    package func withEntropy<Value>(
        _ body: (UnsafeRawBufferPointer) throws -> Value
    ) rethrows -> Value {
        try unsafe entropy.withBytes(body)
    }

    /// Returns the word numbers of the entropy and its checksum, 11 bits each.
    private static func numbers(_ entropy: UnsafeRawBufferPointer) -> [Int] {
        var digest = SHA256()
        unsafe digest.update(bufferPointer: entropy)
        let checksum = digest.finalize().first { _ in true } ?? 0
        var numbers: [Int] = []
        var pending = 0
        var bitCount = 0
        func take(_ byte: UInt8) {
            pending = (pending << 8 | Int(byte)) & 0xF_FFFF
            bitCount += 8
            guard bitCount >= bitsPerWord else { return }
            bitCount -= bitsPerWord
            numbers.append(pending >> bitCount & 0x7FF)
        }
        for index in entropy.indices { unsafe take(entropy[index]) }
        take(checksum)
        return numbers
    }

    /// Returns the bits of the words as bytes, the checksum last.
    private static func bytes(_ numbers: [Int]) -> [UInt8] {
        var bytes: [UInt8] = []
        var pending = 0
        var bitCount = 0
        for number in numbers {
            pending = (pending << bitsPerWord | number) & 0xF_FFFF
            bitCount += bitsPerWord
            while bitCount >= 8 {
                bitCount -= 8
                bytes.append(UInt8(truncatingIfNeeded: pending >> bitCount))
            }
        }
        return bytes
    }
}

extension RecoveryPhrase: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    package var description: String { "secret" }
    package var debugDescription: String { "secret" }
    package var customMirror: Mirror { Mirror(self, children: [], displayStyle: .struct) }
}

/// Why words are not a recovery phrase.
package enum RecoveryPhraseError: Error, Equatable, Sendable {
    /// The words are of a language other than English; this is its name.
    case language(String)
    /// Not 12, 15, 18, 21 or 24 words.
    case wordCount(Int)
    /// The word at this position, from 1, is not in the list; `nearest` is the most similar one.
    case unknownWord(position: Int, nearest: String)
    /// Each word is in the list, but the checksum is wrong: one is mistaken, or two are swapped.
    case checksum
}
