import type { Wallet } from "../shared/api";
import { CopyButton } from "../shared/parts/CopyButton";
import { Link } from "../shared/parts/Link";
import { Money } from "../shared/parts/Money";
import { useWords } from "../shared/words";

/** What the account has in each currency, the address at which it gets more, and the ways to send and receive. */
export function Balances({ wallet: { account, balances, chain } }: { readonly wallet: Wallet }) {
  const words = useWords();
  const [first, ...others] = balances;
  return (
    <section className="stack" aria-label={words.say("page.balance")}>
      <div>
        <h2 className="soft note">{words.say("page.balance")}</h2>
        <p className="balance">{first === undefined ? "0" : <Money {...first} chain={chain} rounding="down" />}</p>
        {others.map((one) => <p key={one.currency} className="strong"><Money {...one} chain={chain} rounding="down" /></p>)}
      </div>
      <div className="beside">
        <Link className="button" to={`/wallet/send?chain=${chain}`}>{words.say("page.send")}</Link>
        <Link className="button" to={`/wallet/receive?chain=${chain}`}>{words.say("page.receive")}</Link>
      </div>
      <div className="beside">
        <span className="address soft note">{account}</span>
        <CopyButton text={account} name={words.say("page.copyAddress")} />
      </div>
    </section>
  );
}
