import AccountAccess
import Client
import Keys

/// Checks a phrase, keystore or private key before a person types a new password twice.
///
/// The node checks it again: it alone makes the account.
enum KeyCheck {
    /// - Throws: ``Failure`` with the word of the recovery phrase that is wrong.
    static func phrase(_ text: String) throws(Failure) {
        do { _ = try RecoveryPhrase(text: text) } catch {
            throw failure(.usage, .badPhrase, error.reason.detail)
        }
    }

    /// - Throws: ``Failure`` if the text is not that of a keystore file.
    static func keystore(_ file: String) throws(Failure) {
        do { _ = try Keystore(json: Array(file.utf8)) } catch {
            let isOtherText = error == .malformed(.text)
            let reason = isOtherText ? Keystore.reason(forNone: file) : error.reason
            throw failure(.usage, .badKey, reason.detail)
        }
    }

    /// - Throws: ``Failure`` if the keystore's password or the private key is wrong.
    static func key(of request: AccountImport) throws(Failure) {
        if let digits = request.privateKey {
            let bytes = SecretBytes(hexadecimal: SecretBytes(text: digits))
            guard bytes.flatMap({ PrivateKey($0) }) != nil else {
                throw failure(.usage, .badKey, Sentence("refusal.noPrivateKey").detail)
            }
        }
        guard let file = request.keystore, let password = request.keystorePassword,
            // The node says better what is wrong with such a file.
            let keystore = try? Keystore(json: Array(file.utf8))
        else { return }
        do { _ = try Password(password).unlock(keystore, isForeign: true) } catch {
            switch error {
            case .wrongPassword, .wrongPasswordOrDamaged:
                throw failure(.notAllowed, .wrongPassword, error.reason.detail)
            default: return
            }
        }
    }

    private static func failure(
        _ code: ExitReport.Code,
        _ problem: ProblemCode,
        _ words: String
    ) -> Failure {
        Failure(code, words, problem: problem.rawValue)
    }
}
