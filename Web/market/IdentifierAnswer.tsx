import type { IdentifierCheck, Item } from "../shared/api";
import { Facts } from "../shared/parts/Facts";
import { Notice } from "../shared/parts/Notice";
import { Person } from "../shared/parts/Person";
import { Row } from "../shared/parts/Row";
import { Time } from "../shared/parts/Time";
import { useWords } from "../shared/words";

/** The listings that state an identifier, and the tokens that were sold for it. */
export function IdentifierAnswer({ found }: { readonly found: IdentifierCheck }) {
  const words = useWords();
  const { listings, items } = found;
  if (listings.length === 0 && items.length === 0) {
    return <Notice kind="good" isNews><p>{words.say("page.identifierFree")}</p></Notice>;
  }
  return (
    <div className="stack far measure">
      {found.isContested && <Notice kind="warn" isNews><p>{words.say("page.identifierContested")}</p></Notice>}
      {listings.length > 0 && (
        <section className="stack">
          <h2>{words.say("page.listingsWithIt")}</h2>
          <ul className="rows">
            {listings.map((one) => (
              <Row key={one.listing} to={`/listings/${one.listing}`} title={<bdi>{one.title}</bdi>}
                end={<span className={`state${one.state === "open" ? " good" : ""}`}>{words.alone(words.said(one.status))}</span>}>
                <span className="small soft"><Person account={one.author} size="mini" isLink={false} /></span>
                <span className="small soft">
                  {words.say("page.salesOf", { count: one.authorsSales })}
                  {one.tokenSince != null && <> · {words.say("page.firstListed")} <Time at={one.tokenSince} as="day" /></>}
                </span>
              </Row>
            ))}
          </ul>
        </section>
      )}
      {items.length > 0 && (
        <section className="stack">
          <h2>{words.say("page.tokensOfIt")}</h2>
          <ul className="rows">
            {items.map((item) => (
              <li key={`${item.chain} ${item.token}`} className="review stack close">
                <Facts of={[
                  [words.say("page.madeBy"), <Person key="made" account={item.maker} />],
                  [words.say("page.ownedBy"), isHeld(item) ? words.say("page.heldByContract") : <Person key="owned" account={item.owner} />],
                  [words.say("page.firstListedOn"), item.since == null ? null : <Time key="since" at={item.since} as="day" />],
                ]} />
              </li>
            ))}
          </ul>
        </section>
      )}
    </div>
  );
}

/** Whether the contract of one of its sales has the token. */
function isHeld(item: Item): boolean {
  return item.sales.some((sale) => sale.contract.toLowerCase() === item.owner.toLowerCase());
}
