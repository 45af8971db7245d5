import type { ActionPreview, DeliveryAddress, Listing } from "../shared/api";
import { call } from "../shared/call";
import { CheckField } from "../shared/parts/CheckField";
import { Form } from "../shared/parts/Form";
import { Link } from "../shared/parts/Link";
import { Shown } from "../shared/parts/Shown";
import { go } from "../shared/router";
import { useForm } from "../shared/useForm";
import { useWords } from "../shared/words";
import { AddressFields, firstPlace } from "./AddressFields";
import { FeeField, type FeeSpeed } from "../shared/parts/FeeField";
import { PreviewShown } from "../shared/parts/PreviewShown";
import { PromiseField } from "./PromiseField";
import { purchaseOf, type PurchaseValues } from "./purchase";
import { forPeople, problemsForPeople } from "../shared/sentences";
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
  }, { keep: `buy.${listing.id}`, secret: ["acceptsChanges", "acceptsOneSource"] });
  const feeSpeed = form.values.feeSpeed as FeeSpeed;
  const intent = useIntent(`buy.${listing.id}`);
  const body = purchaseOf(listing, form.values);
  const reading = usePreview("POST /v1/sales/preview", { body, query: { feeSpeed } }, ["sale", "operation", "listing"]);
  const preview = reading.answer;

  /** The preview that was shown; another one of the same sale if that could not be read. */
  async function current(): Promise<ActionPreview> {
    if (preview !== null && reading.error === null) return preview;
    const bound = { ...body, ...(preview?.sale != null && { sale: preview.sale.id }), ...(preview?.round != null && { round: preview.round }) };
    return await call("POST /v1/sales/preview", { body: bound, query: { feeSpeed } });
  }

  async function buy(): Promise<void> {
    const { problems, sale, round, feeMax } = await current();
    if (form.show(problemsForPeople(problems))) return;
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
    <div className="deal">
      <div className="deal-costs stack" aria-busy={reading.isReading}>
        <h2>{words.say("page.whatItCosts")}</h2>
        <Shown of={reading}>
          {(shown) => (
            <>
              <p className="note">{words.said(forPeople(shown.summary))}</p>
              <PreviewShown preview={shown} />
            </>
          )}
        </Shown>
      </div>
      <Form form={form} action={actionOf(words, content.payment, preview)} onSend={buy} isWaiting={reading.isWaiting}
        beside={<Link to={`/listings/${listing.id}`} className="button bare">{words.say("page.notNow")}</Link>}>
        {content.delivery === "shipping" && <AddressFields form={form} listing={listing} hasOwn={address.text != null} />}
        {content.delivery === "pickup" && content.pickupPlace != null && (
          <p>{words.say(content.type === "course" ? "page.courseAt" : "page.youCollectAt")} <bdi className="strong">{content.pickupPlace}</bdi></p>
        )}
        <FeeField form={form} name="feeSpeed" />
        <PromiseField form={form} preview={preview} />
        {(preview?.restsOnOneSource || form.values.acceptsOneSource) && (
          <CheckField form={form} name="acceptsOneSource">{words.say("page.acceptsOneSource")}</CheckField>
        )}
        <p className="soft note">{words.say("page.paidOnce")}</p>
      </Form>
    </div>
  );
}

/** The words of the button: what is done, for how much. */
function actionOf(words: ReturnType<typeof useWords>, payment: string, preview: ActionPreview | null): string {
  if (payment === "enrolment") return words.say("page.enrol");
  const [total, ...others] = preview?.total ?? [];
  if (total === undefined || others.length > 0) return words.say("page.buy");
  return words.say("page.payAmount", { amount: words.money(total.amount, total.currency, preview?.chain ?? undefined, "up") });
}
