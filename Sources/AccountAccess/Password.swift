package import Answers
import Client
import Foundation
package import Keys
import Market

/// A password in the forms that can open a keystore.
///
/// Keyboards and systems write the same letter differently (é, or e and an accent), so keystores
/// are sealed with Unicode's normal form NFC, and by other programs with any form.
///
/// Source: Unicode Standard Annex 15; Docs/protocol.md, section 2.5.
package struct Password: Sendable {
    /// How many characters a new password can have.
    package static let lengths = 8...1_024

    /// The form that new keystores are sealed with.
    package let normal: SecretBytes
    /// The text as typed, if it differs.
    private let typed: SecretBytes?

    package init(_ text: String) {
        let composed = text.precomposedStringWithCanonicalMapping
        normal = SecretBytes(text: composed)
        // Compared by bytes: Swift takes texts of different forms for equal.
        typed = text.utf8.elementsEqual(composed.utf8) ? nil : SecretBytes(text: text)
    }

    /// Opens a keystore: one of this node with the normal form, a file of another program with any.
    ///
    /// - Parameters:
    ///   - keystore: The keystore of an account here, or a file of another program.
    ///   - isForeign: Whether another program may have sealed it.
    /// - Returns: The key.
    /// - Throws: `KeystoreError`
    package func unlock(
        _ keystore: Keystore,
        isForeign: Bool = false
    ) throws(KeystoreError) -> PrivateKey {
        var problem: KeystoreError
        do { return try keystore.unlock(password: normal) } catch { problem = error }
        for form in isForeign ? foreignForms() : [] {
            guard problem == .wrongPassword || problem == .wrongPasswordOrDamaged else { break }
            do { return try keystore.unlock(password: form) } catch { problem = error }
        }
        throw problem
    }

    /// Returns the text as typed, NFD, NFKC and NFKD, as far as they differ.
    ///
    /// They are made only for another program's keystore, because texts cannot be overwritten.
    private func foreignForms() -> [SecretBytes] {
        let text = unsafe (typed ?? normal).withBytes { bytes in
            unsafe String(decoding: bytes, as: UTF8.self)
        }
        var known = [text.precomposedStringWithCanonicalMapping]
        let forms = [
            text, text.decomposedStringWithCanonicalMapping,
            text.precomposedStringWithCompatibilityMapping,
            text.decomposedStringWithCompatibilityMapping,
        ]
        for form in forms where !known.contains(where: { $0.utf8.elementsEqual(form.utf8) }) {
            known.append(form)
        }
        return known.dropFirst().map { SecretBytes(text: $0) }
    }

    /// Checks that a new password is long enough and can be typed again.
    ///
    /// - Throws: ``Refusal`` with `weak_password` or `malformed_value`, which names the character,
    ///   and the field that contained the password.
    package static func check(_ text: String, field: String = "password") throws(Refusal) {
        let length = text.unicodeScalars.count
        guard length >= lengths.lowerBound else {
            throw Refusal(
                .weakPassword,
                Sentence("refusal.passwordShort", ["least": "\(lengths.lowerBound)"]),
                field: field
            )
        }
        guard length <= lengths.upperBound else {
            throw Refusal(
                .malformedValue,
                Sentence("refusal.passwordLong", ["most": "\(lengths.upperBound)"]),
                field: field
            )
        }
        if let place = text.unicodeScalars.firstIndex(where: PlainText.isNotSeen) {
            let number = text.unicodeScalars.distance(from: text.startIndex, to: place) + 1
            throw Refusal(
                .malformedValue,
                Sentence("refusal.passwordUnseen", ["number": "\(number)"]),
                field: field
            )
        }
    }
}
