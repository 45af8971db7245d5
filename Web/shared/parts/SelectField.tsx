import type { ReactNode } from "react";
import type { FormState, Values } from "../useForm";
import { Field } from "./Field";

interface Props<V extends Values> {
  readonly form: FormState<V>;
  readonly name: keyof V & string;
  readonly label: string;
  readonly hint?: ReactNode;
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
