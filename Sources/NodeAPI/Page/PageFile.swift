import HTTPTypes
import Hummingbird
import Keys
import MediaFiles
import NIOCore
import Synchronization

/// One file of the page, and the answer that it is sent with.
///
/// Source: RFC 9110, sections 8.8.3, 12.5.3 and 13.1.2; RFC 8246; Content Security Policy Level 3;
/// W3C, "Trusted Types", "Permissions Policy" and "Referrer Policy".
struct PageFile: Sendable {
    /// The maximum size of an unpacked file, in bytes.
    private static let bytesMax = 64 << 20

    private let mediaType: String
    private let bytes: ByteBuffer
    private let isGzip: Bool
    /// The unpacked bytes, once a client has asked for them that does not take gzip.
    private let unpackedBytes = Unpacked()
    private let isImmutable: Bool
    /// Names the content.
    private let tag: String

    init(path: String, bytes: ByteBuffer, isGzip: Bool, isImmutable: Bool) {
        mediaType = Self.mediaType(of: path)
        (self.bytes, self.isGzip, self.isImmutable) = (bytes, isGzip, isImmutable)
        tag = String(Keccak256.hash(bytes.readableBytesView).digits.prefix(32))
    }

    /// Returns the answer to a request for the file.
    ///
    /// - Throws: ``DamagedPageArchive`` if the file cannot be unpacked.
    func response(to request: Request) throws(DamagedPageArchive) -> Response {
        let isSentPacked = isGzip && Self.takesGzip(request)
        var headers = Self.safety
        // The packed bytes and the others are two representations.
        let entityTag = "\"\(tag)\(isSentPacked ? "-gzip" : "")\""
        headers[.eTag] = entityTag
        headers[.cacheControl] =
            isImmutable ? "public, max-age=31536000, immutable" : "no-cache"
        if isGzip { headers[.vary] = "Accept-Encoding" }
        guard !request.knows(entityTag) else {
            return Response(status: .notModified, headers: headers)
        }
        headers[.contentType] = mediaType
        if isSentPacked { headers[.contentEncoding] = "gzip" }
        let content = isGzip && !isSentPacked ? try unpacked() : bytes
        return Response(status: .ok, headers: headers, body: ResponseBody(byteBuffer: content))
    }

    /// Strangers ask for files without limit, so each is unpacked once.
    private func unpacked() throws(DamagedPageArchive) -> ByteBuffer {
        let found = unpackedBytes.bytes.withLock { known in
            if known == nil {
                let packed = Array(bytes.readableBytesView)
                known = Inflated.gunzipped(packed, bytesMax: Self.bytesMax).map {
                    ByteBuffer(bytes: $0)
                }
            }
            return known
        }
        guard let found else { throw DamagedPageArchive() }
        return found
    }

    private final class Unpacked: Sendable {
        let bytes = Mutex<ByteBuffer?>(nil)
    }

    /// A page runs, loads and shows only what this node serves, and no other page frames it.
    private static let safety: HTTPFields = {
        let policy = [
            "default-src 'none'", "script-src 'self'", "style-src 'self'", "img-src 'self' blob:",
            "connect-src 'self'", "font-src 'self'", "manifest-src 'self'", "worker-src 'self'",
            "form-action 'none'", "base-uri 'none'", "frame-ancestors 'none'",
            "require-trusted-types-for 'script'", "trusted-types 'none'",
        ]
        var headers: HTTPFields = [
            .contentSecurityPolicy: policy.joined(separator: "; "),
            .xContentTypeOptions: "nosniff",
            .crossOriginResourcePolicy: "same-origin",
        ]
        let others = [
            ("Referrer-Policy", "no-referrer"), ("Cross-Origin-Opener-Policy", "same-origin"),
            ("Permissions-Policy", "camera=(self), geolocation=(self)"),
        ]
        for (name, value) in others {
            if let name = HTTPField.Name(name) { headers[name] = value }
        }
        return headers
    }()

    /// Whether a client says that it takes gzip.
    private static func takesGzip(_ request: Request) -> Bool {
        (request.headers[.acceptEncoding] ?? "").lowercased().split(separator: ",").contains {
            let parts = $0.split(separator: ";").map { $0.filter { !$0.isWhitespace } }
            guard let name = parts.first, ["gzip", "*"].contains(name) else { return false }
            return !parts.dropFirst().contains { $0.wholeMatch(of: /q=0(?:\.0*)?/) != nil }
        }
    }

    private static func mediaType(of path: String) -> String {
        let types = [
            "html": "text/html; charset=utf-8", "js": "text/javascript; charset=utf-8",
            "css": "text/css; charset=utf-8", "json": "application/json",
            "webmanifest": "application/manifest+json", "svg": "image/svg+xml",
            "png": "image/png", "jpg": "image/jpeg", "webp": "image/webp",
            "ico": "image/x-icon", "woff2": "font/woff2", "txt": "text/plain; charset=utf-8",
        ]
        let ending = path.split(separator: ".").last.map(String.init) ?? ""
        return types[ending] ?? "application/octet-stream"
    }
}
