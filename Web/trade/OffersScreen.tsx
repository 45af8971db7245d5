import { useState } from "react";
import type { PriceOffer } from "../shared/api";
import { Empty } from "../shared/parts/Empty";
import { Link } from "../shared/parts/Link";
import { Shown } from "../shared/parts/Shown";
import { Title } from "../shared/parts/Title";
import { session } from "../shared/session";
import { useStore } from "../shared/store";
import { useCall } from "../shared/useCall";
import { useWords } from "../shared/words";
import { AcceptDialog } from "./AcceptDialog";
import { OfferEntry, type OfferAct } from "./OfferEntry";
import { ReopenDialog } from "./ReopenDialog";
import { WithdrawOfferDialog } from "./WithdrawOfferDialog";

interface Chosen {
  readonly act: OfferAct;
  readonly offer: PriceOffer;
}

/** Offers at other prices: those that others made to the account, and its own. */
export default function OffersScreen() {
  const words = useWords();
  const own = useStore(session)?.account.address.toLowerCase();
  const found = useCall("GET /v1/offers", {}, ["message", "sale", "operation", "reopening", "listing"]);
  const [chosen, setChosen] = useState<Chosen | null>(null);
  const close = (): void => setChosen(null);
  const done = (): void => {
    close();
    found.again();
  };
  const list = (offers: readonly PriceOffer[], isOwn: boolean) => (
    <ul className="rows measure">
      {offers.map((offer) => <OfferEntry key={offer.id} offer={offer} isOwn={isOwn} onChoose={(act) => setChosen({ act, offer })} />)}
    </ul>
  );
  return (
    <div className="stack far">
      <div className="stack close">
        <Title text={words.say("page.priceOffers")} />
        <p className="soft measure">{words.say("page.priceOffersWhy")}</p>
      </div>
      <Shown of={found}>
        {(all) => {
          const made = all.filter((one) => one.buyer.toLowerCase() === own);
          const received = all.filter((one) => one.buyer.toLowerCase() !== own);
          if (all.length === 0) {
            return (
              <Empty icon="tag" title={words.say("page.noOffers")}>
                <p>{words.say("page.noOffersWhy")}</p>
                <Link to="/search" className="button">{words.say("page.allListings")}</Link>
              </Empty>
            );
          }
          return (
            <>
              {received.length > 0 && <section className="stack close"><h2>{words.say("page.offersReceived")}</h2>{list(received, false)}</section>}
              {made.length > 0 && <section className="stack close"><h2>{words.say("page.offersMade")}</h2>{list(made, true)}</section>}
            </>
          );
        }}
      </Shown>
      {chosen?.act === "accept" && <AcceptDialog offer={chosen.offer} onClose={close} />}
      {chosen?.act === "reopen" && <ReopenDialog listing={chosen.offer.listing} back="/offers" onClose={close} />}
      {chosen?.act === "withdraw" && <WithdrawOfferDialog offer={chosen.offer} onClose={close} onDone={done} />}
    </div>
  );
}
