import { Shown } from "../shared/parts/Shown";
import { Title } from "../shared/parts/Title";
import type { ScreenProps } from "../shared/screens";
import { useWords } from "../shared/words";
import { Chains } from "./Chains";
import { ReceiveForm } from "./ReceiveForm";
import { useChains } from "./useChains";

/** The account's address for others who send it money, also as a code that their wallets read. */
export default function ReceiveScreen({ query }: ScreenProps) {
  const words = useWords();
  const { chains, chain, wallet } = useChains(query);
  return (
    <div className="stack measure">
      <Title text={words.say("page.receiveMoney")} />
      <p className="soft">{words.say("page.receiveWhy")}</p>
      <Shown of={chains}>
        {(all) => all.length === 0 ? <p className="soft">{words.say("page.noChain")}</p> : <Chains all={all} chosen={chain} path="/wallet/receive" />}
      </Shown>
      {chain !== undefined && <Shown of={wallet}>{(found) => <ReceiveForm key={chain} wallet={found} />}</Shown>}
    </div>
  );
}
