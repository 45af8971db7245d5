import Keys
import Testing

struct SignatureDERTests {
    @Test func `reads back its own output and refuses anything else`() {
        let key = PrivateKey.random()
        for number in 0..<64 as Range<UInt8> {
            let hash = Keccak256.hash([number])
            let signature = key.signDER(hash)
            #expect(key.publicKey.verifiesDER(signature: signature, of: hash))
            #expect(!key.publicKey.verifiesDER(signature: signature, of: Keccak256.hash([200])))
            #expect(!key.publicKey.verifiesDER(signature: Array(signature.dropLast()), of: hash))
        }
    }

    @Test func `accepts a high s, which records refuse`() throws {
        let key = PrivateKey.random()
        let hash = Keccak256.hash([1])
        let signature = key.sign(hash)
        let order = "fffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141"
        let high = Self.difference(try #require(Hex.decode(order)), signature.s.bytes)
        #expect(key.publicKey.verifiesDER(signature: Self.der(signature.r.bytes, high), of: hash))

        let highS = try #require(Bytes32(high))
        let flipped = try #require(
            Signature(r: signature.r, s: highS, recoveryID: 1 - signature.recoveryID)
        )
        #expect(flipped.signer(of: hash) == nil)
        #expect(!key.publicKey.verifies(flipped, of: hash))
    }

    private static func difference(_ left: [UInt8], _ right: [UInt8]) -> [UInt8] {
        var borrow = 0
        var result: [UInt8] = []
        for (left, right) in zip(left, right).reversed() {
            let value = Int(left) - Int(right) - borrow
            borrow = value < 0 ? 1 : 0
            result.append(UInt8(value + borrow * 256))
        }
        return result.reversed()
    }

    private static func der(_ r: [UInt8], _ s: [UInt8]) -> [UInt8] {
        func number(_ bytes: [UInt8]) -> [UInt8] {
            let short = [UInt8](bytes.drop { $0 == 0 })
            let body = (short.first ?? 0) >= 0x80 ? [0] + short : short
            return [0x02, UInt8(body.count)] + body
        }
        let body = number(r) + number(s)
        return [0x30, UInt8(body.count)] + body
    }
}
