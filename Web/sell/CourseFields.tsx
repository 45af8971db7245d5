import { TextField } from "../shared/parts/TextField";
import type { FormState } from "../shared/useForm";
import { useWords } from "../shared/words";
import type { SellValues } from "./listingValues";
import { SessionsField } from "./SessionsField";

/** The fields that only a course has: its sessions, its seats and when its first round takes place. */
export function CourseFields({ form }: { readonly form: FormState<SellValues> }) {
  const words = useWords();
  const off = { autoComplete: "off" } as const;
  return (
    <>
      <SessionsField form={form} />
      <TextField form={form} name="seats" label={words.say("page.seats")} inputMode="numeric" {...off} />
      <div className="three">
        <TextField form={form} name="startsAt" label={words.say("page.starts")} type="datetime-local" {...off} />
        <TextField form={form} name="endsAt" label={words.say("page.endsOn")} type="datetime-local" {...off} />
      </div>
      <p className="soft note">{words.say("page.roundHint")}</p>
    </>
  );
}
