import { useState } from "react";
import type { WalletMovement } from "../shared/api";
import { Choice } from "../shared/parts/Choice";
import { Shown } from "../shared/parts/Shown";
import { Title } from "../shared/parts/Title";
import type { ScreenProps } from "../shared/screens";
import { useWords } from "../shared/words";
import { Chains } from "./Chains";
import { HistoryList } from "./HistoryList";
import { useChains } from "./useChains";

const filters = ["all", "in", "out", "fee"] as const;
type Filter = (typeof filters)[number];

const names = { all: "page.allOfThem", in: "page.movedIn", out: "page.movedOut", fee: "page.fees" } as const;

function isShown(movement: WalletMovement, filter: Filter): boolean {
  if (filter === "all") return true;
  if (filter === "fee") return movement.kind === "fee";
  return movement.kind !== "fee" && movement.isIncoming === (filter === "in");
}

/** All final movements of the account's money that the node knows, in pages. */
export default function HistoryScreen({ query }: ScreenProps) {
  const words = useWords();
  const { chains, chain } = useChains(query);
  const [filter, setFilter] = useState<Filter>("all");
  return (
    <div className="stack measure">
      <Title text={words.say("page.allMovements")} />
      <p className="soft">{words.say("page.movementsWhy")}</p>
      <Shown of={chains}>
        {(all) => all.length === 0 ? <p className="soft">{words.say("page.noChain")}</p> : <Chains all={all} chosen={chain} path="/wallet/history" />}
      </Shown>
      <Choice<Filter> label={words.say("page.show")} isQuiet value={filter} onChoose={setFilter}
        options={filters.map((one) => [one, words.say(names[one])] as const)} />
      {chain !== undefined && <HistoryList key={chain} chain={chain} isShown={(one) => isShown(one, filter)} />}
    </div>
  );
}
