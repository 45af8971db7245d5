import Client
import Foundation
package import Keys
import Market

/// A password in the two forms that can open a keystore.
///
/// Keyboards and systems write the same letter differently (é, or e and an accent), so keystores
/// are sealed with Unicode's normal form NFC. Earlier versions sealed them with the text as typed.
///
/// Source: Unicode Standard Annex 15; Docs/protocol.md, section 2.5.
package struct Password: Sendable {
    /// How many characters a new password can have.
    static let lengths = 8...1_024

    /// The form that new keystores are sealed with.
    package let normal: SecretBytes
    /// The text as typed, if it differs.
    let typed: SecretBytes?

    package init(_ text: String) {
        let composed = text.precomposedStringWithCanonicalMapping
        normal = SecretBytes(text: composed)
        // Compared by bytes: Swift takes texts of different forms for equal.
        typed = composed.utf8.elementsEqual(text.utf8) ? nil : SecretBytes(text: text)
    }

    /// Opens a keystore with either form.
    ///
    /// Tries a wrong password in both forms whatever the keystore, so the time reveals nothing.
    ///
    /// - Throws: `KeystoreError`
    package func unlock(_ keystore: Keystore) throws(KeystoreError) -> PrivateKey {
        do {
            return try keystore.unlock(password: normal)
        } catch {
            guard let typed, error == .wrongPassword || error == .wrongPasswordOrDamaged else {
                throw error
            }
            return try keystore.unlock(password: typed)
        }
    }

    /// Checks that a new password is long enough and can be typed again.
    ///
    /// - Throws: ``Refusal`` with `weak_password` or `malformed_value`, which names the character, and
    ///   the field that the password came in.
    package static func check(_ text: String, field: String = "password") throws(Refusal) {
        let length = text.unicodeScalars.count
        guard length >= lengths.lowerBound else {
            throw Refusal(
                .weakPassword,
                "A password must have at least \(lengths.lowerBound) characters.",
                field: field
            )
        }
        guard length <= lengths.upperBound else {
            throw Refusal(
                .malformedValue,
                "A password can have at most \(lengths.upperBound) characters.",
                field: field
            )
        }
        if let place = text.unicodeScalars.firstIndex(where: PlainText.isNotSeen) {
            let number = text.unicodeScalars.distance(from: text.startIndex, to: place) + 1
            throw Refusal(
                .malformedValue,
                "Character \(number) of the password is a control or invisible character. "
                    + "Remove it: it could not be typed again.",
                field: field
            )
        }
    }
}
