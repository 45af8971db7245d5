import CSecp256k1
import Crypto

/// A private key with what it takes to derive others from it.
///
/// Source: BIP-32, "Private parent key → private child key" and "Master key generation".
@safe
package struct HDKey: Sendable {
    package let privateKey: PrivateKey
    /// The 32 bytes without which a key gives no children.
    package let chainCode: SecretBytes

    /// The root of all keys of a seed of 16 to 64 bytes.
    ///
    /// - Throws: ``HDKeyError/seedLength(_:)``, or with a chance of 2⁻¹²⁷ ``HDKeyError/noKey``.
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

    /// The child of this number, hardened from 2³¹ on.
    ///
    /// - Throws: ``HDKeyError/noKey`` with a chance of 2⁻¹²⁷; take the next number.
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

    /// The key at the end of a way.
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
    /// The sum of this key and a number of 32 bytes; `nil` if that is no key.
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

/// Why there is no key there.
package enum HDKeyError: Error, Equatable, Sendable {
    /// A seed has 16 to 64 bytes.
    case seedLength(Int)
    /// The step of this number, from 1, cannot be read; 0 is the beginning, `m`.
    case path(step: Int)
    /// The hash is no key. So rare that it has never been seen.
    case noKey
}

extension HDKeyError: CustomStringConvertible {
    package var description: String {
        switch self {
        case .seedLength(let count): "A seed has 16 to 64 bytes; this one has \(count)."
        case .path(let step):
            "Step \(step) of the derivation path cannot be read; write it as m/44'/60'/0'/0/0."
        case .noKey: "There is no key at this number; take the next."
        }
    }
}
