import type { EscrowTermsInput, ListingContentInput, Problem } from "../shared/api";
import { unitOf } from "../shared/currencies";
import { smallest } from "../shared/money";
import { ownProblem } from "../trade/sentences";

/** The values of the form, named as the fields of the call where there is one field for one value. */
export type SellValues = {
  readonly title: string;
  readonly description: string;
  readonly category: string;
  readonly identifier: string;
  readonly tags: string;
  readonly payment: string;
  /** The currency and its chain, such as 'native 1'. */
  readonly currency: string;
  readonly price: string;
  readonly delivery: string;
  readonly pickupPlace: string;
  readonly reach: string;
  /** The codes of the countries, with commas. */
  readonly shipsTo: string;
  /** For how many days it is on sale. */
  readonly days: string;
  readonly sellerDeposit: string;
  readonly buyerDeposit: string;
  readonly latePenalty: string;
  readonly shipDays: string;
  readonly confirmDays: string;
  readonly rulingDays: string;
  readonly arbiter: string;
  readonly arbiterFee: string;
};

export const emptyValues: SellValues = {
  title: "", description: "", category: "", identifier: "", tags: "", payment: "escrow", currency: "", price: "", delivery: "shipping",
  pickupPlace: "", reach: "everywhere", shipsTo: "", days: "30", sellerDeposit: "", buyerDeposit: "", latePenalty: "", shipDays: "3",
  confirmDays: "21", rulingDays: "14", arbiter: "", arbiterFee: "",
};

/** The names that the node has for fields of the form. */
export const calledByNode: Readonly<Record<string, keyof SellValues & string>> = {
  "price.amount": "price", "price.currency": "currency", chain: "currency", "terms.sellerDeposit": "sellerDeposit",
  "terms.buyerDeposit": "buyerDeposit", "terms.latePenalty": "latePenalty", "terms.shipSeconds": "shipDays",
  "terms.confirmSeconds": "confirmDays", "terms.rulingSeconds": "rulingDays", "terms.arbiter": "arbiter",
  "terms.arbiterFee": "arbiterFee", "terms.offerUntil": "days", "direct.offerUntil": "days",
};

/** The currency and the chain that the form names. */
export function currencyOf({ currency }: SellValues): readonly [string, number | undefined] {
  const [name = "native", chain] = currency.split(" ");
  return [name === "" ? "native" : name, chain === undefined ? undefined : Number(chain)];
}

/** An amount of the form in the smallest unit; null if it is none. */
export function amountOf(values: SellValues, typed: string): string | null {
  return smallest(typed, unitOf(...currencyOf(values))?.decimals ?? 0);
}

/** How many whole days a text says; null if it says none. */
function secondsOf(days: string): number | null {
  return /^\d{1,4}$/.test(days.trim()) ? Number(days) * 86_400 : null;
}

/** The end of the offer in seconds since 1970; the node's default if it is 30 days. */
function offerUntil(days: string): number | undefined {
  const seconds = secondsOf(days);
  return seconds === null || days.trim() === "30" ? undefined : Math.floor(Date.now() / 1000) + seconds;
}

/** What the page itself finds wrong: what it cannot send at all. */
export function ownFaults(values: SellValues): readonly Problem[] {
  const amounts: readonly (keyof SellValues & string)[] = values.payment === "escrow"
    ? ["price", "sellerDeposit", "buyerDeposit", "latePenalty", ...(values.arbiter === "" ? [] : ["arbiterFee"] as const)] : ["price"];
  const days: readonly (keyof SellValues & string)[] = values.payment === "escrow" ? ["days", "shipDays", "confirmDays", "rulingDays"] : ["days"];
  const missing = (["title", "description", "category", "identifier", "tags"] as const).filter((name) => values[name].trim() === "");
  return [
    ...missing.map((name) => ownProblem(name, "page.fillIn")),
    ...amounts.filter((name) => (name === "price" || values[name].trim() !== "") && amountOf(values, values[name]) === null)
      .map((name) => ownProblem(name, "page.notAnAmount")),
    ...(values.delivery === "shipping" && values.reach === "countries" && values.shipsTo === "" ? [ownProblem("shipsTo", "page.noCountry")] : []),
    ...(values.delivery === "pickup" && values.pickupPlace.trim() === "" ? [ownProblem("pickupPlace", "page.fillIn")] : []),
    ...days.filter((name) => secondsOf(values[name]) === null).map((name) => ownProblem(name, "page.notDays")),
  ];
}

/** The listing as the call takes it; what the person left out is left to the node. */
export function contentOf(values: SellValues, pictures: readonly string[]): ListingContentInput {
  const [currency, chain] = currencyOf(values);
  const isShipped = values.delivery === "shipping";
  const until = offerUntil(values.days);
  return {
    type: "goods", title: values.title.trim(), description: values.description.trim(), category: values.category,
    identifier: values.identifier.trim(), tags: values.tags.split(/[,\s]+/).filter((tag) => tag !== "").map((tag) => tag.toLowerCase()),
    payment: values.payment === "direct" ? "direct" : "escrow", delivery: isShipped ? "shipping" : "pickup",
    price: { amount: amountOf(values, values.price) ?? "0", currency }, ...(chain !== undefined && { chain }),
    shipsTo: isShipped && values.reach === "countries" && values.shipsTo !== "" ? values.shipsTo.split(",") : [],
    ...(!isShipped && { pickupPlace: values.pickupPlace.trim() }),
    media: pictures.map((id) => ({ id })),
    ...(values.payment === "direct" ? (until !== undefined && { direct: { offerUntil: until } }) : { terms: termsOf(values, until) }),
  };
}

function time(name: "shipSeconds" | "confirmSeconds" | "rulingSeconds", days: string): EscrowTermsInput {
  const seconds = secondsOf(days);
  return seconds === null ? {} : { [name]: seconds };
}

function termsOf(values: SellValues, until: number | undefined): EscrowTermsInput {
  const amount = (name: "sellerDeposit" | "buyerDeposit" | "latePenalty" | "arbiterFee"): EscrowTermsInput => {
    const given = amountOf(values, values[name]);
    return given === null ? {} : { [name]: given };
  };
  return {
    ...amount("sellerDeposit"), ...amount("buyerDeposit"), ...amount("latePenalty"),
    ...time("shipSeconds", values.shipDays), ...time("confirmSeconds", values.confirmDays), ...time("rulingSeconds", values.rulingDays),
    ...(until !== undefined && { offerUntil: until }),
    ...(values.arbiter.trim() !== "" && { arbiter: values.arbiter.trim(), ...amount("arbiterFee") }),
  };
}
