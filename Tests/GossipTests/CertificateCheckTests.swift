import Concurrency
import Foundation
import Gossip
import GossipProtocol
import Keys
import Support
import Testing

struct CertificateCheckTests {
    private struct Vector: Decodable {
        let name: String
        let certificateHex: String
        let peerId: String?
        let valid: Bool
    }

    private static let now: Int64 = 1_767_225_600

    private static func refusal(_ der: [UInt8], at time: Int64 = now) -> TLSError? {
        do throws(TLSError) {
            _ = try CertificateCheck.hostKey(der: der, at: time)
            return nil
        } catch {
            return error
        }
    }

    /// - From peers: the certificates of libp2p's test vectors → accepted or refused as the
    ///   specification says
    @Test func `judges the certificates in libp2p's specification as it requires`() throws {
        let file = VectorFolder.file("libp2p/tls-certificates.json")
        guard VectorFolder.isPresent else {
            print("TLS certificates: 0 cases, \(file.path) is absent")
            return
        }
        let decoder = JSONDecoder()
        decoder.keyDecodingStrategy = .convertFromSnakeCase
        let vectors = try decoder.decode([Vector].self, from: Data(contentsOf: file))
        for vector in vectors {
            let der = try #require(Hex.decode(vector.certificateHex))
            if vector.valid {
                let key = try CertificateCheck.hostKey(der: der, at: Self.now)
                #expect(key.peer.text == vector.peerId, "\(vector.name)")
            } else {
                #expect(Self.refusal(der) == .wrongHostSignature, "\(vector.name)")
            }
        }
        #expect(vectors.count == 4)
        print("TLS certificates: \(vectors.count) cases")
    }

    @Test func `accepts a node's own certificate for a century`() throws {
        let identity = PrivateKey.random()
        let certificate = try HostCertificate(identity: identity).certificate
        let now = SystemWallClock.seconds()
        let key = try CertificateCheck.hostKey(der: certificate, at: now)
        #expect(key == HostKey(identity.publicKey))
        #expect(Self.refusal(certificate, at: now - 2 * 3_600) == .notYetValid)
        #expect(Self.refusal(certificate, at: now + 101 * 365 * 86_400) == .expired)
    }

    @Test func `names the fault of a forged certificate`() throws {
        func refusal(_ change: (inout ForgedCertificate) -> Void) throws -> TLSError? {
            var forged = ForgedCertificate()
            change(&forged)
            return Self.refusal(try forged.der)
        }
        #expect(try refusal { _ in } == nil)
        #expect(try refusal { $0.notAfter = "20210101000000Z" } == .expired)
        #expect(try refusal { $0.notBefore = "21100101000000Z" } == .notYetValid)
        #expect(try refusal { $0.isSelfSigned = false } == .wrongSelfSignature)
        #expect(try refusal { $0.hostSigner = .random() } == .wrongHostSignature)
        #expect(try refusal { $0.afterHostKey = [0] } == .malformedHostKey)
        #expect(try refusal { $0.hostKeyCount = 0 } == .noHostKey)
        #expect(try refusal { $0.hostKeyCount = 2 } == .hostKeyRepeated)
        #expect(try refusal { $0.hasUnknownCriticalExtension = true } == .unknownCriticalExtension)
    }

    @Test func `accepts the bytes of exactly one certificate`() throws {
        let der = try ForgedCertificate().der
        #expect(Self.refusal(der + [0]) == .malformedCertificate)
        for end in stride(from: 0, to: der.count, by: 7) {
            #expect(Self.refusal(Array(der[..<end])) == .malformedCertificate)
        }
    }

    /// - From peers: a certificate with an RSA key, or any key other than P-256, P-384 or Ed25519 →
    ///   the handshake is refused before the certificate is verified
    @Test func `refuses a key with slow signatures before it verifies one`() {
        // Self-signed with RSA; made by OpenSSL, valid for a hundred years from November 2026.
        let text = """
            MIIByzCCATSgAwIBAgIBATANBgkqhkiG9w0BAQsFADAAMCAXDTI2MTEyMjA3MzgzMloYDzIxMjYx
            MDI5MDczODMyWjAAMIGfMA0GCSqGSIb3DQEBAQUAA4GNADCBiQKBgQDCvxZTVG6yExaE7bXlNJ0E
            3yJPSNBuMwZsLQis2BzHhLhzAGcv6gaXennSPAALCFgJOx9lSLlQR52CtDwCwsbT5Y+98RYP5r01
            jFHZBIc9YQbzJt7IDwezKmE9vT6xT6K29uuGiuyV34J2/tzgenudF89q3QPqPrtb2HcW4yGkbQID
            AQABo1MwUTAdBgNVHQ4EFgQU1vF1/H7dMz9lFmkddLPl6/tWRjkwHwYDVR0jBBgwFoAU1vF1/H7d
            Mz9lFmkddLPl6/tWRjkwDwYDVR0TAQH/BAUwAwEB/zANBgkqhkiG9w0BAQsFAAOBgQBZG0GBW56d
            ABQa1fY1cBRUgFghWozfZJY1tts4zBesditOg65WVMpLZxRhhXpfs+hufSWpTGHUzGPNIEq8ykb1
            q5/+BhInf2Te7vKK06pjEvgFutp/tuRRKejUMV0UP+D8MZPtds2loEGHyv/E1AQBlY51MLe++qm4
            ejIh0bMPLw==
            """
        let der = Data(base64Encoded: text, options: .ignoreUnknownCharacters).map { [UInt8]($0) }
        #expect(throws: TLSError.unsuitableKey) {
            try CertificateCheck.hostKey(der: der ?? [], at: 1_900_000_000)
        }
    }
}
