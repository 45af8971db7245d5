import type { Money } from "../shared/api";
import { session } from "../shared/session";
import { computerStorage } from "../shared/storage";

/** Prices of favourites as this browser saw them first; the node keeps only which listings they are. */
type Prices = Readonly<Record<string, Money>>;

function place(account = session.get()?.account.address): string {
  return `stoa.prices.${account ?? ""}`;
}

function all(): Prices {
  try {
    const found: unknown = JSON.parse(computerStorage.get(place()) ?? "{}");
    return typeof found === "object" && found !== null ? found as Prices : {};
  } catch {
    return {};
  }
}

/** The price at which a listing was saved; undefined if this browser has not seen it. */
export function savedPrice(listing: string): Money | undefined {
  return all()[listing];
}

/** Keeps the price of a listing that is saved, unless one is kept already. */
export function keepPrice(listing: string, price: Money): void {
  const known = all();
  if (known[listing] !== undefined) return;
  computerStorage.set(place(), JSON.stringify({ ...known, [listing]: { amount: price.amount, currency: price.currency } }));
}

/** Forgets the price of a listing that is no favourite any longer. */
export function forgetPrice(listing: string): void {
  computerStorage.set(place(), JSON.stringify(Object.fromEntries(Object.entries(all()).filter(([id]) => id !== listing))));
}

/** Forgets all prices of an account that is removed. */
export function forgetPrices(account: string): void {
  computerStorage.set(place(account), null);
}
