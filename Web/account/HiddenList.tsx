import type { HiddenEntry } from "../shared/api";
import { short } from "../shared/addresses";
import { Link } from "../shared/parts/Link";
import { Person } from "../shared/parts/Person";
import { Row } from "../shared/parts/Row";
import { useWords } from "../shared/words";

/** What lists hide, by whom and why; each entry can still be looked at. */
export function HiddenList({ entries }: { readonly entries: readonly HiddenEntry[] }) {
  const words = useWords();
  if (entries.length === 0) return <p>{words.say("page.nothingHidden")}</p>;
  return (
    <ul className="rows">
      {entries.map(({ account, listing, reason, by, list }) => (
        <Row key={`${list ?? ""} ${account} ${listing ?? ""}`}
          title={listing == null ? <Person account={account} /> : <Link to={`/listings/${listing}`}>{words.say("page.listingOf", { id: short(listing) })}</Link>}>
          {reason != null && <span className="note"><bdi>{reason}</bdi></span>}
          <span className="soft small beside">
            {words.say("page.hiddenBy")} <Person account={by} size="mini" />
            {list != null && <Link to={`/lists/${list}`}>{words.say("page.toList")}</Link>}
          </span>
        </Row>
      ))}
    </ul>
  );
}
