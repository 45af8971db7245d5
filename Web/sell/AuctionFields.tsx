import { useNow } from "../shared/clock";
import { TextField } from "../shared/parts/TextField";
import { dateTime } from "../shared/times";
import type { FormState } from "../shared/useForm";
import { useWords } from "../shared/words";
import { secondsOf, type SellValues } from "./listingValues";

/** The terms of an auction: how long, by how much each bid is higher, and what a late bid does. */
export function AuctionFields({ form }: { readonly form: FormState<SellValues> }) {
  const words = useWords();
  const now = useNow();
  const seconds = secondsOf(form.values.auctionDays);
  const number = { inputMode: "decimal", autoComplete: "off" } as const;
  const until = seconds === null || seconds === 0 ? undefined : dateTime(new Date(now + seconds * 1000).toISOString(), words.language);
  return (
    <>
      <TextField form={form} name="auctionDays" label={words.say("page.auctionDays")} unit={words.say("page.daysUnit")} {...number}
        hint={until === undefined ? undefined : words.say("page.auctionUntil", { time: until })} />
      <TextField form={form} name="increment" label={words.say("page.increment")} unit="%" hint={words.say("page.incrementHint")} {...number} />
      <TextField form={form} name="extension" label={words.say("page.extension")} unit={words.say("page.minutesUnit")}
        hint={words.say("page.extensionHint")} {...number} />
    </>
  );
}
