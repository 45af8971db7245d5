import type { Sale } from "../shared/api";
import { Field } from "../shared/parts/Field";
import type { FieldProps, Values } from "../shared/useForm";
import { useWords } from "../shared/words";
import { divided, Division } from "./Division";

interface Props<V extends Values> extends FieldProps<V> {
  readonly sale: Sale;
}

/** The seller's share of the price, from 0 to 100 percent, with what both sides get by it. */
export function ShareField<V extends Values>({ form, name, sale }: Props<V>) {
  const words = useWords();
  form.has(name);
  const share = Number(form.values[name]);
  const [seller, buyer] = divided(sale, share).map((amount) => words.money(amount, sale.price.currency, sale.chain, "down"));
  const change = (next: number): void => form.set(name, String(next) as V[keyof V & string]);
  return (
    <div className="stack close">
      <Field label={words.say("page.shareOfSeller")} faults={form.faults.get(name)}>
        {(control) => (
          <input {...control} className="slider" type="range" min={0} max={10_000} step={100} value={share}
            aria-valuetext={words.say("page.divisionOf", { seller: seller ?? "", buyer: buyer ?? "" })}
            onChange={(event) => change(Number(event.target.value))} />
        )}
      </Field>
      <Division sale={sale} share={share} />
    </div>
  );
}
