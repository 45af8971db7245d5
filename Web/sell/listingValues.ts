import { unitOf } from "../shared/currencies";
import { smallest } from "../shared/money";

/** The values of the form, named as the fields of the call where there is one field for one value. */
export type SellValues = {
  /** The token that is sold again, by its number; empty for a new thing. */
  readonly item: string;
  readonly type: string;
  /** The identifier of the digital work. */
  readonly work: string;
  readonly title: string;
  readonly description: string;
  readonly category: string;
  readonly identifier: string;
  /** The kind, target and period of a course become tags. */
  readonly courseKind: string;
  readonly courseTarget: string;
  readonly coursePeriod: string;
  readonly tags: string;
  /** The sessions of a course as JSON; see sessions.ts. */
  readonly sessions: string;
  readonly seats: string;
  readonly startsAt: string;
  readonly endsAt: string;
  readonly payment: string;
  /** The currency and its chain, such as 'native 1'. */
  readonly currency: string;
  readonly price: string;
  readonly pieces: string;
  /** For how many days it is on sale. */
  readonly days: string;
  readonly auctionDays: string;
  /** In percent. */
  readonly increment: string;
  /** In minutes. */
  readonly extension: string;
  readonly delivery: string;
  /** Where a course takes place: online, or at the pickup place. */
  readonly courseAt: string;
  readonly pickupPlace: string;
  readonly reach: string;
  /** The codes of the countries, with commas. */
  readonly shipsTo: string;
  /** The town around which it is sent, its point as in an address, and how far in kilometres. */
  readonly around: string;
  readonly aroundPoint: string;
  readonly aroundKm: string;
  /** Other limits, which only programs set, as JSON: states, cities or another distance. */
  readonly otherReach: string;
  readonly sellerDeposit: string;
  readonly buyerDeposit: string;
  readonly latePenalty: string;
  readonly shipDays: string;
  readonly confirmDays: string;
  readonly rulingDays: string;
  readonly arbiter: string;
  readonly arbiterFee: string;
  readonly beginDays: string;
  readonly ratingDays: string;
};

/** The name of a value. */
export type Name = keyof SellValues & string;

export const emptyValues: SellValues = {
  item: "", type: "goods", work: "", title: "", description: "", category: "", identifier: "", courseKind: "", courseTarget: "",
  coursePeriod: "", tags: "", sessions: "[]", seats: "", startsAt: "", endsAt: "", payment: "escrow", currency: "", price: "", pieces: "1",
  days: "30", auctionDays: "7", increment: "5", extension: "10", delivery: "shipping", courseAt: "online", pickupPlace: "",
  reach: "everywhere", shipsTo: "", around: "", aroundPoint: "", aroundKm: "50", otherReach: "", sellerDeposit: "", buyerDeposit: "", latePenalty: "", shipDays: "3", confirmDays: "21",
  rulingDays: "14", arbiter: "", arbiterFee: "", beginDays: "3", ratingDays: "14",
};

/** The names that the node has for fields of the form. */
const calledByNode: Readonly<Record<string, Name>> = {
  shipsWithin: "around", "shipsWithin.place": "around", "shipsWithin.point": "around", "shipsWithin.metres": "aroundKm",
  "price.amount": "price", "price.currency": "currency", chain: "currency", curriculum: "sessions",
  "terms.sellerDeposit": "sellerDeposit", "terms.buyerDeposit": "buyerDeposit", "terms.latePenalty": "latePenalty",
  "terms.shipSeconds": "shipDays", "terms.confirmSeconds": "confirmDays", "terms.rulingSeconds": "rulingDays",
  "terms.arbiter": "arbiter", "terms.arbiterFee": "arbiterFee", "terms.offerUntil": "days", "direct.offerUntil": "days",
  "auction.durationSeconds": "auctionDays", "auction.minIncrement": "increment", "auction.extensionSeconds": "extension",
  "course.seats": "seats", "course.startsAt": "startsAt", "course.endsAt": "endsAt", "course.beginSeconds": "beginDays",
  "course.ratingSeconds": "ratingDays",
};

/** The names that the node has for fields of a form of this type: what identifies a digital work is its file. */
export function calledBy(type: string): Readonly<Record<string, Name>> {
  return type === "digital" ? { ...calledByNode, identifier: "work" } : calledByNode;
}

/** Problems in the order of the fields on the screen, which is that of the values; pictures come after the work. */
export function inOrder<P extends { readonly field?: string | null }>(problems: readonly P[], type: string): readonly P[] {
  const order: readonly string[] = ["item", "type", "work", "media", ...Object.keys(emptyValues).slice(3)];
  const called = calledBy(type);
  const place = ({ field }: P): number => order.indexOf(called[field ?? ""] ?? field ?? "");
  return problems.slice().sort((one, other) => place(one) - place(other));
}

/** The currency and the chain that the form names. */
export function currencyOf({ currency }: SellValues): readonly [string, number | undefined] {
  const [name = "native", chain] = currency.split(" ");
  return [name === "" ? "native" : name, chain === undefined ? undefined : Number(chain)];
}

/** An amount of the form in the smallest unit; null if it is none. */
export function amountOf(values: SellValues, typed: string): string | null {
  return smallest(typed, unitOf(...currencyOf(values))?.decimals ?? 0);
}

/** How many units of time a text says, in seconds; null if it says none. */
export function secondsOf(count: string, unit = 86_400): number | null {
  return /^\d{1,4}$/.test(count.trim()) ? Number(count) * unit : null;
}

/** A number of pieces or seats; null if it is none. */
export function countOf(typed: string): number | null {
  return /^\d{1,6}$/.test(typed.trim()) && Number(typed) > 0 ? Number(typed) : null;
}

/** A share in percent, such as 2.5, in basis points; null if it is none. */
export function shareOf(typed: string): number | null {
  return /^\d{1,3}(\.\d{1,2})?$/.test(typed.trim()) ? Math.round(Number(typed) * 100) : null;
}

/** The second of a field for day and time, which is in the reader's own zone; null if it says none. */
export function timeOf(typed: string): number | null {
  const time = new Date(typed).getTime();
  return typed === "" || Number.isNaN(time) ? null : Math.floor(time / 1000);
}

/** How it is paid: a course by enrolment. */
export function paymentOf({ type, payment }: SellValues): "auction" | "direct" | "enrolment" | "escrow" {
  if (type === "course") return "enrolment";
  return payment === "direct" || payment === "auction" ? payment : "escrow";
}

/** Whether several pieces can be sold: of new things at a fixed price. */
export function canHavePieces(values: SellValues): boolean {
  const payment = paymentOf(values);
  return values.item === "" && (payment === "escrow" || payment === "direct");
}

/** The tags of the form; words with blanks in them need commas between. */
export function tagsOf(values: SellValues): readonly string[] {
  const typed = values.tags.split(values.tags.includes(",") ? /\s*,\s*/ : /\s+/);
  const own = values.type === "course" ? [values.courseKind, values.courseTarget, values.coursePeriod] : [];
  const all = [...own, ...typed].map((tag) => tag.trim().toLowerCase()).filter((tag) => tag !== "");
  if (all.length === 0 && values.type === "course") return ["course"];
  return [...new Set(all)];
}
