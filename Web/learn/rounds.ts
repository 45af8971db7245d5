import type { CourseTermsInput, MoneyInput, Problem, SaleRound } from "../shared/api";
import { exact, smallest } from "../shared/money";
import { ownProblem } from "../shared/sentences";

/** The values of the form of a new round. */
export type RoundValues = {
  readonly seats: string;
  readonly price: string;
  /** In the reader's own zone, as the browser's field has it. */
  readonly startsAt: string;
  readonly endsAt: string;
  readonly beginDays: string;
  readonly ratingDays: string;
  readonly acceptsOneSource: boolean;
};

/** The names that the node has for fields of the form. */
export const calledByNode: Readonly<Record<string, keyof RoundValues & string>> = {
  "course.seats": "seats", "course.startsAt": "startsAt", "course.endsAt": "endsAt", "course.beginSeconds": "beginDays",
  "course.ratingSeconds": "ratingDays", "price.amount": "price",
};

const day = 86_400;

/** A new round begins with the terms of the last one, but not with its times. */
export function valuesOf({ price, terms }: SaleRound, decimals: number): RoundValues {
  return {
    seats: String(terms.seats), price: exact(price.amount, decimals), startsAt: "", endsAt: "",
    beginDays: String(Math.max(1, Math.round((terms.beginSeconds ?? 3 * day) / day))),
    ratingDays: String(Math.max(1, Math.round((terms.ratingSeconds ?? 14 * day) / day))), acceptsOneSource: false,
  };
}

function whole(typed: string): number | null {
  return /^\d{1,6}$/.test(typed.trim()) ? Number(typed) : null;
}

/** Seconds since 1970; null if it is no time. */
function seconds(typed: string): number | null {
  const time = new Date(typed).getTime();
  return Number.isNaN(time) ? null : Math.floor(time / 1_000);
}

/** What the page itself finds wrong: what it cannot send at all. */
export function ownFaults(values: RoundValues, decimals: number): readonly Problem[] {
  return [
    ...(whole(values.seats) === null ? [ownProblem("seats", "page.notANumber")] : []),
    ...(smallest(values.price, decimals) === null ? [ownProblem("price", "page.notAnAmount")] : []),
    ...(["startsAt", "endsAt"] as const).filter((name) => seconds(values[name]) === null).map((name) => ownProblem(name, "page.chooseTime")),
    ...(["beginDays", "ratingDays"] as const).filter((name) => whole(values[name]) === null).map((name) => ownProblem(name, "page.notDays")),
  ];
}

/** The terms of the round as the call takes them. */
export function termsOf(values: RoundValues): CourseTermsInput {
  return {
    seats: whole(values.seats) ?? 0, startsAt: seconds(values.startsAt) ?? 0, endsAt: seconds(values.endsAt) ?? 0,
    beginSeconds: (whole(values.beginDays) ?? 0) * day, ratingSeconds: (whole(values.ratingDays) ?? 0) * day,
  };
}

export function priceOf(values: RoundValues, currency: string, decimals: number): MoneyInput {
  return { amount: smallest(values.price, decimals) ?? "0", currency };
}
