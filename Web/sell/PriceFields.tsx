import { currencies, unitOf } from "../shared/currencies";
import { SelectField } from "../shared/parts/SelectField";
import { TextField } from "../shared/parts/TextField";
import { useStore } from "../shared/store";
import type { FormState } from "../shared/useForm";
import { useWords } from "../shared/words";
import { AuctionFields } from "./AuctionFields";
import { amountOf, canHavePieces, countOf, currencyOf, paymentOf, type SellValues } from "./listingValues";

const labels = { escrow: "page.price", direct: "page.price", auction: "page.startPrice", enrolment: "page.priceOfSeat" } as const;

/** The price, in which currency on which chain, how many pieces, and the deposits that follow from that. */
export function PriceFields({ form }: { readonly form: FormState<SellValues> }) {
  const words = useWords();
  const known = useStore(currencies).filter((one) => one.symbol != null);
  const hasChains = new Set(known.map((one) => one.chain)).size > 1;
  const { values } = form;
  const payment = paymentOf(values);
  const [currency, chain] = currencyOf(values);
  return (
    <>
      {known.length > 1 && (
        <SelectField form={form} name="currency" label={words.say("page.currency")}
          options={known.map((one) => [`${one.currency} ${one.chain}`,
            `${one.symbol ?? ""} (${one.name ?? ""})${hasChains ? ` · ${words.say("page.chain")} ${one.chain}` : ""}`] as const)} />
      )}
      <TextField form={form} name="price" label={words.say(labels[payment])} inputMode="decimal" autoComplete="off" unit={unitOf(currency, chain)?.symbol}
        hint={payment === "escrow" ? depositsOf(values, words) : undefined} />
      {canHavePieces(values) && (
        <TextField form={form} name="pieces" label={words.say("page.pieces")} inputMode="numeric" autoComplete="off" hint={piecesOf(values, words)} />
      )}
      {payment === "auction" && <AuctionFields form={form} />}
      {(payment === "escrow" || payment === "direct") && (
        <TextField form={form} name="days" label={words.say("page.daysOnSale")} inputMode="numeric" autoComplete="off" unit={words.say("page.daysUnit")} />
      )}
    </>
  );
}

type Words = ReturnType<typeof useWords>;

/** The deposits of both sides; null without a price. */
function deposits(values: SellValues): { readonly own: bigint; readonly other: bigint } | null {
  const price = amountOf(values, values.price);
  if (price === null || price === "0") return null;
  return {
    own: BigInt(amountOf(values, values.sellerDeposit) ?? BigInt(price) * 2n),
    other: BigInt(amountOf(values, values.buyerDeposit) ?? price),
  };
}

function depositsOf(values: SellValues, words: Words): string | undefined {
  const both = deposits(values);
  if (both === null) return undefined;
  const money = (amount: bigint): string => words.money(String(amount), ...currencyOf(values), "up");
  return words.say("page.depositsOf", { own: money(both.own), other: money(both.other) });
}

/** The hint for several pieces: each is a sale of its own, and by escrow has a deposit of its own. */
function piecesOf(values: SellValues, words: Words): string | undefined {
  const count = countOf(values.pieces);
  if (count === null || count < 2) return words.say("page.piecesHint");
  const both = paymentOf(values) === "escrow" ? deposits(values) : null;
  if (both === null) return words.say("page.piecesEach");
  return words.say("page.piecesDeposit", { count, deposit: words.money(String(both.own * BigInt(count)), ...currencyOf(values), "up") });
}
