import type { WalletMovement } from "../shared/api";
import { Link } from "../shared/parts/Link";
import { Money } from "../shared/parts/Money";
import { Person } from "../shared/parts/Person";
import { Shown } from "../shared/parts/Shown";
import { Time } from "../shared/parts/Time";
import { useCall } from "../shared/useCall";
import { useWords } from "../shared/words";

/** The latest final movements of the account's money. */
export function Movements({ chain }: { readonly chain: number }) {
  const words = useWords();
  const history = useCall("GET /v1/wallet/history", { query: { chain, limit: 10 } }, ["sale", "operation"]);
  return (
    <section className="stack close">
      <h2>{words.say("page.movements")}</h2>
      <Shown of={history}>
        {({ items }) => items.length === 0
          ? <p className="soft">{words.say("page.noMovements")}</p>
          : <ul className="rows ledger">{items.map((one, index) => <Movement key={`${one.transaction ?? ""} ${one.block} ${index}`} movement={one} />)}</ul>}
      </Shown>
    </section>
  );
}

function Movement({ movement: { kind, isIncoming, money, chain, at, title, sale, purpose, with: other } }: { readonly movement: WalletMovement }) {
  const words = useWords();
  const name = purpose == null ? words.named("movement", kind) : words.named("action", purpose);
  return (
    <li>
      <p className="beside apart">
        <span className="strong">{words.alone(kind === "fee" ? `${name} · ${words.named("movement", kind)}` : name)}</span>
        <span>{isIncoming ? "+" : "−"} <Money amount={money.amount} currency={money.currency} chain={chain} rounding={isIncoming ? "down" : "up"} /></span>
      </p>
      {title != null && <p className="note">{sale == null ? <bdi>{title}</bdi> : <Link to={`/sales/${sale}`}><bdi>{title}</bdi></Link>}</p>}
      {/* The other side of a move is a contract, which is nobody to look at. */}
      {title == null && other != null && (purpose == null || purpose === "send") && <p className="small"><Person account={other} size="mini" /></p>}
      <p className="soft small"><Time at={at} /></p>
    </li>
  );
}
