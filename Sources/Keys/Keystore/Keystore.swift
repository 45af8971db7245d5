import Crypto
import CryptoExtras
import FoundationEssentials

/// A file with one private key, encrypted with a password, in the format of Ethereum wallets.
///
/// It is written with scrypt, and read with scrypt or PBKDF2. The password is used as UTF-8.
///
/// Source: "Web3 Secret Storage Definition", version 3; Docs/protocol.md, section 2.5.
package struct Keystore: Sendable {
    private enum Derivation {
        case scrypt(KeystoreCost)
        case pbkdf2(rounds: Int)
    }

    private static let keyBytes = 32

    /// The address that the file names; files of other programs may name none.
    package let address: Address?

    private let derivation: Derivation
    private let salt: [UInt8]
    private let iv: [UInt8]
    private let ciphertext: [UInt8]
    private let mac: Bytes32
    /// Whether a checksum confirmed that the file is as it was written.
    private let isWhole: Bool

    /// Parses a file, without its password.
    ///
    /// - Throws: ``KeystoreError`` for a file that no password can open, or that exceeds the limits
    ///   of memory or time.
    package init(json: [UInt8]) throws(KeystoreError) {
        let file = try KeystoreFile.read(json)
        guard file.version == 3 else { throw .unsupported(.version) }
        if let stoa = file.stoa {
            guard let checksum = Bytes32(hex: stoa.checksum) else { throw .malformed(.checksum) }
            guard checksum == file.checksum else { throw .damaged }
        }
        isWhole = file.stoa != nil
        address = try Self.address(file.address)
        let sealed = file.crypto
        guard sealed.cipher.lowercased() == "aes-128-ctr" else { throw .unsupported(.cipher) }
        derivation = try Self.derivation(sealed)
        guard sealed.kdfparams.dklen == 32 else { throw .unsupported(.keyLength) }
        guard let salt = Hex.decode(sealed.kdfparams.salt), salt.count <= 1 << 10 else {
            throw .malformed(.salt)
        }
        guard let iv = Hex.decode(sealed.cipherparams.iv), iv.count == 16 else {
            throw .malformed(.iv)
        }
        guard let ciphertext = Hex.decode(sealed.ciphertext), !ciphertext.isEmpty else {
            throw .malformed(.ciphertext)
        }
        guard ciphertext.count <= Self.keyBytes else { throw .otherWallet(.sealedPhrase) }
        guard let mac = Bytes32(hex: sealed.mac) else { throw .malformed(.mac) }
        (self.salt, self.iv, self.ciphertext, self.mac) = (salt, iv, ciphertext, mac)
    }

    /// Decrypts the key.
    ///
    /// Uses as much time and memory as the file demands.
    ///
    /// - Throws: ``KeystoreError/wrongPassword`` if the file is known to be intact,
    ///   ``KeystoreError/wrongPasswordOrDamaged`` if that is unknown.
    package func unlock(password: SecretBytes) throws(KeystoreError) -> PrivateKey {
        let derived = try Self.derive(derivation, password: password, salt: salt)
        guard Self.mac(derived, ciphertext) == mac else {
            throw isWhole ? .wrongPassword : .wrongPasswordOrDamaged
        }
        var opened = try Self.cipher(ciphertext, derived, iv: iv)
        defer { opened.resetBytes(in: opened.startIndex..<opened.endIndex) }
        // Early programs sealed the number without the zeros in front of it.
        let secret = unsafe SecretBytes(count: Self.keyBytes) { memory in
            let start = Self.keyBytes - opened.count
            for index in memory.indices {
                unsafe memory[index] = index < start ? 0 : opened[opened.startIndex + index - start]
            }
        }
        guard let key = PrivateKey(secret) else { throw .noKey }
        if let address, address != key.address {
            throw .wrongKey(expected: address, found: key.address)
        }
        return key
    }

    /// Encrypts a key and returns the file's text.
    ///
    /// - Throws: ``KeystoreError/outOfMemory`` only.
    package static func seal(
        _ key: PrivateKey,
        password: SecretBytes,
        cost: KeystoreCost = .standard
    ) throws(KeystoreError) -> [UInt8] {
        let salt = Bytes32.random().bytes
        let iv = Array(Bytes32.random().bytes.prefix(16))
        let derived = try derive(.scrypt(cost), password: password, salt: salt)
        var clear = unsafe key.withBytes { unsafe Data($0) }
        defer { clear.resetBytes(in: clear.startIndex..<clear.endIndex) }
        let ciphertext = Array(try cipher(clear, derived, iv: iv))
        var file = KeystoreFile(
            address: Hex.encode(key.address.bytes),
            crypto: KeystoreFile.Sealed(
                cipher: "aes-128-ctr",
                cipherparams: KeystoreFile.CipherParameters(iv: Hex.encode(iv)),
                ciphertext: Hex.encode(ciphertext),
                kdf: "scrypt",
                kdfparams: KeystoreFile.Parameters(
                    dklen: 32,
                    salt: Hex.encode(salt),
                    n: cost.rounds,
                    r: cost.blockSize,
                    p: cost.parallelism
                ),
                mac: mac(derived, ciphertext).digits
            ),
            id: UUID().uuidString.lowercased(),
            version: 3
        )
        file.stoa = KeystoreFile.Extension(checksum: file.checksum.digits)
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys]
        guard let json = try? encoder.encode(file) else {
            preconditionFailure("texts and numbers are always JSON")
        }
        return Array(json)
    }

    private static func address(_ text: String?) throws(KeystoreError) -> Address? {
        guard let text, !text.isEmpty else { return nil }
        guard let bytes = Hex.decode(text), let address = Address(bytes) else {
            throw .malformed(.address)
        }
        return address
    }

    private static func derivation(
        _ sealed: KeystoreFile.Sealed
    ) throws(KeystoreError) -> Derivation {
        let parameters = sealed.kdfparams
        switch sealed.kdf.lowercased() {
        case "scrypt":
            guard let n = parameters.n else { throw .malformed(.rounds) }
            guard let r = parameters.r else { throw .malformed(.blockSize) }
            guard let p = parameters.p else { throw .malformed(.parallelism) }
            return .scrypt(try KeystoreCost(rounds: n, blockSize: r, parallelism: p))
        case "pbkdf2":
            guard parameters.prf?.lowercased() == "hmac-sha256" else { throw .unsupported(.prf) }
            guard let rounds = parameters.c, rounds > 0 else { throw .malformed(.rounds) }
            guard rounds <= KeystoreCost.roundsMax else { throw .tooCostly(.rounds) }
            return .pbkdf2(rounds: rounds)
        default: throw .unsupported(.kdf)
        }
    }

    private static func derive(
        _ derivation: Derivation,
        password: SecretBytes,
        salt: [UInt8]
    ) throws(KeystoreError) -> SymmetricKey {
        do {
            return try unsafe password.withBytes { password in
                switch derivation {
                case .scrypt(let cost) where !Scrypt.isCommon(cost):
                    try unsafe Scrypt.derive(password: password, salt: salt, cost: cost)
                case .scrypt(let cost):
                    try unsafe KDF.Scrypt.deriveKey(
                        from: password,
                        salt: salt,
                        outputByteCount: 32,
                        rounds: cost.rounds,
                        blockSize: cost.blockSize,
                        parallelism: cost.parallelism,
                        // Enough for the library's table, blocks and scratch for all parameters
                        // within the limits.
                        maxMemory: KeystoreCost.memoryBytesMax * 2
                    )
                case .pbkdf2(let rounds):
                    try unsafe KDF.Insecure.PBKDF2.deriveKey(
                        from: password,
                        salt: salt,
                        using: .sha256,
                        outputByteCount: 32,
                        unsafeUncheckedRounds: rounds
                    )
                }
            }
        } catch {
            throw .outOfMemory
        }
    }

    private static func mac(_ derived: SymmetricKey, _ ciphertext: [UInt8]) -> Bytes32 {
        var hasher = Keccak256()
        unsafe derived.withUnsafeBytes { key in unsafe hasher.update(key[16..<32]) }
        hasher.update(ciphertext)
        return hasher.finalize()
    }

    private static func cipher(
        _ bytes: some DataProtocol,
        _ derived: SymmetricKey,
        iv: [UInt8]
    ) throws(KeystoreError) -> Data {
        let key = unsafe derived.withUnsafeBytes { unsafe SymmetricKey(data: $0[..<16]) }
        do {
            let nonce = try AES._CTR.Nonce(nonceBytes: iv)
            return try AES._CTR.encrypt(bytes, using: key, nonce: nonce)
        } catch {
            // The sizes of key and nonce are right, so only memory can be missing.
            throw .outOfMemory
        }
    }
}
