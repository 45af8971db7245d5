import Keys
import Limits

/// Hashing, signing and recovering beside C that does the same with nothing around it.
enum KeysBenchmark {
    static func run() {
        hashing()
        signing()
        recovering()
    }

    private static func hashing() {
        let comparison = Comparison(name: "keccak-256 of 512 B", goal: 0.9, rounds: 100_000)
        comparison.run {
            // Each message holds a byte of the last hash, so that no hash can be left out.
            var message = [UInt8](repeating: 7, count: 512)
            for _ in 0..<comparison.rounds {
                let hash = Keccak256.hash(message)
                message[0] = unsafe hash.withBytes { unsafe $0[0] }
            }
        } limit: {
            var message = [UInt8](repeating: 7, count: 512)
            _ = unsafe limits_keccak_loop(&message, message.count, Int32(comparison.rounds))
        }
    }

    private static func signing() {
        let secret = [UInt8](repeating: 5, count: 32)
        guard let key = PrivateKey(SecretBytes(copying: secret)) else { return }
        let comparison = Comparison(name: "sign, recoverable", goal: 0.9, rounds: 5_000)
        comparison.run {
            var hash = Bytes32(repeating: 3)
            for _ in 0..<comparison.rounds { hash = key.sign(hash).r }
        } limit: {
            var hash = [UInt8](repeating: 3, count: 32)
            _ = unsafe limits_sign_loop(secret, &hash, Int32(comparison.rounds))
        }
    }

    private static func recovering() {
        guard let key = PrivateKey(SecretBytes(copying: [UInt8](repeating: 5, count: 32))) else {
            return
        }
        let hash = Bytes32(repeating: 3)
        let signature = key.sign(hash)
        let bytes = signature.r.bytes + signature.s.bytes + [signature.recoveryID]
        let comparison = Comparison(name: "recover a signer", goal: 0.9, rounds: 5_000)
        comparison.run {
            for _ in 0..<comparison.rounds {
                precondition(signature.signer(of: hash) != nil, "the signature is good")
            }
        } limit: {
            _ = unsafe limits_recover_loop(bytes, hash.bytes, Int32(comparison.rounds))
        }
    }
}
