import Client
import Foundation
import HTTPTypes
import Hummingbird
import NIOHTTP1

/// The fields of a request by which its caller and its origin are known.
struct RequestHead: Sendable {
    var host: String?
    var origin: String?
    var authorization: String?
    var cookie: String?
    /// `Sec-Fetch-Site`; browsers send the three such fields over TLS and on this machine alone.
    var fetchSite: String?
    /// `Sec-Fetch-Mode`.
    var fetchMode: String?
    /// `Sec-Fetch-Dest`.
    var fetchDestination: String?
    /// The path and the query.
    private let target: String

    init(_ request: Request) {
        target = request.uri.string
        host = request.head.authority
        origin = request.headers[.origin]
        authorization = request.headers[.authorization]
        cookie = request.headers[.cookie]
        func field(_ name: String) -> String? {
            HTTPField.Name(name).flatMap { request.headers[$0] }
        }
        fetchSite = field("Sec-Fetch-Site")
        fetchMode = field("Sec-Fetch-Mode")
        fetchDestination = field("Sec-Fetch-Dest")
    }

    init(_ head: HTTPRequestHead) {
        func field(_ name: String) -> String? { head.headers.first(name: name) }
        target = head.uri
        host = field("host")
        origin = field("origin")
        authorization = field("authorization")
        cookie = head.headers["cookie"].joined(separator: "; ")
        fetchSite = field("sec-fetch-site")
        fetchMode = field("sec-fetch-mode")
        fetchDestination = field("sec-fetch-dest")
    }

    /// The account that the query names, for a browser with sessions of several.
    var actsAs: String? {
        let query = target.split(separator: "?", maxSplits: 1).dropFirst().first ?? ""
        let start = Query.actAs.name + "="
        return query.split(separator: "&").first { $0.hasPrefix(start) }
            .flatMap { String($0.dropFirst(start.utf8.count)).removingPercentEncoding }
    }

    /// Whether somebody follows a link or a bookmark, to show the answer as a page of its own.
    ///
    /// Source: W3C, "Fetch Metadata Request Headers", sections 2.1 and 2.3.
    var isNavigation: Bool {
        origin == nil && fetchMode?.lowercased() == "navigate"
            && fetchDestination.map { $0.lowercased() == "document" } ?? true
    }
}
