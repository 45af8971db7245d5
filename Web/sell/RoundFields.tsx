import { TextField } from "../shared/parts/TextField";
import type { FormState } from "../shared/useForm";
import { useWords } from "../shared/words";
import type { Name, SellValues } from "./listingValues";

const names: readonly Name[] = ["beginDays", "ratingDays"];

/** The times of a course's round, which most teachers leave as they are. */
export function RoundFields({ form }: { readonly form: FormState<SellValues> }) {
  const words = useWords();
  for (const name of names) form.has(name);
  const time = { inputMode: "numeric", autoComplete: "off", unit: words.say("page.daysUnit") } as const;
  return (
    <details className="terms" open={names.some((name) => form.faults.has(name)) || undefined}>
      <summary className="strong note">{words.say("page.roundTimes")}</summary>
      <div className="stack more">
        <p className="soft note">{words.say("page.termsWhy")}</p>
        <TextField form={form} name="beginDays" label={words.say("page.beginDays")} hint={words.say("page.beginDaysHint")} {...time} />
        <TextField form={form} name="ratingDays" label={words.say("page.ratingDays")} {...time} />
      </div>
    </details>
  );
}
