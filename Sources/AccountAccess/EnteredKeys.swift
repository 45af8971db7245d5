import Answers
package import Client
package import Keys

extension RecoveryPhrase {
    /// Returns the phrase of a text, or a new one.
    ///
    /// - Throws: ``Refusal`` with `bad_phrase`.
    static func entered(_ text: String?) throws(Refusal) -> RecoveryPhrase {
        guard let text else { return .random() }
        do { return try RecoveryPhrase(text: text) } catch {
            throw Refusal(.badPhrase, error.reason, field: "phrase")
        }
    }

    /// Returns the key of the phrase's first account.
    ///
    /// - Throws: ``Refusal`` with `bad_phrase`.
    func firstKey() throws(Refusal) -> PrivateKey {
        do { return try AccountKeys(seed: seed()).key(0) } catch {
            throw Refusal(
                .badPhrase,
                Sentence("refusal.noKeyOfPhrase", ["reason": "\(error)"]),
                field: "phrase"
            )
        }
    }
}

extension PrivateKey {
    /// Returns the key with these digits.
    ///
    /// - Throws: ``Refusal`` with `bad_key`.
    static func entered(_ digits: String) throws(Refusal) -> PrivateKey {
        guard let bytes = SecretBytes(hexadecimal: SecretBytes(text: digits)),
            let key = PrivateKey(bytes)
        else { throw Refusal(.badKey, Sentence("refusal.noPrivateKey"), field: "privateKey") }
        return key
    }
}

extension Keystore {
    /// Returns the fault of a file that is not JSON, and the next step.
    package static func reason(forNone file: String) -> Sentence {
        if (try? PrivateKey.entered(file)) != nil {
            return Sentence("refusal.plainKeyFile")
        }
        if (try? RecoveryPhrase(text: file)) != nil {
            return Sentence("refusal.phraseFile")
        }
        return Sentence("refusal.noKeystore")
    }
}
