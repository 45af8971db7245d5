import CSecp256k1
import Crypto

/// A private key with its chain code, from which child keys are derived.
///
/// Source: BIP-32, "Private parent key → private child key" and "Master key generation".
@safe
package struct HDKey: Sendable {
    package let privateKey: PrivateKey
    /// The 32 bytes that are needed beside the key to derive children.
    package let chainCode: SecretBytes

    /// Derives the root key of a seed of 16 to 64 bytes.
    ///
    /// - Throws: ``HDKeyError/seedLength(_:)``, or with a probability of 2⁻¹²⁷
    ///   ``HDKeyError/noKey``.
    package init(seed: SecretBytes) throws(HDKeyError) {
        guard (16...64).contains(seed.count) else { throw .seedLength(seed.count) }
        var hash = HMAC<SHA512>(key: SymmetricKey(data: Array("Bitcoin seed".utf8)))
        unsafe seed.withBytes { unsafe hash.update(data: $0) }
        let (left, right) = Self.halves(hash)
        guard let key = PrivateKey(left) else { throw .noKey }
        (privateKey, chainCode) = (key, right)
    }

    private init(privateKey: PrivateKey, chainCode: SecretBytes) {
        (self.privateKey, self.chainCode) = (privateKey, chainCode)
    }

    /// Derives the child with this number; numbers from 2³¹ are hardened.
    ///
    /// - Throws: ``HDKeyError/noKey`` with a probability of 2⁻¹²⁷; use the next number.
    package func child(_ number: UInt32) throws(HDKeyError) -> HDKey {
        let code = unsafe chainCode.withBytes { unsafe SymmetricKey(data: $0) }
        var hash = HMAC<SHA512>(key: code)
        if number >= HDPath.hardened {
            hash.update(data: [0])
            unsafe privateKey.withBytes { unsafe hash.update(data: $0) }
        } else {
            hash.update(data: privateKey.publicKey.compressed)
        }
        hash.update(data: (0..<4).map { UInt8(truncatingIfNeeded: number >> (24 - 8 * $0)) })
        let (left, right) = Self.halves(hash)
        guard let key = privateKey.adding(left) else { throw .noKey }
        return HDKey(privateKey: key, chainCode: right)
    }

    /// Derives the key at a path.
    package func derive(_ path: HDPath) throws(HDKeyError) -> HDKey {
        var key = self
        for step in path.steps { key = try key.child(step) }
        return key
    }

    private static func halves(_ hash: HMAC<SHA512>) -> (SecretBytes, SecretBytes) {
        unsafe hash.finalize().withUnsafeBytes { both in
            unsafe (SecretBytes(copying: both[..<32]), SecretBytes(copying: both[32...]))
        }
    }
}

extension PrivateKey {
    /// Returns the sum of this key and a 32-byte number; `nil` if that is not a key.
    fileprivate func adding(_ number: SecretBytes) -> PrivateKey? {
        var isKey: Int32 = 0
        let sum = unsafe withBytes { key in
            unsafe SecretBytes(count: key.count) { sum in
                unsafe sum.copyMemory(from: key)
                isKey = unsafe number.withBytes { number in
                    unsafe secp256k1_ec_seckey_tweak_add(
                        Secp256k1.context,
                        mutableStart(of: sum),
                        start(of: number)
                    )
                }
            }
        }
        return isKey == 1 ? PrivateKey(sum) : nil
    }
}

extension HDKey: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    package var description: String { "secret" }
    package var debugDescription: String { "secret" }
    package var customMirror: Mirror { Mirror(self, children: [], displayStyle: .struct) }
}

/// Why a key cannot be derived.
package enum HDKeyError: Error, Equatable, Sendable {
    /// A seed must have 16 to 64 bytes.
    case seedLength(Int)
    /// The step with this number, from 1, cannot be read; 0 is the leading `m`.
    case path(step: Int)
    /// The hash is not a key. So rare that it has never been seen.
    case noKey
}

extension HDKeyError: CustomStringConvertible {
    package var description: String {
        switch self {
        case .seedLength(let count): "A seed must have 16 to 64 bytes; this one has \(count)."
        case .path(let step):
            "Step \(step) of the derivation path cannot be read; write it as m/44'/60'/0'/0/0."
        case .noKey: "This number yields no key; use the next one."
        }
    }
}
