import Client
import Foundation
import NIOHTTP1
import NodeAPI
import Support
import Testing

/// The OpenAPI document as a program reads it that is generated from it.
@Suite(.serialized, .timeLimit(.minutes(2)))
struct DocumentTests {
    private typealias Object = [String: Any]

    private static func document() async throws -> (paths: Object, schemas: Object) {
        let folder = try TemporaryFolder()
        let box = DocumentBox()
        try await TestNode.run(in: folder.path) { node in
            await box.keep(try await node.call(.GET, "openapi.json").body)
        }
        let read = try JSONSerialization.jsonObject(with: await box.body) as? Object
        let document = try #require(read)
        let components = try #require(document["components"] as? Object)
        return (
            try #require(document["paths"] as? Object),
            try #require(components["schemas"] as? Object)
        )
    }

    @Test func `its document states the rules of fields and which are optional`() async throws {
        let schemas = try await Self.document().schemas
        func schema(_ name: String) throws -> Object { try #require(schemas[name] as? Object) }
        func property(_ name: String, _ field: String) throws -> Object {
            let properties = try #require(try schema(name)["properties"] as? Object)
            return try #require(properties[field] as? Object, "\(name).\(field)")
        }
        #expect(try schema("SignIn")["required"] as? [String] == ["account", "password"])
        #expect(try schema("AccountCreation")["required"] as? [String] == ["name", "password"])
        #expect(try schema("Purchase")["required"] as? [String] == ["listing"])
        #expect(try property("Purchase", "sale")["type"] as? [String] == ["string", "null"])
        #expect(try property("Account", "createdAt")["format"] as? String == "date-time")
        #expect(try property("Account", "address")["pattern"] as? String == "^0x[0-9a-fA-F]{40}$")
        #expect(try property("ReviewDraft", "stars")["minimum"] as? Int == 1)
        #expect(try property("ReviewDraft", "stars")["maximum"] as? Int == 5)
        #expect(try property("Sale", "phase")["enum"] as? [String] != nil)
        let tags = try property("ListingContent", "tags")
        #expect(tags["maxItems"] as? Int == 5)
        #expect((tags["items"] as? Object)?["maxLength"] as? Int == 30)
        let points = try property("SaleMove", "points")
        #expect(points["minItems"] as? Int == 5 && points["maxItems"] as? Int == 5)
        #expect((points["items"] as? Object)?["maximum"] as? Int == 100)
        let seats = try property("CourseTerms", "seats")
        #expect(seats["minimum"] as? Int == 1 && seats["maximum"] as? Int == 10_000)
        #expect(try schema("OperationPhase")["required"] as? [String] == ["name", "state"])
        for (name, schema) in schemas {
            let schema = try #require(schema as? Object)
            #expect(schema["example"] != nil && schema["required"] != nil, "\(name)")
        }
    }

    @Test func `a type within another has a schema of its own, closed in requests`() async throws {
        let (paths, schemas) = try await Self.document()
        func field(_ name: String, of type: String) throws -> Object {
            let properties = (schemas[type] as? Object)?["properties"] as? Object
            return try #require(properties?[name] as? Object, "\(type).\(name)")
        }
        let escrow = try #require(try field("escrow", of: "Sale")["anyOf"] as? [Object])
        #expect(escrow.map { $0["$ref"] as? String } == ["#/components/schemas/SaleEscrow", nil])
        #expect(escrow.last?["type"] as? String == "null")
        let history = try field("history", of: "Sale")["items"] as? Object
        #expect(history?["$ref"] as? String == "#/components/schemas/SaleStep")
        let price = try field("price", of: "ListingContentInput")
        #expect(price["$ref"] as? String == "#/components/schemas/MoneyInput")
        var references: Set<String> = []
        for value in [paths, schemas] { references.formUnion(Self.references(in: value)) }
        #expect(references == Set(schemas.keys))
        for (name, schema) in schemas where name.hasSuffix("Input") {
            let answered = try #require(schemas[String(name.dropLast(5))] as? Object, "\(name)")
            #expect(answered["additionalProperties"] == nil, "\(name)")
            #expect((schema as? Object)?["additionalProperties"] as? Bool == false, "\(name)")
        }
    }

    @Test func `each call has a name of its own`() async throws {
        let calls = try await Self.document().paths.values
            .flatMap { ($0 as? Object ?? [:]).values }
        let names = calls.compactMap { ($0 as? Object)?["operationId"] as? String }
        #expect(names.count == calls.count && Set(names).count == names.count)
        #expect(names.allSatisfy { $0.wholeMatch(of: /[a-z][A-Za-z]+/) != nil })
        #expect(names.contains("salesBuy"))
    }

    @Test func `each call that signs a transaction or a review has an estimate`() async throws {
        let paths = try await Self.document().paths
        var signing: Set<String> = []
        // An answer of a wallet is signed there already.
        let answer = "/v1/signatures/{id}"
        for (path, methods) in paths where !path.hasSuffix("/preview") && path != answer {
            for (method, call) in methods as? Object ?? [:] where method != "get" {
                let responses = (call as? Object)?["responses"] as? Object ?? [:]
                let text = String(describing: responses)
                guard text.contains("schemas/Operation") || path == "/v1/reviews" else { continue }
                signing.insert("\(method) \(path)")
            }
        }
        #expect(
            signing == [
                "post /v1/listings", "put /v1/listings/{id}", "delete /v1/listings/{id}",
                "post /v1/listings/{id}/pieces", "post /v1/listings/{id}/reopening",
                "post /v1/offers/{id}/acceptance",
                "post /v1/sales", "post /v1/sales/{id}/moves", "post /v1/wallet/send",
                "post /v1/wallet/collect", "post /v1/arbitration", "post /v1/reviews",
                "post /v1/operations/{id}/speed-up", "post /v1/operations/{id}/cancel",
                "post /v1/items/give",
            ]
        )
        for call in signing {
            let path = call.split(separator: " ")[1]
            let preview = call.hasPrefix("delete") ? path + "/withdraw/preview" : path + "/preview"
            let estimate = (paths[String(preview)] as? Object)?["post"] as? Object
            let summary = estimate?["summary"] as? String
            #expect(summary?.hasPrefix("Estimate ") == true, "\(call)")
        }
    }

    @Test func `the document describes fields of bodies, queries and paths`() {
        // A refusal whose field is not there ends the program in debug.
        for field in ["price.amount", "terms.arbiter", "entries.account", "feeMax", "near", "id"] {
            #expect(APIDocument.describes(field), "\(field)")
        }
        for field in ["prise", "price.prise", "schema", "422"] {
            #expect(!APIDocument.describes(field), "\(field)")
        }
    }

    /// The names of the schemas that a part of the document refers to.
    private static func references(in part: Any) -> Set<String> {
        guard let object = part as? Object else {
            return (part as? [Any] ?? []).reduce(into: []) { $0.formUnion(references(in: $1)) }
        }
        let own = (object["$ref"] as? String)?.split(separator: "/").last.map(String.init)
        return object.values.reduce(into: Set([own].compactMap(\.self))) {
            $0.formUnion(references(in: $1))
        }
    }

    @Test func `its document lists the problems of each status`() async throws {
        let paths = try await Self.document().paths
        func codes(_ method: String, _ path: String) throws -> [String: [String]] {
            let call = try #require((paths["/v1/" + path] as? Object)?[method] as? Object)
            let responses = try #require(call["responses"] as? [String: Object])
            #expect(responses["default"] == nil)
            return responses.compactMapValues { response in
                let content = response["content"] as? [String: Object]
                let form = content?["application/problem+json"]?["schema"] as? Object
                let code = (form?["allOf"] as? [Object])?.last?["properties"] as? [String: Object]
                return code?["code"]?["enum"] as? [String]
            }
        }
        let listing = try codes("post", "listings")
        #expect(listing["422"]?.contains("bad_listing") == true)
        #expect(listing["409"]?.contains("idempotency_key_reused") == true)
        #expect(listing["413"] == ["body_too_large"])
        #expect(try codes("get", "events")["426"] == ["upgrade_needed"])
        #expect(try codes("get", "operations/{id}")["404"]?.contains("unknown_operation") == true)
        for (path, methods) in paths {
            for method in (methods as? Object ?? [:]).keys {
                let codes = try codes(method, String(path.dropFirst(4)))
                #expect(codes["400"]?.contains("malformed_value") == true)
                // Calls that were looked through do not name what cannot be.
                #expect(codes["409"]?.contains("waited_too_long") != true, "\(method) \(path)")
            }
        }
    }

    @Test func `a list that may be cut says whether it is complete`() async throws {
        let folder = try TemporaryFolder()
        let flags = try folder.flagsOfAnAwayChain()
        try await TestNode.run(in: folder.path, flags: flags) { node in
            let (ana, bo) = (try await node.signIn("ana"), try await node.signIn("bo"))
            for path in [
                "listings", "sales", "operations", "conversations",
                "reviews?account=\(ana.account.address)",
            ] {
                let page = try await node.call(.GET, path, token: ana.token).object()
                #expect(page["isLast"] as? Bool == true && page["next"] == nil, "\(path)")
            }
            let talk = try await Self.talk(from: bo, to: ana, on: node)
            for number in 0..<3 {
                let sent = try await node.call(
                    .POST,
                    "conversations/\(talk)/messages",
                    body: #"{"text":"\#(number)"}"#,
                    token: bo.token,
                    headers: ["idempotency-key": "\(number)"]
                )
                #expect(sent.status == 201)
            }
            let path = "conversations/\(talk)/messages?limit=2"
            let last: Page<Message> = try await node.call(.GET, path, token: bo.token).read()
            #expect(last.items.map(\.text) == ["1", "2"] && !last.isLast)
            let before = path + "&before=" + (try #require(last.next))
            let first: Page<Message> = try await node.call(.GET, before, token: bo.token).read()
            #expect(first.items.map(\.text) == ["0"] && first.isLast && first.next == nil)
        }
    }

    private static func talk(
        from session: Session,
        to other: Session,
        on node: TestNode
    ) async throws -> String {
        let body = #"{"with":"\#(other.account.address)"}"#
        // A profile is made by the node's own look at its accounts.
        return try await waitFor {
            let answer = try await node.call(
                .POST,
                "conversations",
                body: body,
                token: session.token
            )
            guard answer.code != "unknown_recipient" else { return nil }
            return try answer.read(Conversation.self).id
        }
    }
}

/// Keeps what a node said beyond its end.
private actor DocumentBox {
    private(set) var body = Data()

    func keep(_ body: Data) { self.body = body }
}
