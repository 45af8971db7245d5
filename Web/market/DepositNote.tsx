import type { ListingContent } from "../shared/api";
import { useWords } from "../shared/words";

/** The amounts that a buyer of this sale pays and locks, and when they come back. */
export function DepositNote({ content, chain }: { readonly content: ListingContent; readonly chain: number | undefined }) {
  const words = useWords();
  const { price, terms } = content;
  if (content.payment === "direct") return <p className="soft note">{words.say("page.directNote")}</p>;
  if (content.payment === "enrolment") return <p className="soft note">{words.say("page.enrolNote")}</p>;
  if (content.payment !== "escrow") return null;
  const deposit = terms?.buyerDeposit ?? "0";
  const money = (amount: string): string => words.money(amount, price.currency, chain, "up");
  const total = (BigInt(price.amount) + BigInt(deposit)).toString();
  return (
    <div className="stack close note">
      {deposit !== "0" && (
        <p>{words.say("page.depositNote", { total: money(total), price: money(price.amount), deposit: money(deposit) })}</p>
      )}
      <p className="soft">{words.say("page.escrowNote")}</p>
      {terms?.shipSeconds != null && (
        <p className="soft">{words.say("page.shipsWithin", { duration: words.duration(terms.shipSeconds) })}</p>
      )}
    </div>
  );
}
