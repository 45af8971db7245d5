import type { Listing } from "../shared/api";
import { Link } from "../shared/parts/Link";
import { Notice } from "../shared/parts/Notice";
import { Person } from "../shared/parts/Person";
import { useWords } from "../shared/words";

/** Warnings before one trusts a listing: changed words, other sellers of the same thing, a resale. */
export function ListingNotes({ listing }: { readonly listing: Listing }) {
  const words = useWords();
  const { changes, rivals } = listing;
  const named = (fields: readonly string[]): string => fields.map((one) => words.named("field", one)).join(", ");
  return (
    <>
      {listing.isAsPromised === false && (
        <Notice kind="warn">
          <p>{changes == null ? words.say("page.otherPromise") : words.say("page.changedSince", { fields: named(changes) })}</p>
          {listing.promised?.title != null && <p>{words.say("page.promisedTitle", { title: listing.promised.title })}</p>}
          {listing.promised?.description != null && <p className="lines"><bdi>{listing.promised.description}</bdi></p>}
        </Notice>
      )}
      {!listing.isCurrencyAccepted && <Notice kind="warn"><p>{words.say("page.currencyNotTaken")}</p></Notice>}
      {listing.isResale === true && listing.maker != null && (
        <Notice><p>{words.say("page.resale")}</p><p><Person account={listing.maker} /></p></Notice>
      )}
      {rivals != null && rivals.length > 0 && (
        <Notice kind="warn">
          <p>{words.say("page.rivals", { count: rivals.length })}</p>
          <ul className="stack close">
            {rivals.map((one) => (
              <li key={one.listing}>
                <Link to={`/listings/${one.listing}`}><bdi>{one.title}</bdi></Link>{" "}
                <span className="soft small">{words.say("page.salesOf", { count: one.authorsSales })}</span>
              </li>
            ))}
          </ul>
        </Notice>
      )}
    </>
  );
}
