import Mail
import Market
import Testing

struct HomePublicationsTests {
    private let here = AccountHome(account: ChatSamples.ana, home: ChatSamples.home(3))
    private let there = AccountHome(account: ChatSamples.bo, home: ChatSamples.home(3))

    @Test func `offers a bundle to a home until accepted, and after a new profile`() {
        var publications = HomePublications(ChatSamples.settings)
        let (first, second) = (ChatSamples.time(0), ChatSamples.time(9))
        #expect(publications.needsBundle(createdAt: first, at: here))
        #expect(publications.needsBundle(createdAt: first, at: here))
        publications.bundleTaken(createdAt: first, at: here)
        publications.bundleTaken(createdAt: first, at: there)
        #expect(!publications.needsBundle(createdAt: first, at: here))
        #expect(publications.needsBundle(createdAt: second, at: here))
        publications.profilePublished(of: here.account)
        #expect(publications.needsBundle(createdAt: first, at: here))
        #expect(!publications.needsBundle(createdAt: first, at: there))
    }

    @Test func `sends grants to a home daily and when they change`() {
        var publications = HomePublications(ChatSamples.settings)
        #expect(publications.takeGrants(for: here, at: ChatSamples.time(0)) == true)
        #expect(publications.takeGrants(for: there, at: ChatSamples.time(0)) == true)
        #expect(publications.takeGrants(for: here, at: ChatSamples.time(86_399)) == false)
        #expect(publications.takeGrants(for: here, at: ChatSamples.time(86_400)) == true)
        publications.grantsChanged(of: here.account)
        #expect(publications.takeGrants(for: here, at: ChatSamples.time(86_401)) == true)
        #expect(publications.takeGrants(for: there, at: ChatSamples.time(86_399)) == false)
    }

    @Test func `resends grants to a home that did not accept them`() {
        var publications = HomePublications(ChatSamples.settings)
        #expect(publications.takeGrants(for: here, at: ChatSamples.time(0)) == true)
        publications.grantsFailed(for: here, isRefused: false, at: ChatSamples.time(1))
        #expect(publications.takeGrants(for: here, at: ChatSamples.time(1)) == true)
        publications.grantsFailed(for: here, isRefused: true, at: ChatSamples.time(2))
        #expect(publications.takeGrants(for: here, at: ChatSamples.time(61)) == false)
        #expect(publications.takeGrants(for: here, at: ChatSamples.time(62)) == true)
    }

    @Test(arguments: [true, false])
    func `resends grants at once if they changed during the delivery`(isRefused: Bool) {
        var publications = HomePublications(ChatSamples.settings)
        #expect(publications.takeGrants(for: here, at: ChatSamples.time(0)) == true)
        publications.grantsChanged(of: here.account)
        publications.grantsFailed(for: here, isRefused: isRefused, at: ChatSamples.time(1))
        #expect(publications.takeGrants(for: here, at: ChatSamples.time(1)) == true)
    }
}
