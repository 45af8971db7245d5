import Client

extension API {
    /// Returns the call of a method and path; `nil` if there is none.
    ///
    /// `HEAD` finds the call of `GET`.
    static func find(_ method: String, at path: String) -> CallFacts? {
        let method = method.uppercased() == "HEAD" ? "GET" : method.uppercased()
        return found(at: path).first { $0.method.name == method }
    }

    /// Returns the methods that a path takes, in capitals; none if there is no such path.
    static func methods(at path: String) -> [String] {
        let methods = Set(found(at: path).map(\.method.name))
        return (methods.contains("GET") ? methods.union(["HEAD"]) : methods).sorted()
    }

    /// Returns the calls of a path, matched part by part between its slashes, as the router does.
    private static func found(at path: String) -> [CallFacts] {
        if let exact = byPath[path] { return exact }
        let parts = path.split(separator: "/")
        guard parts.first == "v1" else { return [] }
        // A literal path takes precedence over one with an id in the same place.
        if let exact = byPath["/" + parts.joined(separator: "/")] { return exact }
        let wanted = parts.dropFirst()
        return (byPartCount[wanted.count] ?? [])
            .filter { zip($0.parts, wanted).allSatisfy { $0 == $1 || $0.hasPrefix("{") } }
            .map(\.call)
    }

    /// The calls by their whole path, with `{names}` as they are.
    private static let byPath = Dictionary(grouping: all) { "/v1/" + $0.path }

    /// The calls by how many parts their path has.
    private static let byPartCount = Dictionary(
        grouping: all.map { (call: $0, parts: $0.path.split(separator: "/")) },
        by: \.parts.count
    )
}

extension CallFacts.Method {
    /// Its name in HTTP.
    var name: String { rawValue.uppercased() }
}

extension CallFacts {
    /// The route, as a router describes it.
    var route: String { "\(method.name) /v1/\(path)" }
}
