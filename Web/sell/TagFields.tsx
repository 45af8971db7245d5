import { TextField } from "../shared/parts/TextField";
import type { FormState } from "../shared/useForm";
import { useWords } from "../shared/words";
import type { SellValues } from "./listingValues";

/** The tags of a listing; a course also has a kind, a target and a period. */
export function TagFields({ form, isNew }: { readonly form: FormState<SellValues>; readonly isNew: boolean }) {
  const words = useWords();
  const off = { autoComplete: "off" } as const;
  return (
    <>
      {form.values.type === "course" && isNew && (
        <div className="three">
          <TextField form={form} name="courseKind" label={words.say("page.courseKind")} hint={words.say("page.courseKindHint")} {...off} />
          <TextField form={form} name="courseTarget" label={words.say("page.courseTarget")} hint={words.say("page.courseTargetHint")} {...off} />
          <TextField form={form} name="coursePeriod" label={words.say("page.coursePeriod")} hint={words.say("page.coursePeriodHint")} {...off} />
        </div>
      )}
      <TextField form={form} name="tags" label={words.say("page.tags")} hint={words.say("page.tagsHint")} {...off} />
    </>
  );
}
