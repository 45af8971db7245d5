import { Shown } from "../shared/parts/Shown";
import { Title } from "../shared/parts/Title";
import type { ScreenProps } from "../shared/screens";
import { useWords } from "../shared/words";
import { Chains } from "./Chains";
import { SendForm } from "./SendForm";
import { useChains } from "./useChains";

/** Sends money to another account. */
export default function SendScreen({ query }: ScreenProps) {
  const words = useWords();
  const { chains, chain, wallet } = useChains(query);
  const first = { to: query.get("to") ?? "", currency: query.get("currency") ?? "native" };
  return (
    <div className="stack measure">
      <Title text={words.say("page.sendMoney")} />
      <Shown of={chains}>
        {(all) => all.length === 0 ? <p className="soft">{words.say("page.noChain")}</p> : <Chains all={all} chosen={chain} path="/wallet/send" />}
      </Shown>
      {chain !== undefined && (
        <Shown of={wallet}>
          {(found) => <SendForm key={`${chain} ${first.to}`} wallet={found} chains={(chains.answer ?? []).map((one) => one.chain)} first={first} />}
        </Shown>
      )}
    </div>
  );
}
