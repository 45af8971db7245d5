import type { Values } from "../useForm";
import { Field, type LabelledProps } from "./Field";

interface Props<V extends Values> extends LabelledProps<V> {
  /** The values and their words. */
  readonly options: readonly (readonly [value: string, words: string])[];
}

/** A field of a form for one of several values. */
export function SelectField<V extends Values>({ form, name, label, hint, options }: Props<V>) {
  form.has(name);
  return (
    <Field label={label} hint={hint} faults={form.faults.get(name)}>
      {(control) => (
        <select {...control} name={name} value={String(form.values[name])}
          onChange={(event) => form.set(name, event.target.value as V[keyof V & string])}>
          {options.map(([value, words]) => <option key={value} value={value}>{words}</option>)}
        </select>
      )}
    </Field>
  );
}
