import { useState } from "react";
import { Field } from "../shared/parts/Field";
import type { FieldProps, Values } from "../shared/useForm";
import { useWords } from "../shared/words";

/** The largest file that is read, in bytes; keystores have less than 1,000. */
const sizeMax = 100_000;

/** A field for a keystore file, whose text becomes the value. */
export function KeystoreField<V extends Values>({ form, name }: FieldProps<V>) {
  const words = useWords();
  const [isTooLarge, setTooLarge] = useState(false);
  form.has(name);

  async function read(file: File | undefined): Promise<void> {
    const isFit = file !== undefined && file.size <= sizeMax;
    setTooLarge(file !== undefined && !isFit);
    form.set(name, (isFit ? await file.text() : "") as V[keyof V & string]);
  }

  const faults = isTooLarge ? [words.say("page.noKeystore")] : form.faults.get(name);
  return (
    <Field label={words.say("page.keystoreFile")} hint={words.say("page.keystoreHint")} faults={faults}>
      {(control) => <input {...control} type="file" name={name} accept=".json,application/json,text/plain"
        onChange={(event) => void read(event.target.files?.[0])} />}
    </Field>
  );
}
