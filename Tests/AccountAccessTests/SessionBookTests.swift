import Foundation
import Keys
import Testing

@testable import AccountAccess

/// The book of sessions is no part of what AccountAccess offers, hence the testable import.
struct SessionBookTests {
    private let start = Date(timeIntervalSince1970: 1_000)
    private let one = Keccak256.hash("1".utf8)
    private let two = Keccak256.hash("2".utf8)

    private func book(confirmed: TimeInterval = 600) -> SessionBook {
        SessionBook(idle: 900, life: 3_600, confirmed: confirmed)
    }

    private func id(_ token: String) -> SessionID { Keccak256.hash(token.utf8) }

    @Test func `a program moves money without a password, a page for a time`() {
        var book = book()
        _ = book.open(token: "program", for: .operator, at: start)
        _ = book.open(token: "page", for: .operator, cookie: one, at: start)
        #expect(book.takeConfirmation(of: id("program"), at: start + 899) == true)
        #expect(book.takeConfirmation(of: id("page"), at: start + 599) == true)
        #expect(book.takeConfirmation(of: id("page"), at: start + 600) == false)
        book.confirm(id("page"), at: start + 600)
        #expect(book.takeConfirmation(of: id("page"), at: start + 899) == true)
        // Ended sessions move nothing.
        #expect(book.takeConfirmation(of: id("program"), at: start + 900) == false)
        #expect(book.takeConfirmation(of: id("nobody"), at: start) == false)
    }

    @Test func `a password is good for one act, and for a minute, if each needs one`() {
        var book = book(confirmed: 0)
        _ = book.open(token: "page", for: .operator, cookie: one, at: start)
        #expect(book.takeConfirmation(of: id("page"), at: start) == false)
        book.confirm(id("page"), at: start)
        #expect(book.takeConfirmation(of: id("page"), at: start + 59) == true)
        #expect(book.takeConfirmation(of: id("page"), at: start + 59) == false)
        book.confirm(id("page"), at: start)
        #expect(book.takeConfirmation(of: id("page"), at: start + 60) == false)
    }

    @Test func `a session takes its browser's new cookie with its token alone`() {
        var book = book()
        _ = book.open(token: "a", for: .operator, cookie: one, at: start)
        _ = book.open(token: "b", for: .operator, cookie: two, at: start + 1)
        _ = book.open(token: "c", for: .operator, at: start + 2)
        book.announce(two, after: one)
        #expect(book.all(ofCookie: one, at: start + 3).map(\.id) == [id("a")])
        #expect(book.all(ofCookie: two, at: start + 3).map(\.id) == [id("b")])
        let three = Keccak256.hash("3".utf8)
        #expect(book.find(id("a"), withCookie: three, at: start + 3) == nil)
        #expect(book.find(id("a"), withCookie: nil, at: start + 3) == nil)
        #expect(book.isNeeded(one, at: start + 3))
        #expect(book.find(id("a"), withCookie: two, at: start + 3) != nil)
        // The former one is worth nothing now.
        #expect(book.find(id("a"), withCookie: one, at: start + 3) == nil)
        #expect(!book.isNeeded(one, at: start + 3))
        #expect(book.all(ofCookie: two, at: start + 3).map(\.id) == [id("b"), id("a")])
        #expect(book.find(id("c"), withCookie: nil, at: start + 3) != nil)
        #expect(book.all(of: .operator, at: start + 3).map(\.id) == [id("c"), id("b"), id("a")])
    }

    @Test func `a session that keeps its cookie forgets the one of another sign-in`() {
        var book = book()
        _ = book.open(token: "a", for: .operator, cookie: one, at: start)
        book.announce(two, after: one)
        #expect(book.isNeeded(two, at: start))
        #expect(book.find(id("a"), withCookie: one, at: start) != nil)
        #expect(book.find(id("a"), withCookie: two, at: start) == nil)
        #expect(!book.isNeeded(two, at: start))
        // Two sign-ins before the token comes.
        let three = Keccak256.hash("3".utf8)
        book.announce(two, after: one)
        book.announce(three, after: two)
        #expect(book.find(id("a"), withCookie: three, at: start) != nil)
    }

    @Test func `a code is good once, and only the newest are kept`() {
        var book = book()
        for number in 0...SessionBook.codesMax {
            let until = book.add(code: "\(number)", at: start + TimeInterval(number))
            #expect(until == start + TimeInterval(number) + 60)
        }
        for (code, seconds, isGood) in [
            ("0", 20, false), ("1", 20, true), ("1", 20, false), ("2", 62, false), ("x", 0, false),
        ] {
            let isTaken = book.take(code: code, at: start + TimeInterval(seconds))
            #expect(isTaken == isGood, "\(code)")
        }
    }
}
