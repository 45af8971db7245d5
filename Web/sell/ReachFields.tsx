import { ChoiceField } from "../shared/parts/ChoiceField";
import { TextField } from "../shared/parts/TextField";
import type { FormState } from "../shared/useForm";
import { useWords } from "../shared/words";
import { CountriesField } from "./CountriesField";
import type { SellValues } from "./goods";

/** How it gets to the buyer: sent, everywhere or only to some countries, or collected at a place. */
export function ReachFields({ form }: { readonly form: FormState<SellValues> }) {
  const words = useWords();
  const { delivery, reach } = form.values;
  return (
    <>
      <ChoiceField form={form} name="delivery" label={words.say("page.delivery")}
        options={[["shipping", words.alone(words.named("delivery", "shipping"))], ["pickup", words.alone(words.named("delivery", "pickup"))]]} />
      {delivery === "pickup" && (
        <TextField form={form} name="pickupPlace" label={words.say("page.pickupPlace")} hint={words.say("page.pickupHint")} />
      )}
      {delivery === "shipping" && (
        <ChoiceField form={form} name="reach" label={words.say("page.shippedTo")}
          options={[["everywhere", words.alone(words.say("page.everywhere"))], ["countries", words.say("page.onlyCountries")]]} />
      )}
      {delivery === "shipping" && reach === "countries" && <CountriesField form={form} />}
    </>
  );
}
