import type { Listing } from "../shared/api";
import { Facts } from "../shared/parts/Facts";
import { Money } from "../shared/parts/Money";
import { Notice } from "../shared/parts/Notice";
import { useWords } from "../shared/words";
import { canReprice } from "./changes";

/** The facts that the sale of a listing fixes, so that the form does not offer them. */
export function FixedFacts({ listing }: { readonly listing: Listing }) {
  const words = useWords();
  const { content, anchor } = listing;
  const hasFixedWords = content.type === "digital" || content.payment === "auction";
  const chain = anchor?.chain ?? content.chain ?? undefined;
  return (
    <div className="stack">
      <Notice>
        <p>{words.say(hasFixedWords ? "page.fixedWithWords" : "page.fixedWhy")}</p>
        {canReprice(listing) && <p>{words.say("page.priceElsewhere")}</p>}
      </Notice>
      <Facts of={[
        [words.say("page.titleOfListing"), hasFixedWords ? <bdi key="title">{content.title}</bdi> : null],
        [words.say("page.description"), hasFixedWords ? <bdi key="description" className="lines">{content.description}</bdi> : null],
        [words.say("page.whatKind"), words.alone(words.named("type", content.type))],
        [words.say("page.wayToSell"), words.alone(words.named("payment", content.payment))],
        [words.say("page.price"), <Money key="price" amount={content.price.amount} currency={content.price.currency} chain={chain} />],
        [words.say("page.identifier"), content.identifier === "" || content.type === "course" ? null
          : <bdi key="identifier" className="address">{content.identifier}</bdi>],
      ]} />
    </div>
  );
}
