import Answers
import Client
import Foundation
import Testing

@testable import NodeAPI

struct BodyShapeTests {
    private static func refusal(_ json: String, _ name: String) throws -> Refusal? {
        let shape = try #require(BodyShape.of(name))
        do throws(Refusal) {
            try shape.check(Data(json.utf8))
            return nil
        } catch {
            return error
        }
    }

    @Test func `every body of a call has a shape, which its example matches`() throws {
        let types = API.all.filter(\.takesJSON).map(\.input)
        #expect(!types.isEmpty)
        for type in types {
            let shape = try #require(BodyShape.of("\(type)"), "\(type)")
            let example = [String: Any](of: TypeField.all(of: type))
            try shape.check(try JSONSerialization.data(withJSONObject: example))
        }
    }

    /// - From people: a field that the body does not have, or a number that is negative, broken or
    ///   too large → malformed_value
    @Test(
        arguments: [
            (#"{"acceptsChanges": true, "acceptsChange": true}"#, "Purchase", "acceptsChange"),
            (#"{"title": "x", "terms": {"shipSecond": 1}}"#, "ListingContent", "terms.shipSecond"),
            (#"{"price": {"amount": "1", "unit": "ETH"}}"#, "ListingContent", "price.unit"),
            (#"{"text": "x", "kind": "image"}"#, "MessageDraft", "kind"),
            (#"{"terms": {"shipSeconds": -1}}"#, "ListingContent", "terms.shipSeconds"),
            (#"{"terms": {"shipSeconds": 86400.5}}"#, "ListingContent", "terms.shipSeconds"),
            (
                #"{"terms": {"shipSeconds": 18446744073709551616}}"#, "ListingContent",
                "terms.shipSeconds"
            ),
        ]
    )
    func `names an unknown field and a number that does not fit`(
        json: String,
        name: String,
        field: String
    ) throws {
        let refusal = try Self.refusal(json, name)
        #expect(refusal?.code == .malformedValue)
        #expect(refusal?.field == field)
    }

    /// - From people: a body with a field that is there twice → malformed_json
    @Test(arguments: [
        #"{"title": "x", "title": "y"}"#, #"{"title": "x", "t\u0069tle": "x"}"#,
        #"{"terms": {"shipSeconds": 1, "shipSeconds": 1}}"#, #"{"title": ": \" {", "title": "\\"}"#,
    ])
    func `refuses a field that is there twice`(json: String) throws {
        #expect(try Self.refusal(json, "ListingContent")?.code == .malformedJSON)
    }

    @Test(arguments: [
        #"{"title": "a:b \":\" \\", "description": ":"}"#, #"{"terms": {"shipSeconds": 1}}"#,
    ])
    func `takes colons and quotes in texts`(json: String) throws {
        #expect(try Self.refusal(json, "ListingContent") == nil)
    }

    /// - From people: a body with a number or a character that does not exist, even in an unknown
    ///   field → malformed_json
    @Test(arguments: [
        #"{"txet": "x", "z": 1e999}"#, #"{"txet": "x", "z": "\ud800"}"#,
        #"{"txet": "x", "z": "# + String(repeating: "1", count: 250_000) + "}", #"{"txet": "x""#,
        "",
    ])
    func `refuses a body that it cannot read whole`(json: String) throws {
        let refusal = try Self.refusal(json, "DeliveryAddress")
        #expect(refusal?.code == .malformedJSON)
    }

    @Test(arguments: ["[]", "1", #"{"title": 1}"#, #"{"terms": null}"#, "null"])
    func `leaves other faults of a body to the decoder`(json: String) throws {
        #expect(try Self.refusal(json, "ListingContent") == nil)
    }
}
