import { useState } from "react";
import type { Listing, ListingContentInput } from "../shared/api";
import { call } from "../shared/call";
import { unitOf } from "../shared/currencies";
import { exact, smallest } from "../shared/money";
import { Dialog } from "../shared/parts/Dialog";
import { Form } from "../shared/parts/Form";
import { Money } from "../shared/parts/Money";
import { TextField } from "../shared/parts/TextField";
import { useForm } from "../shared/useForm";
import { useWords } from "../shared/words";
import { problemsBesideMoney } from "../shared/sentences";
import { ChangeDialog } from "./ChangeDialog";
import { changedContent } from "./changes";

/** Asks for another price; then the item is withdrawn and listed again at it, in one operation. */
export function PriceDialog({ listing, onClose }: { readonly listing: Listing; readonly onClose: () => void }) {
  const words = useWords();
  const { content, anchor } = listing;
  const { amount, currency } = content.price;
  const chain = anchor?.chain ?? content.chain ?? undefined;
  const unit = unitOf(currency, chain);
  const form = useForm<{ readonly price: string }>({ price: "" }, { called: { "price.amount": "price" } });
  const [asked, setAsked] = useState<ListingContentInput | null>(null);

  async function check(): Promise<void> {
    const price = smallest(form.values.price, unit?.decimals ?? 0);
    if (price === null) return void form.refuse({ price: words.say("page.notAnAmount") });
    if (price === amount) return void form.refuse({ price: words.say("page.samePrice") });
    const next = changedContent(listing, { price: { amount: price, currency } });
    const { problems } = await call("POST /v1/listings/{id}/preview", { path: { id: listing.id }, body: next, query: {} });
    if (!form.show(problemsBesideMoney(problems))) setAsked(next);
  }

  if (asked !== null) {
    return <ChangeDialog listing={listing} content={asked} title={words.say("page.changePrice")} action={words.say("page.changePrice")} onClose={onClose} />;
  }
  return (
    <Dialog title={words.say("page.changePrice")} onClose={onClose}>
      <Form form={form} action={words.say("page.seePreview")} onSend={check}>
        <p className="soft note">{words.say("page.changePriceWhy")}</p>
        <p>{words.say("page.priceNow")} <span className="strong"><Money amount={amount} currency={currency} chain={chain} /></span></p>
        <TextField form={form} name="price" label={words.say("page.newPrice")} inputMode="decimal" autoComplete="off" unit={unit?.symbol}
          placeholder={unit === undefined ? "" : exact(amount, unit.decimals)} />
      </Form>
    </Dialog>
  );
}
