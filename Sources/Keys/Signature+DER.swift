import CSecp256k1

extension PrivateKey {
    /// Signs a hash and returns the signature in DER with a low `s`, as certificates and peers do.
    ///
    /// Source: SEC 1, version 2, section C.5; libp2p's peer id specification, "Secp256k1".
    package func signDER(_ hash: Bytes32) -> [UInt8] {
        guard var signature = sign(hash).compact else {
            preconditionFailure("what this key signed is a signature")
        }
        // 72 bytes hold the longest: two numbers of 33 bytes with their headers, and the outer
        // header.
        var bytes = [UInt8](repeating: 0, count: 72)
        var count = bytes.count
        let isWritten = unsafe secp256k1_ecdsa_signature_serialize_der(
            Secp256k1.context,
            &bytes,
            &count,
            &signature
        )
        precondition(isWritten == 1, "72 bytes hold every signature")
        return [UInt8](bytes.prefix(count))
    }
}

extension PublicKey {
    /// Whether DER bytes are this key's signature of `hash`.
    ///
    /// A high `s` is accepted, because other implementations of libp2p write it. Never use this for
    /// records, whose signatures must have only one form.
    package func verifiesDER(signature: [UInt8], of hash: Bytes32) -> Bool {
        var parsed = secp256k1_ecdsa_signature()
        let isParsed = unsafe secp256k1_ecdsa_signature_parse_der(
            Secp256k1.context,
            &parsed,
            signature,
            signature.count
        )
        guard isParsed == 1 else { return false }
        var low = secp256k1_ecdsa_signature()
        _ = unsafe secp256k1_ecdsa_signature_normalize(Secp256k1.context, &low, &parsed)
        var point = point
        return unsafe hash.withBytes { hash in
            unsafe secp256k1_ecdsa_verify(Secp256k1.context, &low, start(of: hash), &point) == 1
        }
    }
}
