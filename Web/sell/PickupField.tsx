import { PlaceField } from "../shared/parts/PlaceField";
import type { FormState } from "../shared/useForm";
import { useWords } from "../shared/words";
import type { SellValues } from "./listingValues";

/** Where the buyer collects it: any text, for which towns are suggested. */
export function PickupField({ form }: { readonly form: FormState<SellValues> }) {
  const words = useWords();
  const { pickupPlace } = form.values;
  const put = (text: string): void => form.set("pickupPlace", text);
  form.has("pickupPlace");
  return (
    <PlaceField label={words.say("page.pickupPlace")} hint={words.say("page.pickupHint")} name="pickupPlace"
      faults={form.faults.get("pickupPlace")} value={pickupPlace === "" ? null : { name: pickupPlace, point: null }}
      onChange={(place) => put(place?.name ?? "")} onText={put} />
  );
}
