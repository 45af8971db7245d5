import { ChoiceField } from "../shared/parts/ChoiceField";
import type { FormState } from "../shared/useForm";
import { useWords } from "../shared/words";
import type { SellValues } from "./listingValues";

const ways = ["escrow", "direct", "auction"] as const;
const hints = { escrow: "page.escrowHint", direct: "page.directHint", auction: "page.auctionHint" } as const;

/** How it is sold, and what that means; a course has one way. */
export function PaymentFields({ form }: { readonly form: FormState<SellValues> }) {
  const words = useWords();
  const { type, payment } = form.values;
  if (type === "course") return <p className="soft note">{words.say("page.courseHint")}</p>;
  return (
    <>
      <ChoiceField form={form} name="payment" label={words.say("page.wayToSell")}
        options={ways.map((way) => [way, words.alone(words.named("payment", way))] as const)} />
      <p className="soft note">{words.say(hints[ways.find((way) => way === payment) ?? "escrow"])}</p>
    </>
  );
}
