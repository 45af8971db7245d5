import { PlaceField } from "../shared/parts/PlaceField";
import { SelectField } from "../shared/parts/SelectField";
import { distances, pointIn, pointText } from "../shared/places";
import type { FormState } from "../shared/useForm";
import { useWords } from "../shared/words";
import type { SellValues } from "./listingValues";

/** The town around which it is sent, and how far. */
export function AroundFields({ form }: { readonly form: FormState<SellValues> }) {
  const words = useWords();
  const { around, aroundPoint } = form.values;
  form.has("around");
  return (
    <>
      <PlaceField label={words.say("page.town")} hint={words.say("page.onlyAroundHint")} name="around" faults={form.faults.get("around")}
        value={around === "" ? null : { name: around, point: pointIn(aroundPoint) }}
        onChange={(place) => form.setAll({
          ...form.values, around: place?.name ?? "", aroundPoint: place?.point == null ? "" : pointText(place.point),
        })} />
      <SelectField form={form} name="aroundKm" label={words.say("page.distanceMax")}
        options={distances.map((one) => [`${one}`, words.say("page.kilometres", { count: one })] as const)} />
    </>
  );
}
