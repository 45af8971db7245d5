import { ChoiceField } from "../shared/parts/ChoiceField";
import { TextField } from "../shared/parts/TextField";
import type { FormState } from "../shared/useForm";
import { useWords } from "../shared/words";
import { AroundFields } from "./AroundFields";
import { CountriesField } from "./CountriesField";
import { otherReach } from "./listingContent";
import type { SellValues } from "./listingValues";
import { PickupField } from "./PickupField";

/**
 * How it gets to the buyer: sent, everywhere, only to some countries or around a town, or collected at a place. A course is online
 * or at a place.
 */
export function ReachFields({ form }: { readonly form: FormState<SellValues> }) {
  const words = useWords();
  const { type, delivery, courseAt, reach } = form.values;
  const way = (name: string): readonly [string, string] => [name, words.alone(words.named("delivery", name))];
  if (type === "digital") return null;
  if (type === "course") {
    return (
      <>
        <ChoiceField form={form} name="courseAt" label={words.say("page.courseAt")} options={[way("online"), ["pickup", words.say("page.atPlace")]]} />
        {courseAt === "pickup" && <TextField form={form} name="pickupPlace" label={words.say("page.coursePlace")} hint={words.say("page.seenByAll")} />}
      </>
    );
  }
  const { shipsTo, shipsWithin } = otherReach(form.values);
  const other = shipsWithin === undefined ? shipsTo.join("; ")
    : words.say("page.withinOf", { distance: Math.round(shipsWithin.metres / 1000), place: shipsWithin.place });
  return (
    <>
      <ChoiceField form={form} name="delivery" label={words.say("page.delivery")} options={[way("shipping"), way("pickup")]} />
      {delivery === "pickup" && (
        <PickupField form={form} />
      )}
      {delivery === "shipping" && (
        <ChoiceField form={form} name="reach" label={words.say("page.shippedTo")}
          options={[["everywhere", words.alone(words.say("page.everywhere"))], ["countries", words.say("page.onlyCountries")],
            ["around", words.say("page.onlyAround")], ...(other === "" ? [] : [["other", other] as const])]} />
      )}
      {delivery === "shipping" && reach === "countries" && <CountriesField form={form} />}
      {delivery === "shipping" && reach === "around" && <AroundFields form={form} />}
    </>
  );
}
