import { Link } from "../shared/parts/Link";
import { Shown } from "../shared/parts/Shown";
import { Title } from "../shared/parts/Title";
import type { ScreenProps } from "../shared/screens";
import { useWords } from "../shared/words";
import { Balances } from "./Balances";
import { Chains } from "./Chains";
import { Credits } from "./Credits";
import { Locked } from "./Locked";
import { Movements } from "./Movements";
import { useChains } from "./useChains";

/** The account's money: what it has, what its sales hold, what it can collect, and what moved. */
export default function WalletScreen({ query }: ScreenProps) {
  const words = useWords();
  const { chains, chain, wallet } = useChains(query);
  return (
    <div className="stack far measure">
      <Title text={words.say("page.wallet")} />
      <Shown of={chains}>
        {(all) => all.length === 0 ? <p className="soft">{words.say("page.noChain")}</p> : <Chains all={all} chosen={chain} />}
      </Shown>
      {chain !== undefined && (
        <Shown of={wallet}>
          {(found) => (
            <>
              <Balances wallet={found} />
              <Credits wallet={found} />
              <Locked wallet={found} />
              <Movements chain={chain} />
              <p className="beside">
                <Link to={`/wallet/tokens?chain=${chain}`}>{words.say("page.ownTokens")}</Link>
                <Link to="/operations">{words.say("page.operations")}</Link>
              </p>
            </>
          )}
        </Shown>
      )}
    </div>
  );
}
