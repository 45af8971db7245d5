import type { PriceOffer } from "../shared/api";
import { call } from "../shared/call";
import { ConfirmDialog } from "../shared/parts/ConfirmDialog";
import { useIntent } from "../shared/useIntent";
import { useWords } from "../shared/words";

interface Props {
  readonly offer: PriceOffer;
  readonly onClose: () => void;
  readonly onDone: () => void;
}

/** Taking an offer back before the seller accepts it. */
export function WithdrawOfferDialog({ offer, onClose, onDone }: Props) {
  const words = useWords();
  const intent = useIntent(`withdraw.${offer.id}`);
  const amount = words.money(offer.price.amount, offer.price.currency, offer.chain, "whole");
  return (
    <ConfirmDialog title={words.say("page.withdrawOffer")} action={words.say("page.withdrawOffer")} look="danger" onClose={onClose}
      onAgree={async () => {
        await intent((once) => call("DELETE /v1/listings/{id}/offers", { path: { id: offer.listing }, once }));
        onDone();
      }}>
      <p>{words.say("page.withdrawOfferWhy", { amount })}</p>
    </ConfirmDialog>
  );
}
