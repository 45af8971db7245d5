import type { Wallet } from "../shared/api";
import { CopyButton } from "../shared/parts/CopyButton";
import { Money } from "../shared/parts/Money";
import { useWords } from "../shared/words";

/** What the account has, and the address at which it gets more. */
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
        <span className="address soft note">{account}</span>
        <CopyButton text={account} name={words.say("page.copyAddress")} />
      </div>
    </section>
  );
}
