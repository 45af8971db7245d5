import Foundation
import Gossip
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

    @Test func `judges the certificates of libp2p's specification as it does`() throws {
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

    @Test func `takes the certificate a node makes for itself, for a century`() throws {
        let identity = PrivateKey.random()
        let certificate = try HostCertificate(identity: identity).certificate
        let now = WallClock.seconds()
        let key = try CertificateCheck.hostKey(der: certificate, at: now)
        #expect(key == HostKey(identity.publicKey))
        #expect(Self.refusal(certificate, at: now - 2 * 3_600) == .notYetValid)
        #expect(Self.refusal(certificate, at: now + 101 * 365 * 86_400) == .expired)
    }

    @Test func `names what is wrong with a forged one`() throws {
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

    @Test func `takes exactly one certificate's bytes`() throws {
        let der = try ForgedCertificate().der
        #expect(Self.refusal(der + [0]) == .malformedCertificate)
        for end in stride(from: 0, to: der.count, by: 7) {
            #expect(Self.refusal(Array(der[..<end])) == .malformedCertificate)
        }
    }
}
