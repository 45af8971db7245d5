package import Client
package import Keys

extension KeystoreError {
    /// Why the file cannot be opened, and the next step.
    package var reason: Sentence {
        switch self {
        case .truncated: Sentence("refusal.keystoreCut")
        case .malformed(.crypto): Sentence("refusal.keystoreNoCrypto")
        case .malformed(let field): Sentence("refusal.keystoreField", ["field": field.rawValue])
        case .unsupported(let field):
            Sentence("refusal.keystoreUnsupported", ["field": field.rawValue])
        case .otherWallet(let file): file.reason
        case .tooCostly(let field): Sentence("refusal.keystoreCostly", ["field": field.rawValue])
        case .damaged: Sentence("refusal.keystoreDamaged")
        case .wrongPassword: Sentence("refusal.keystorePassword")
        case .wrongPasswordOrDamaged: Sentence("refusal.keystorePasswordOrDamaged")
        case .wrongKey(let expected, let found):
            Sentence("refusal.keystoreOtherKey", ["expected": "\(expected)", "found": "\(found)"])
        case .noKey: Sentence("refusal.keystoreNoKey")
        case .outOfMemory: Sentence("refusal.noMemoryForKey")
        }
    }
}

extension OtherWalletFile {
    /// The kind of the file, and how its key can be imported.
    fileprivate var reason: Sentence {
        switch self {
        case .presale: Sentence("refusal.presaleFile")
        case .validatorKey: Sentence("refusal.validatorFile")
        case .sealedPhrase: Sentence("refusal.sealedPhraseFile")
        case .metaMaskVault: Sentence("refusal.metaMaskFile")
        case .oldKeystore: Sentence("refusal.oldKeystoreFile")
        case .list(let count): Sentence("refusal.listFile", ["count": "\(count)"])
        }
    }
}

extension RecoveryPhraseError {
    /// Why the words are not a recovery phrase.
    package var reason: Sentence {
        switch self {
        case .language(let name):
            Sentence("refusal.phraseLanguage", ["language": "language.\(name)"])
        case .wordCount(let count): Sentence("refusal.phraseLength", ["count": "\(count)"])
        case .unknownWord(let position, let nearest):
            Sentence("refusal.phraseWord", ["position": "\(position)", "nearest": nearest])
        case .checksum: Sentence("refusal.phraseChecksum")
        }
    }
}
