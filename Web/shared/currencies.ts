import type { CurrencyUnit } from "./api";
import { call } from "./call";
import type { Unit } from "./money";
import { session } from "./session";
import { store } from "./store";

/** The currencies of the node's chains. */
export const currencies = store<readonly CurrencyUnit[]>([]);
/** Names of accounts that the reader has given or may use, by address in small letters. */
export const names = store<ReadonlyMap<string, string>>(new Map());

/** Names of native currencies while the node's list is not here; Docs/protocol.md, section 5.6. */
const natives: Readonly<Record<number, string>> = {
  56: "BNB", 97: "BNB", 100: "xDAI", 10_200: "xDAI", 137: "POL", 80_002: "POL", 1_001: "KAIA", 8_217: "KAIA",
  43_113: "AVAX", 43_114: "AVAX",
};

/** The unit of a currency; undefined if only its contract knows it. */
export function unitOf(currency: string, chain: number | undefined): Unit | undefined {
  const same = currencies.get().filter((one) => one.currency.toLowerCase() === currency.toLowerCase());
  const found = same.find((one) => one.chain === chain) ?? (chain === undefined ? same[0] : undefined);
  if (found?.symbol != null && found.decimals != null) return { symbol: found.symbol, decimals: found.decimals };
  return currency === "native" ? { symbol: natives[chain ?? 1] ?? "ETH", decimals: 18 } : undefined;
}

/** Reads currencies, and names for an account; what cannot be read stays as it was. */
export async function readCurrencies(): Promise<void> {
  const hasAccount = session.get() !== null;
  const [units, known] = await Promise.allSettled([
    call("GET /v1/currencies", {}), hasAccount ? call("GET /v1/names", {}) : Promise.resolve([]),
  ]);
  if (units.status === "fulfilled") currencies.set(units.value);
  if (known.status === "fulfilled") {
    names.set(new Map(known.value.map((one) => [one.account.toLowerCase(), one.name])));
  }
}
