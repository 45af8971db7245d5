import { currencies, unitOf } from "../shared/currencies";
import { SelectField } from "../shared/parts/SelectField";
import { TextField } from "../shared/parts/TextField";
import { useStore } from "../shared/store";
import type { FormState } from "../shared/useForm";
import { useWords } from "../shared/words";
import { amountOf, currencyOf, type SellValues } from "./goods";

/** The price, in which currency, and the deposits that follow from it. */
export function PriceFields({ form }: { readonly form: FormState<SellValues> }) {
  const words = useWords();
  const known = useStore(currencies).filter((one) => one.symbol != null);
  const { values } = form;
  const [currency, chain] = currencyOf(values);
  const price = amountOf(values, values.price);
  const money = (amount: string | bigint): string => words.money(String(amount), currency, chain, "up");
  const own = amountOf(values, values.sellerDeposit) ?? (price === null ? null : String(BigInt(price) * 2n));
  const other = amountOf(values, values.buyerDeposit) ?? price;
  return (
    <>
      {known.length > 1 && (
        <SelectField form={form} name="currency" label={words.say("page.currency")}
          options={known.map((one) => [`${one.currency} ${one.chain}`, `${one.symbol ?? ""} (${one.name ?? ""})`] as const)} />
      )}
      <TextField form={form} name="price" label={words.say("page.price")} inputMode="decimal" autoComplete="off" unit={unitOf(currency, chain)?.symbol}
        hint={values.payment === "escrow" && price !== null && own !== null && other !== null && price !== "0"
          ? words.say("page.depositsOf", { own: money(own), other: money(other) }) : undefined} />
      <TextField form={form} name="days" label={words.say("page.daysOnSale")} inputMode="numeric" autoComplete="off" unit={words.say("page.daysUnit")} />
    </>
  );
}
