import { useId } from "react";
import type { FieldProps, Values } from "../useForm";

interface Props<V extends Values> extends FieldProps<V> {
  readonly label: string;
  readonly options: readonly (readonly [value: string, words: string])[];
}

/** A field of a form for one of few values, all of which are seen. */
export function ChoiceField<V extends Values>({ form, name, label, options }: Props<V>) {
  const id = useId();
  form.has(name);
  const faults = form.faults.get(name) ?? [];
  return (
    <fieldset className="field" aria-describedby={faults.length > 0 ? id : undefined}>
      <legend className="strong note">{label}</legend>
      <div className="choices">
        {options.map(([value, words], index) => (
          <label key={value} className="pill">
            <input type="radio" className="unseen" name={name} value={value} checked={form.values[name] === value}
              data-faults={faults.length > 0 && index === 0 ? true : undefined}
              onChange={() => form.set(name, value as V[keyof V & string])} />
            {words}
          </label>
        ))}
      </div>
      {faults.length > 0 && <div id={id}>{faults.map((fault) => <p key={fault} className="fault">{fault}</p>)}</div>}
    </fieldset>
  );
}
