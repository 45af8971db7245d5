import type { ActionPreview, DeliveryAddress, Listing } from "../shared/api";
import { call } from "../shared/call";
import type { FeeSpeed } from "../shared/parts/FeeField";
import { go } from "../shared/router";
import { useForm } from "../shared/useForm";
import { useWords } from "../shared/words";
import { AddressFields, firstPlace } from "./AddressFields";
import { consents, DealForm } from "./DealForm";
import { purchaseOf, type PurchaseValues } from "./purchase";
import { problemsForPeople } from "../shared/sentences";
import { useIntent } from "../shared/useIntent";
import { usePreview } from "../shared/usePreview";

interface Props {
  readonly listing: Listing;
  /** The account's delivery address. */
  readonly address: DeliveryAddress;
}

/** What a purchase needs, beside all that money does in it. */
export function BuyForm({ listing, address }: Props) {
  const words = useWords();
  const { content } = listing;
  const form = useForm<PurchaseValues>({
    shipTo: firstPlace(content.shipsTo, address), address: address.text ?? "", feeSpeed: "normal",
    acceptsChanges: false, acceptsOneSource: false, keepsAddress: false,
  }, { keep: `buy.${listing.id}`, secret: consents });
  const feeSpeed = form.values.feeSpeed as FeeSpeed;
  const intent = useIntent(`buy.${listing.id}`);
  const body = purchaseOf(listing, form.values);
  const reading = usePreview("POST /v1/sales/preview", { body, query: { feeSpeed } }, ["sale", "operation", "listing"]);

  async function buy(): Promise<void> {
    const preview = await reading.shown();
    if (preview === null || form.show(problemsForPeople(preview.problems))) return;
    const { sale, round, feeMax } = preview;
    const begun = await intent((once) => call("POST /v1/sales", {
      once, query: { feeMax: feeMax ?? "0", feeSpeed },
      body: { ...body, ...(sale != null && { sale: sale.id }), ...(round != null && { round }) },
    }));
    // The purchase stands, whether the address is kept or not.
    if (form.values.keepsAddress) call("PUT /v1/address", { body: { ...address, text: form.values.address.trim() } }).catch(() => undefined);
    form.done();
    go(`/listings/${listing.id}/buy?${new URLSearchParams({ operation: begun.id })}`, "replace");
  }

  return (
    <DealForm form={form} listing={listing} of={reading} action={actionOf(words, content.payment, reading.answer)} onSend={buy} note={words.say("page.paidOnce")}>
      {content.delivery === "shipping" && <AddressFields form={form} listing={listing} hasOwn={address.text != null} />}
    </DealForm>
  );
}

/** The words of the button: what is done, for how much. */
function actionOf(words: ReturnType<typeof useWords>, payment: string, preview: ActionPreview | null): string {
  if (payment === "enrolment") return words.say("page.enrol");
  const [total, ...others] = preview?.total ?? [];
  if (total === undefined || others.length > 0) return words.say("page.buy");
  return words.say("page.payAmount", { amount: words.money(total.amount, total.currency, preview?.chain ?? undefined, "up") });
}
