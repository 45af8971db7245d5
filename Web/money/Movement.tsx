import type { WalletMovement } from "../shared/api";
import { Link } from "../shared/parts/Link";
import { Money } from "../shared/parts/Money";
import { Person } from "../shared/parts/Person";
import { Time } from "../shared/parts/Time";
import { useWords } from "../shared/words";

/** One movement of money: what for, how much, its fee, in which sale or with whom, and when. */
export function Movement({ movement }: { readonly movement: WalletMovement }) {
  const words = useWords();
  const { kind, isIncoming, money, fee, chain, at, title, sale, purpose, link, with: other } = movement;
  const name = purpose == null ? words.named("movement", kind) : words.named("action", purpose);
  return (
    <li>
      <p className="beside apart">
        <span className="strong">{words.alone(kind === "fee" ? `${name} · ${words.named("movement", kind)}` : name)}</span>
        <span>{isIncoming ? "+" : "−"} <Money amount={money.amount} currency={money.currency} chain={chain} rounding={isIncoming ? "down" : "up"} /></span>
      </p>
      {title != null && <p className="note">{sale == null ? <bdi>{title}</bdi> : <Link to={`/sales/${sale}`}><bdi>{title}</bdi></Link>}</p>}
      {/* The other side of a move is a contract, and that of new tokens is address 0: nobody to look at. */}
      {title == null && other != null && !/^0x0+$/.test(other) && (purpose == null || purpose === "send") && <p className="small"><Person account={other} size="mini" /></p>}
      <p className="beside soft small">
        <Time at={at} />
        {kind !== "fee" && fee != null && <span>{words.alone(words.named("movement", "fee"))} <Money amount={fee} currency="native" chain={chain} rounding="up" /></span>}
        {link != null && <a href={link} target="_blank" rel="noreferrer">{words.say("page.onTheChain")}</a>}
      </p>
    </li>
  );
}
