package import Answers
import Client
import HTTPTypes
package import Hummingbird
import Market
import NIOCore

/// A picture or document as it is sent over the API.
///
/// An id always means the same bytes, so an answer can be cached for ever. Content written by
/// strangers is sent so that a browser runs none of it.
///
/// Source: RFC 9110, sections 13.1 and 14; RFC 9111, section 5.2; RFC 8246; Content Security
/// Policy Level 3, "sandbox"; Fetch, "Cross-Origin-Resource-Policy".
package struct SentMedia: Sendable {
    /// The id, and of a smaller version its side.
    let tag: String
    let form: Media.Form
    let bytes: [UInt8]

    private var entityTag: String { "\"\(tag)\"" }

    /// The answer with all of it, which is sealed at its accounts and kept nowhere else.
    package var sealedResponse: Response {
        var headers = headers
        headers[.cacheControl] = "no-store"
        return Response(status: .ok, headers: headers, body: body(bytes[...]))
    }

    private var headers: HTTPFields {
        [
            .contentType: form.mediaType,
            .contentSecurityPolicy: "default-src 'none'; sandbox; frame-ancestors 'none'",
            .crossOriginResourcePolicy: "same-origin",
        ]
    }

    /// Returns the answer to a request for it.
    ///
    /// - Throws: ``UnsatisfiedRange``
    package func response(to request: Request) throws(UnsatisfiedRange) -> Response {
        var headers = headers
        (headers[.eTag], headers[.acceptRanges]) = (entityTag, "bytes")
        headers[.cacheControl] = "private, max-age=31536000, immutable"
        if !form.isImage {
            let name = "stoa-\(tag.dropFirst(2).prefix(12)).\(form.fileEnding)"
            headers[.contentDisposition] = "attachment; filename=\"\(name)\""
        }
        if request.knows(entityTag) {
            headers[.contentType] = nil
            return Response(status: .notModified, headers: headers)
        }
        switch range(of: request) {
        case .whole:
            return Response(status: .ok, headers: headers, body: body(bytes[...]))
        case .part(let range):
            headers[.contentRange] =
                "bytes \(range.lowerBound)-\(range.upperBound - 1)/\(bytes.count)"
            return Response(status: .partialContent, headers: headers, body: body(bytes[range]))
        case .outside:
            throw UnsatisfiedRange(byteCount: bytes.count)
        }
    }

    private func body(_ part: ArraySlice<UInt8>) -> ResponseBody {
        ResponseBody(byteBuffer: ByteBuffer(bytes: part))
    }

    private func range(of request: Request) -> RequestedRange {
        if let condition = request.headers[.ifRange], condition != entityTag { return .whole }
        guard request.method == .get else { return .whole }
        return RequestedRange(request.headers[.range], of: bytes.count)
    }
}

extension Request {
    /// Whether the client already has the content that an entity tag names.
    ///
    /// Source: RFC 9110, section 13.1.2.
    package func knows(_ entityTag: String) -> Bool {
        guard let known = headers[.ifNoneMatch] else { return false }
        return known.split(separator: ",").contains { listed in
            let tag = listed.trimmingPrefix(while: \.isWhitespace)
            let bare = tag.hasPrefix("W/") ? tag.dropFirst(2) : tag
            return bare == "*" || bare.prefix(entityTag.count) == entityTag
        }
    }
}

/// A request for a range of a file that is wholly outside it.
///
/// Source: RFC 9110, section 15.5.17.
package struct UnsatisfiedRange: Error {
    package let byteCount: Int

    package var refusal: Refusal {
        Refusal(
            .rangeNotSatisfiable,
            forPrograms: "The file has \(byteCount) bytes; the range is outside it."
        )
    }

    /// The field `Content-Range` of the answer.
    package var contentRange: String { "bytes */\(byteCount)" }
}
