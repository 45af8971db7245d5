import type { Money, WalletLocked } from "../shared/api";

/** The sum in each currency, in the order in which they come. */
export function sums(all: readonly Money[]): readonly Money[] {
  const found = new Map<string, bigint>();
  for (const { currency, amount } of all) found.set(currency, (found.get(currency) ?? 0n) + BigInt(amount));
  return [...found].map(([currency, amount]) => ({ currency, amount: String(amount) }));
}

/** Locked money of one sale together, the largest first. */
export function bySale(locked: readonly WalletLocked[]): readonly { sale: string; status: WalletLocked["status"]; money: readonly Money[] }[] {
  const found = new Map<string, WalletLocked[]>();
  for (const one of locked) found.set(one.sale, [...(found.get(one.sale) ?? []), one]);
  return [...found].flatMap(([sale, parts]) => {
    const [first] = parts;
    return first === undefined ? [] : [{ sale, status: first.status, money: sums(parts.map((part) => part.money)) }];
  });
}
