import { Facts } from "../shared/parts/Facts";
import { Notice } from "../shared/parts/Notice";
import { useWords } from "../shared/words";
import type { SellValues } from "./listingValues";

/** The facts that stay as they were bought when a thing is sold again. */
export function HeldFacts({ values }: { readonly values: SellValues }) {
  const words = useWords();
  const { type, identifier, work, item } = values;
  return (
    <div className="stack">
      <Notice><p>{words.say("page.heldWhy")}</p></Notice>
      <Facts of={[
        [words.say("page.whatKind"), words.alone(words.named("type", type))],
        [words.say("page.identifier"), <bdi key="identifier" className="address">{type === "digital" ? work : identifier}</bdi>],
        [words.say("page.token"), <span key="token" className="address">{item}</span>],
      ]} />
    </div>
  );
}
