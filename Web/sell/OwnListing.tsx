import { useState } from "react";
import type { Listing } from "../shared/api";
import { Button } from "../shared/parts/Button";
import { Link } from "../shared/parts/Link";
import { useWords } from "../shared/words";
import { ChangeDialog } from "./ChangeDialog";
import { canReprice, changedContent, hasNoBuyer } from "./changes";
import { PiecesDialog } from "./PiecesDialog";
import { PriceDialog } from "./PriceDialog";
import { ReopenDialog } from "../trade/ReopenDialog";
import { WithdrawDialog } from "./WithdrawDialog";

type Open = "price" | "pieces" | "again" | "reopen" | "withdraw";

/** A seller's actions for a listing: edit it, change its price or pieces, list it again, copy it, withdraw it. */
export default function OwnListing({ listing }: { readonly listing: Listing }) {
  const words = useWords();
  const [open, setOpen] = useState<Open | null>(null);
  const close = (): void => setOpen(null);
  const { content, state, id, pieces } = listing;
  const isReserved = content.terms?.buyer != null || content.direct?.buyer != null;
  const isPriced = canReprice(listing);
  // A sale that ended without a buyer is made again by an edit.
  const canListAgain = state === "over" && isPriced && hasNoBuyer(listing) && !isReserved;
  const button = (what: Open, text: string) => <Button isSmall onClick={() => setOpen(what)}>{text}</Button>;
  return (
    <section className="stack close own-listing">
      <h2>{words.say("page.listing")}</h2>
      <div className="beside">
        {canListAgain && button("again", words.say("page.listAgain"))}
        {isReserved && button("reopen", words.say("page.listAgain"))}
        <Link to={`/listings/${id}/edit`} className="button small">{words.say("page.edit")}</Link>
        {isPriced && button("price", words.say("page.changePrice"))}
        {pieces != null && state === "open" && button("pieces", words.say("page.changePieces"))}
        <Link to={`/sell?${new URLSearchParams({ copy: id })}`} className="button small">{words.say("page.duplicate")}</Link>
        <Button isSmall look="danger" onClick={() => setOpen("withdraw")}>{words.say("page.withdraw")}</Button>
      </div>
      {open === "price" && <PriceDialog listing={listing} onClose={close} />}
      {open === "pieces" && <PiecesDialog listing={listing} onClose={close} />}
      {open === "again" && (
        <ChangeDialog listing={listing} content={changedContent(listing, {})} title={words.say("page.listAgain")}
          action={words.say("page.listAgain")} onClose={close} />
      )}
      {open === "reopen" && <ReopenDialog listing={listing.id} back={`/listings/${listing.id}`} onClose={close} />}
      {open === "withdraw" && <WithdrawDialog listing={listing} onClose={close} />}
    </section>
  );
}
