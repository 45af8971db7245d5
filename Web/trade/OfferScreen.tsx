import { Shown } from "../shared/parts/Shown";
import { Title } from "../shared/parts/Title";
import type { ScreenProps } from "../shared/screens";
import { session } from "../shared/session";
import { useStore } from "../shared/store";
import { useCall } from "../shared/useCall";
import { useWords } from "../shared/words";
import { BuyHead } from "./BuyHead";
import { OfferForm } from "./OfferForm";

/** Offering the seller of a listing another price. */
export default function OfferScreen({ values }: ScreenProps) {
  const words = useWords();
  const id = values["id"] ?? "";
  const own = useStore(session)?.account.address.toLowerCase();
  const found = useCall("GET /v1/listings/{id}", { path: { id }, query: {} }, (event) => event.subject === id || event.type === "sale");
  const offers = useCall("GET /v1/offers", {}, ["message", "sale"]);
  const chains = useCall("GET /v1/chains", {});
  return (
    <div className="stack">
      <Title text={words.say("page.offerPrice")} />
      <Shown of={found}>
        {(listing) => {
          const chain = listing.anchor?.chain ?? listing.content.chain;
          const head = chains.answer?.find((one) => chain == null || one.chain === chain)?.headTime;
          return (
            <>
              <BuyHead listing={listing} />
              <Shown of={chains}>
                {() => (
                  <Shown of={offers}>
                    {(all) => (
                      <OfferForm listing={listing} now={head == null ? Date.now() : Date.parse(head)}
                        earlier={all.find((one) => one.listing === id && one.state === "open" && one.buyer.toLowerCase() === own)} />
                    )}
                  </Shown>
                )}
              </Shown>
            </>
          );
        }}
      </Shown>
    </div>
  );
}
