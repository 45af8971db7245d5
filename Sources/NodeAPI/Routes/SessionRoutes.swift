import AccountAccess
import Answers
import Client
import HTTPTypes
import Hummingbird

/// Adds the handlers of sessions.
func addSessionRoutes(to group: RouterGroup<APIContext>, accounts: Accounts) {
    group.answer(API.sessions.open) { request in
        let (context, signIn) = (request.context, try await request.body)
        guard signIn.isPage == true else {
            let session = try await context.whileConnected {
                try await accounts.signIn(signIn, by: context.callerGroup)
            }
            return try reply(.created, session, context)
        }
        let cookie = try context.pageCookie(field: "isPage")
        let (session, value) = try await context.whileConnected {
            try await accounts.signIn(
                signIn,
                onPageWith: cookie.value,
                by: context.callerGroup
            )
        }
        var response = try reply(.created, session, context)
        response.headers[.setCookie] = cookie.field(value)
        return response
    }
    group.on(API.sessions.list) { request in
        await accounts.sessions(of: try request.account, current: request.context.session)
    }
    group.on(API.sessions.current) { request in
        try await accounts.currentSession(try request.context.currentSession())
    }
    group.on(API.sessions.confirm) { request in
        let (context, proof) = (request.context, try await request.body)
        let (session, account) = (try context.currentSession(), try request.account)
        try await context.whileConnected {
            try await accounts.confirm(session, of: account, proof, by: context.callerGroup)
        }
        return try await accounts.currentSession(session)
    }
    group.on(API.sessions.code) { _ in await accounts.pageCode() }
    group.answer(API.sessions.openOperator) { request in
        let proof = try await request.body
        let cookie = try request.context.pageCookie()
        let (session, value) = try await accounts.openOperatorSession(
            proof,
            onPageWith: cookie.value
        )
        var response = try reply(.created, session, request.context)
        response.headers[.setCookie] = cookie.field(value)
        return response
    }
    group.answer(API.sessions.close) { request in
        let (context, everySession) = (request.context, try request[Query.everySession])
        await accounts.signOut(try context.currentSession(), everySession: everySession)
        var response = Response(status: .noContent)
        if let cookie = context.cookie, let value = cookie.value,
            await !accounts.isNeeded(cookie: value)
        {
            response.headers[.setCookie] = cookie.field(nil)
        }
        return response
    }
}

extension APIContext {
    /// The session with which the call is made.
    ///
    /// - Throws: ``Refusal`` with `sign_in_needed` if there is none.
    fileprivate func currentSession() throws(Refusal) -> SessionID {
        guard let session else { throw Refusal(.signInNeeded, Sentence("refusal.signInNeeded")) }
        return session
    }

    /// The cookie of the browser on whose page the caller signs in.
    ///
    /// - Throws: ``Refusal`` with `strange_origin` if the request is of no page of this node.
    fileprivate func pageCookie(field: String? = nil) throws(Refusal) -> PageCookie {
        guard let cookie else {
            throw Refusal(
                .strangeOrigin,
                forPrograms: "Only a page of this node's own origin can have a page's session.",
                field: field
            )
        }
        return cookie
    }
}
