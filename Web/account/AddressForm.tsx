import { useMemo, useState } from "react";
import type { DeliveryAddress } from "../shared/api";
import { call } from "../shared/call";
import { countries, named } from "../shared/countries";
import { Button } from "../shared/parts/Button";
import { Form } from "../shared/parts/Form";
import { Notice } from "../shared/parts/Notice";
import { SelectField } from "../shared/parts/SelectField";
import { TextField } from "../shared/parts/TextField";
import { useForm } from "../shared/useForm";
import { useWords } from "../shared/words";

/** The parts of a place such as 'Munich, Bavaria, DE', the country last. */
function partsOf(place: string | null | undefined): { country: string; state: string; city: string } {
  const parts = (place ?? "").split(",").map((part) => part.trim());
  return { country: parts.at(-1) ?? "", state: parts.at(-2) ?? "", city: parts.at(-3) ?? "" };
}

/** The address as it is known, to be changed or removed. */
export function AddressForm({ known }: { readonly known: DeliveryAddress }) {
  const words = useWords();
  const form = useForm({ text: known.text ?? "", ...partsOf(known.place) }, { keep: "address", called: { place: "country" } });
  const [state, setState] = useState<"same" | "saved" | "removed">("same");
  const options = useMemo(() => [["", words.say("page.notStated")] as const, ...named(countries, words.language)], [words]);
  const { country } = form.values;

  async function save(): Promise<void> {
    const text = form.values.text.trim();
    const [region, city] = [form.values.state.trim(), form.values.city.trim()];
    const faults = {
      ...(country === "" && text !== "" ? { country: words.say("page.countryMissing") } : {}),
      ...(country !== "" && region === "" && city !== "" ? { state: words.say("page.stateMissing") } : {}),
    };
    setState("same");
    if (form.refuse(faults)) return;
    const place = country === "" ? "" : [city, region, country].filter(Boolean).join(", ");
    // A point on the map, by which distances are counted, belongs to the place.
    const point = place === (known.place ?? "") ? known.point : null;
    await call("PUT /v1/address", { body: { ...(text === "" ? {} : { text }), ...(place === "" ? {} : { place }), ...(point == null ? {} : { point }) } });
    form.done();
    setState("saved");
  }

  async function remove(): Promise<void> {
    await call("PUT /v1/address", { body: {} });
    form.setAll({ text: "", country: "", state: "", city: "" });
    form.done();
    setState("removed");
  }

  return (
    <Form form={form} action={words.say("page.save")} onSend={save}
      beside={known.text != null && state !== "removed" && (
        <Button look="bare" onClick={() => void remove().catch(form.fail)}>{words.say("page.removeAddress")}</Button>
      )}>
      {state !== "same" && <Notice kind="good" isNews><p>{words.say(state === "saved" ? "page.addressSaved" : "page.addressRemoved")}</p></Notice>}
      <TextField form={form} name="text" label={words.say("page.nameAndAddress")} hint={words.say("page.nameAndAddressHint")} isLong autoComplete="street-address" />
      <SelectField form={form} name="country" label={words.say("page.country")} options={options} hint={words.say("page.countryHint")} />
      {country !== "" && (
        <div className="pair">
          <TextField form={form} name="state" label={words.say("page.state")} hint={words.say("page.stateHint")} autoComplete="address-level1" />
          <TextField form={form} name="city" label={words.say("page.city")} autoComplete="address-level2" />
        </div>
      )}
    </Form>
  );
}
