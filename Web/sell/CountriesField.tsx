import { countries, named, nameOfPlace } from "../shared/countries";
import { Field } from "../shared/parts/Field";
import { Icon } from "../shared/parts/Icon";
import type { FormState } from "../shared/useForm";
import { useWords } from "../shared/words";
import type { SellValues } from "./listingValues";

/** The countries to which it is sent: chosen one after the other, each removed by a click. */
export function CountriesField({ form }: { readonly form: FormState<SellValues> }) {
  const words = useWords();
  form.has("shipsTo");
  const chosen = form.values.shipsTo === "" ? [] : form.values.shipsTo.split(",");
  const put = (next: readonly string[]): void => form.set("shipsTo", next.join(","));
  return (
    <div className="stack close">
      <Field label={words.say("page.countries")} faults={form.faults.get("shipsTo")}>
        {(control) => (
          <select {...control} value="" onChange={(event) => put([...chosen, event.target.value])}>
            <option value="">{words.say("page.addCountry")}</option>
            {named(countries.filter((one) => !chosen.includes(one)), words.language).map(([code, name]) => <option key={code} value={code}>{name}</option>)}
          </select>
        )}
      </Field>
      <ul className="choices">
        {named(chosen, words.language).map(([code, name]) => (
          <li key={code}>
            <button type="button" className="pill" onClick={() => put(chosen.filter((one) => one !== code))}>
              {name}<Icon name="close" /><span className="unseen">{words.say("page.remove")} {nameOfPlace(code, words.language)}</span>
            </button>
          </li>
        ))}
      </ul>
    </div>
  );
}
