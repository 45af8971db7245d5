import type { Listing, PriceOffer } from "../shared/api";
import { call } from "../shared/call";
import { unitOf } from "../shared/currencies";
import { smallest } from "../shared/money";
import { Form } from "../shared/parts/Form";
import { Link } from "../shared/parts/Link";
import { Money } from "../shared/parts/Money";
import { Notice } from "../shared/parts/Notice";
import { SelectField } from "../shared/parts/SelectField";
import { Shown } from "../shared/parts/Shown";
import { TextField } from "../shared/parts/TextField";
import { go } from "../shared/router";
import { useCall } from "../shared/useCall";
import { useForm } from "../shared/useForm";
import { useLastAnswer } from "../shared/useLastAnswer";
import { useWords } from "../shared/words";
import { forPeople, problemsForPeople } from "../shared/sentences";
import { useIntent } from "../shared/useIntent";
import { useSettled } from "../shared/useSettled";

const day = 86_400;
/** For how long the seller can accept it, and how long the buyer has to pay then, in seconds. */
const standing = [day, 3 * day, 7 * day, 14 * day, 30 * day] as const;
const paying = [3_600, 6 * 3_600, 12 * 3_600, day, 2 * day, 4 * day, 7 * day] as const;

interface Props {
  readonly listing: Listing;
  /** The account's offer that this one would replace. */
  readonly earlier: PriceOffer | undefined;
  /** The chain's time, in milliseconds. */
  readonly now: number;
}

/** Another price for the seller, which only the two see. */
export function OfferForm({ listing, earlier, now }: Props) {
  const words = useWords();
  const { content } = listing;
  const price = listing.price ?? content.price;
  const chain = listing.anchor?.chain ?? content.chain ?? undefined;
  const unit = unitOf(price.currency, chain);
  const form = useForm({ price: "", until: String(3 * day), paymentSeconds: String(2 * day) }, { keep: `offer.${listing.id}` });
  const intent = useIntent(`offer.${listing.id}`);
  const amount = smallest(form.values.price, unit?.decimals ?? 0);
  const seconds = Number(form.values.until);
  // The node refuses what ends more than 30 days ahead of its own clock.
  const until = Math.floor(now / 1_000) + seconds - (seconds === 30 * day ? 600 : 0);
  const body = { price: amount ?? "0", paymentSeconds: Number(form.values.paymentSeconds), until };
  const settled = useSettled(amount === null ? null : { path: { id: listing.id }, body, query: {} });
  const reading = useLastAnswer(useCall("POST /v1/listings/{id}/offers/preview", settled, ["sale", "listing"]));

  async function send(): Promise<void> {
    if (amount === null && form.refuse({ price: words.say("page.notAnAmount") })) return;
    const { problems } = await call("POST /v1/listings/{id}/offers/preview", { path: { id: listing.id }, body, query: {} });
    if (form.show(problemsForPeople(problems))) return;
    await intent((once) => call("POST /v1/listings/{id}/offers", { path: { id: listing.id }, body, once }));
    form.done();
    go("/offers", "replace");
  }

  const options = (all: readonly number[]) => all.map((one) => [String(one), words.duration(one)] as const);
  return (
    <div className="measure">
      <Form form={form} action={words.say("page.sendOffer")} onSend={send}
        beside={<Link to={`/listings/${listing.id}`} className="button bare">{words.say("page.notNow")}</Link>}>
        <p>{words.say("page.offerWhy")}</p>
        {earlier !== undefined && (
          <Notice><p>{words.say("page.offerReplaces")} <Money {...earlier.price} chain={chain} rounding="whole" /></p></Notice>
        )}
        <TextField form={form} name="price" label={words.say("page.yourPrice")} inputMode="decimal" autoComplete="off" unit={unit?.symbol}
          hint={words.say("page.offerHint", { amount: words.money(price.amount, price.currency, chain, "whole") })} />
        <SelectField form={form} name="until" label={words.say("page.offerStands")} options={options(standing)} />
        <SelectField form={form} name="paymentSeconds" label={words.say("page.timeToPay")} hint={words.say("page.timeToPayHint")}
          options={options(paying)} />
        {settled !== null && (
          <div className="stack close note" aria-live="polite">
            <Shown of={reading}>
              {(preview) => (
                <>
                  {[...forPeople(preview.summary), ...forPeople(preview.explanation)].map((one) => <p key={one.code}>{words.said(one)}</p>)}
                  {preview.warnings.length > 0 && (
                    <Notice kind="warn">{forPeople(preview.warnings).map((one) => <p key={one.code}>{words.said(one)}</p>)}</Notice>
                  )}
                  {preview.problems.length > 0 && (
                    <Notice kind="fault">{problemsForPeople(preview.problems).map((one) => <p key={one.detail}>{words.problem(one)}</p>)}</Notice>
                  )}
                </>
              )}
            </Shown>
          </div>
        )}
      </Form>
    </div>
  );
}
