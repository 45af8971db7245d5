import { useState } from "react";
import type { Item } from "../shared/api";
import { Button } from "../shared/parts/Button";
import { Empty } from "../shared/parts/Empty";
import { Link } from "../shared/parts/Link";
import { Row } from "../shared/parts/Row";
import { Shown } from "../shared/parts/Shown";
import { Time } from "../shared/parts/Time";
import { Title } from "../shared/parts/Title";
import type { ScreenProps } from "../shared/screens";
import { useCall } from "../shared/useCall";
import { useWords } from "../shared/words";
import { Chains } from "./Chains";
import { GiveForm } from "./GiveForm";
import { useChains } from "./useChains";

/** The tokens of things that the account owns, each of which it can give away. */
export default function TokensScreen({ query }: ScreenProps) {
  const words = useWords();
  const { chains, chain } = useChains(query);
  const items = useCall("GET /v1/items", chain === undefined ? null : { query: { own: true, chain } }, ["sale", "operation"]);
  const [given, setGiven] = useState<Item | null>(null);
  return (
    <div className="stack measure">
      <Title text={words.say("page.ownTokens")} />
      <p className="soft">{words.say("page.ownTokensWhy")}</p>
      <Shown of={chains}>
        {(all) => all.length === 0 ? <p className="soft">{words.say("page.noChain")}</p> : <Chains all={all} chosen={chain} path="/wallet/tokens" />}
      </Shown>
      {chain !== undefined && (
        <Shown of={items}>
          {(all) => all.length === 0
            ? (
              <Empty icon="tag" title={words.say("page.noTokens")}>
                <p>{words.say("page.noTokensWhy")}</p>
                <Link className="button" to="/search">{words.say("page.toMarket")}</Link>
              </Empty>
            )
            : <ul className="rows">{all.map((item) => <TokenRow key={item.token} item={item} onGive={() => setGiven(item)} />)}</ul>}
        </Shown>
      )}
      {given !== null && <GiveForm item={given} name={titleOf(given) ?? words.say("page.tokenOf", { number: given.token })} onClose={() => setGiven(null)} />}
    </div>
  );
}

/** The title of its latest sale; null if no node has told it. */
function titleOf({ sales }: Item): string | null {
  return sales.map((sale) => sale.title ?? sale.promised?.title).find((title) => title != null) ?? null;
}

function TokenRow({ item, onGive }: { readonly item: Item; readonly onGive: () => void }) {
  const words = useWords();
  const { token, identifier, since, sales } = item;
  const picture = sales.find((sale) => sale.picture != null)?.picture?.id ?? null;
  return (
    <Row to={identifier == null ? undefined : `/check?${new URLSearchParams({ identifier })}`} picture={picture}
      title={<bdi>{titleOf(item) ?? words.say("page.tokenOf", { number: token })}</bdi>}
      end={<Button isSmall onClick={onGive}>{words.say("page.giveAway")}<span className="unseen"> {titleOf(item) ?? token}</span></Button>}>
      {identifier != null && <span className="soft small"><bdi>{identifier}</bdi></span>}
      {since != null && <span className="soft small">{words.say("page.firstListedOn")} <Time at={since} as="day" /></span>}
    </Row>
  );
}
