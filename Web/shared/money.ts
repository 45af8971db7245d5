/** How an amount loses the digits that people do not read; as AmountRounding of the program. */
export type Rounding = "nearest" | "up" | "down" | "whole";

/** The digits that people read, from the first that is not 0; a whole part may have more. */
const digitsMax = 7;

/** How the amounts of a currency are written. */
export interface Unit {
  readonly symbol: string;
  readonly decimals: number;
}

/** Writes an amount in the smallest unit with all its digits, without trailing zeros. */
export function exact(amount: string, decimals: number): string {
  if (decimals <= 0) return amount;
  const digits = amount.padStart(decimals + 1, "0");
  const whole = digits.slice(0, -decimals);
  const fraction = digits.slice(-decimals).replace(/0+$/, "");
  return fraction === "" ? whole : `${whole}.${fraction}`;
}

/** Writes an amount as people read it; '≈ ' stands before one that lost digits. */
export function rounded(amount: string, decimals: number, rounding: Rounding = "nearest"): string {
  if (rounding === "whole") return exact(amount, decimals);
  const digits = amount.replace(/^0+/, "");
  const count = Math.min(decimals, Math.max(0, digits.length - digitsMax));
  const dropped = digits.slice(digits.length - count);
  if (count === 0 || /^0*$/.test(dropped)) return exact(amount, decimals);
  const kept = digits.slice(0, digits.length - count);
  const isUp = rounding === "up" || (rounding === "nearest" && dropped >= "5");
  const number = isUp ? String(BigInt(kept === "" ? "0" : kept) + 1n) : kept;
  return `≈ ${exact(number, decimals - count)}`;
}

/** Groups the whole part of a number as the language does. */
export function grouped(number: string, language: string): string {
  return number.replace(/\d+/, (whole) =>
    whole.length < 5 ? whole : new Intl.NumberFormat(language).format(BigInt(whole)),
  );
}

/** Reads an amount that a person typed, such as 0.5; null if it is none, or finer than the smallest unit. */
export function smallest(typed: string, decimals: number): string | null {
  const found = /^(\d{0,60})(?:\.(\d{0,60}))?$/.exec(typed.trim());
  const [, whole = "", fraction = ""] = found ?? [];
  if (found === null || whole + fraction === "") return null;
  const kept = fraction.replace(/0+$/, "");
  if (kept.length > decimals) return null;
  return BigInt(whole + kept.padEnd(decimals, "0")).toString();
}
