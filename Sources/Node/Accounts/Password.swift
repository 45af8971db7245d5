import Client
import Foundation
package import Keys
import Market

/// A password in the two forms that may open a keystore.
///
/// Keyboards and systems write the same letter differently (é, or e and an accent), so keystores are
/// sealed with Unicode's normal form NFC. Those of earlier versions were sealed with what was typed.
///
/// Source: Unicode Standard Annex 15; Docs/protocol.md, section 2.5.
package struct Password: Sendable {
    /// How many characters a new one has.
    static let lengths = 8...1_024

    /// What a new keystore is sealed with.
    package let normal: SecretBytes
    /// What was typed, if that is another.
    let typed: SecretBytes?

    package init(_ text: String) {
        let composed = text.precomposedStringWithCanonicalMapping
        normal = SecretBytes(text: composed)
        // Texts are compared by their bytes: equal ones of Swift may be of different forms.
        typed = composed.utf8.elementsEqual(text.utf8) ? nil : SecretBytes(text: text)
    }

    /// Opens a keystore with either form.
    ///
    /// Both are tried whatever the keystore, so that the time it takes says nothing of it.
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

    /// Holds a new password to what can be typed again.
    ///
    /// - Throws: ``Refusal`` with `weak_password` or `malformed_value`, and the place.
    package static func check(_ text: String) throws(Refusal) {
        let length = text.unicodeScalars.count
        guard length >= lengths.lowerBound else {
            throw Refusal(
                .weakPassword,
                "A password has \(lengths.lowerBound) characters at least.",
                field: "password"
            )
        }
        guard length <= lengths.upperBound else {
            throw Refusal(
                .malformedValue,
                "A password has \(lengths.upperBound) characters at most.",
                field: "password"
            )
        }
        if let place = text.unicodeScalars.firstIndex(where: PlainText.isNotSeen) {
            let number = text.unicodeScalars.distance(from: text.startIndex, to: place) + 1
            throw Refusal(
                .malformedValue,
                "Character \(number) of the password is a control character, or one that is not "
                    + "seen. Take it out: it could not be typed again.",
                field: "password"
            )
        }
    }
}
