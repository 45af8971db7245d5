import type { PriceOffer } from "../shared/api";
import { call } from "../shared/call";
import { Dialog } from "../shared/parts/Dialog";
import { Form } from "../shared/parts/Form";
import { useForm } from "../shared/useForm";
import { useWords } from "../shared/words";
import { useIntent } from "../shared/useIntent";

interface Props {
  readonly offer: PriceOffer;
  readonly onClose: () => void;
  readonly onDone: () => void;
}

/** Taking an offer back before the seller accepts it. */
export function WithdrawOfferDialog({ offer, onClose, onDone }: Props) {
  const words = useWords();
  const form = useForm({});
  const intent = useIntent(`withdraw.${offer.id}`);
  const amount = words.money(offer.price.amount, offer.price.currency, offer.chain, "whole");

  async function withdraw(): Promise<void> {
    await intent((once) => call("DELETE /v1/listings/{id}/offers", { path: { id: offer.listing }, once }));
    onDone();
  }

  return (
    <Dialog title={words.say("page.withdrawOffer")} onClose={onClose}>
      <p>{words.say("page.withdrawOfferWhy", { amount })}</p>
      <Form form={form} action={words.say("page.withdrawOffer")} onSend={withdraw} look="danger"><span /></Form>
    </Dialog>
  );
}
