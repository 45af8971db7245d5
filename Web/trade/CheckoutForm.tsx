import { useMemo, useState } from "react";
import type { DeliveryAddress, Problem, SavedListing } from "../shared/api";
import { call, CallError, newKey } from "../shared/call";
import { countries, named } from "../shared/countries";
import { CheckField } from "../shared/parts/CheckField";
import { Form } from "../shared/parts/Form";
import { Link } from "../shared/parts/Link";
import { OneSourceField } from "../shared/parts/OneSourceField";
import { SelectField } from "../shared/parts/SelectField";
import { TextField } from "../shared/parts/TextField";
import { go } from "../shared/router";
import { useForm } from "../shared/useForm";
import { useWords } from "../shared/words";
import { CheckoutConsent } from "./CheckoutConsent";
import { CheckoutCosts } from "./CheckoutCosts";
import { CheckoutEntry } from "./CheckoutEntry";
import { FeeField, type FeeSpeed } from "../shared/parts/FeeField";
import { firstValues, hindrances, isOfForm, isSent, missingOf, purchaseOf, type CheckoutLine, type CheckoutValues } from "./checkout";
import { keepRun, runOf } from "./agreedPurchases";
import { problemsForPeople } from "../shared/sentences";
import { previewsOf, usePreviews, type Previews } from "./usePreviews";
import { useSettled } from "../shared/useSettled";

interface Props {
  readonly lines: readonly SavedListing[];
  /** The account's delivery address. */
  readonly address: DeliveryAddress;
}

/** Which lines are bought, where they are sent, and what all of them cost; then it asks once. */
export function CheckoutForm({ lines, address }: Props) {
  const words = useWords();
  const form = useForm<CheckoutValues>(firstValues(address), { keep: "checkout", called: { "address.text": "address" } });
  const { values } = form;
  const feeSpeed = values.feeSpeed as FeeSpeed;
  const [asked, setAsked] = useState<readonly CheckoutLine[] | null>(null);
  const options = useMemo(() => [["", words.say("page.chooseCountry")] as const, ...named(countries, words.language)], [words]);
  const left = new Set(values.leftOut.split(" "));
  const bodies = lines.map((saved) => purchaseOf(saved, values));
  const settled = useSettled({ bodies, feeSpeed });
  const { all, isReading } = usePreviews(settled.bodies, settled.feeSpeed);

  function linesOf(previews: Previews): readonly CheckoutLine[] {
    return lines.map((saved, index) => {
      const found = previews.get(saved.listing) ?? null;
      const isFault = found instanceof CallError;
      return { saved, body: bodies[index] ?? { listing: saved.listing }, preview: isFault ? null : found, error: isFault ? found : null };
    });
  }

  const isBought = (line: CheckoutLine): boolean => !left.has(line.saved.listing) && line.preview !== null && hindrances(line).length === 0;
  const shown = linesOf(all);
  const bought = shown.filter(isBought);
  const hasSent = shown.some(isSent);
  const restsOnOne = shown.some(({ preview }) => preview?.restsOnOneSource === true);

  function leave(listing: string, isLeft: boolean): void {
    const next = new Set(left);
    if (isLeft) next.add(listing);
    else next.delete(listing);
    form.set("leftOut", [...next].filter(Boolean).join(" "));
  }

  async function check(): Promise<void> {
    const now = linesOf(await previewsOf(bodies, feeSpeed)).filter(isBought);
    const ofForm = new Map<string, Problem>();
    for (const { preview } of now) for (const one of preview?.problems ?? []) if (isOfForm(one)) ofForm.set(one.detail, one);
    if (form.show(problemsForPeople([...ofForm.values()]))) return;
    if (form.refuse(now.length === 0 ? { "": words.say("page.nothingToBuy") } : {})) return;
    if (form.refuse(missingOf(now).length > 0 ? { "": words.say("page.notEnoughForAll") } : {})) return;
    setAsked(now);
  }

  function agree(agreed: readonly CheckoutLine[]): void {
    if (values.keepsAddress) call("PUT /v1/address", { body: { ...address, text: values.address.trim() } }).catch(() => undefined);
    const id = newKey();
    keepRun(id, runOf(agreed, feeSpeed));
    form.done();
    go(`/cart/checkout?${new URLSearchParams({ run: id })}`, "replace");
  }

  return (
    <>
      <div className="deal">
        <CheckoutCosts lines={bought} isReading={isReading} />
        <div className="stack far">
          <p className="soft">{words.say("page.checkoutEach")}</p>
          <ul className="rows">
            {shown.map((line) => (
              <CheckoutEntry key={line.saved.listing} line={line} isLeft={left.has(line.saved.listing)} isReading={isReading}
                onLeave={(isLeft) => leave(line.saved.listing, isLeft)} />
            ))}
          </ul>
          <Form form={form} action={words.say("page.checkoutReview")} onSend={check}
            beside={<Link to="/cart" className="button bare">{words.say("page.backToCart")}</Link>}>
            {hasSent && (
              <>
                <SelectField form={form} name="shipTo" label={words.say("page.country")} options={options} />
                <TextField form={form} name="address" isLong autoComplete="street-address" label={words.say("page.deliveryAddress")}
                  hint={words.say("page.checkoutAddress")} />
              </>
            )}
            {hasSent && address.text == null && values.address.trim() !== "" && <CheckField form={form} name="keepsAddress">{words.say("page.keepAddress")}</CheckField>}
            <FeeField form={form} name="feeSpeed" />
            <OneSourceField form={form} isNeeded={restsOnOne} />
          </Form>
        </div>
      </div>
      {asked !== null && <CheckoutConsent lines={asked} onClose={() => setAsked(null)} onAgree={() => agree(asked)} />}
    </>
  );
}
