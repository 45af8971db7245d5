import type { ActionPreview, DeliveryAddress, Money, Problem, Purchase, SavedListing } from "../shared/api";
import type { CallError } from "../shared/call";
import { withCountry } from "../shared/countries";

/** The values of the form of a checkout; the address goes with each purchase that is sent. */
export type CheckoutValues = {
  readonly shipTo: string;
  readonly address: string;
  readonly feeSpeed: string;
  readonly acceptsOneSource: boolean;
  readonly keepsAddress: boolean;
  /** The listings that are not bought now, with blanks between. */
  readonly leftOut: string;
};

/** A line of the cart with what its purchase would do. */
export interface CheckoutLine {
  readonly saved: SavedListing;
  readonly body: Purchase;
  /** Null while it is read, or if it could not be. */
  readonly preview: ActionPreview | null;
  readonly error: CallError | null;
}

/** The first values: the account's own country and address. */
export function firstValues(known: DeliveryAddress): CheckoutValues {
  return {
    shipTo: known.place?.split(", ").pop() ?? "", address: known.text ?? "", feeSpeed: "normal", acceptsOneSource: false,
    keepsAddress: false, leftOut: "",
  };
}

/** The purchase of a line. A place and an address count only for what is sent. */
export function purchaseOf(saved: SavedListing, values: CheckoutValues): Purchase {
  const text = values.address.trim();
  return {
    listing: saved.listing,
    ...(values.shipTo !== "" && { shipTo: values.shipTo }),
    ...(text !== "" && { address: { text: withCountry(text, values.shipTo) } }),
    ...(values.acceptsOneSource && { acceptsOneSource: true }),
  };
}

/** Fields of the form: what is wrong with them is wrong for all lines, and stands beside them. */
const shared: readonly string[] = ["shipTo", "address", "address.text", "acceptsOneSource"];

/** Whether a problem is about what the form asks, and not about the line itself. */
export function isOfForm({ field }: Problem): boolean {
  return field != null && shared.includes(field);
}

/** What the node says of a purchase that is sent. */
const saidOfSent: readonly string[] = ["preview.noAddress", "preview.addressSent"];

/** Whether it is sent, so that it needs a place and an address. */
export function isSent({ preview }: CheckoutLine): boolean {
  if (preview === null) return false;
  return preview.problems.some(isOfForm) || [...preview.summary, ...preview.explanation, ...preview.warnings].some((one) => saidOfSent.includes(one.code));
}

/** Why a line cannot be bought, whatever the form says. */
export function hindrances({ preview, error }: CheckoutLine): readonly Problem[] {
  if (error !== null) return error.problem === null ? [] : [error.problem];
  return (preview?.problems ?? []).filter((one) => !isOfForm(one));
}

/** A sum on a chain in a currency. */
export interface Sum extends Money {
  readonly chain: number | undefined;
}

/** What leaves the account at most for all lines together, chain by chain and currency by currency. */
export function sumsOf(lines: readonly CheckoutLine[]): readonly Sum[] {
  const found = new Map<string, Sum>();
  for (const { preview } of lines) {
    for (const { amount, currency } of preview?.total ?? []) {
      const chain = preview?.chain ?? undefined;
      const key = `${chain} ${currency}`;
      const before = BigInt(found.get(key)?.amount ?? "0");
      found.set(key, { amount: String(before + BigInt(amount)), currency, chain });
    }
  }
  return [...found.values()];
}

/** What the account has too little of for all lines together. */
export function missingOf(lines: readonly CheckoutLine[]): readonly (Sum & { readonly balance: string })[] {
  return sumsOf(lines).flatMap((sum) => {
    const balances = lines.filter(({ preview }) => (preview?.chain ?? undefined) === sum.chain).flatMap(({ preview }) => preview?.balances ?? []);
    const balance = balances.find((one) => one.currency === sum.currency)?.amount;
    if (balance === undefined || BigInt(balance) >= BigInt(sum.amount)) return [];
    return [{ ...sum, amount: String(BigInt(sum.amount) - BigInt(balance)), balance }];
  });
}
