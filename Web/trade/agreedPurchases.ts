import type { Money, Problem, Purchase } from "../shared/api";
import { call, CallError, newKey } from "../shared/call";
import { agreementMax, isUnknown } from "../shared/intents";
import { session } from "../shared/session";
import { tabStorage } from "../shared/storage";
import type { FeeSpeed } from "../shared/parts/FeeField";
import type { CheckoutLine } from "./checkout";

/** A purchase that somebody has agreed to. */
export interface RunLine {
  readonly listing: string;
  readonly title: string;
  readonly picture: string | null;
  /** Sent with each try, so that it is bought once. */
  readonly key: string;
  readonly body: Purchase;
  readonly feeMax: string;
  readonly feeSpeed: FeeSpeed;
  readonly chain: number | undefined;
  readonly total: readonly Money[];
  /** When it was agreed to, in milliseconds. */
  readonly at: number;
  /** The operation, once the node has begun it. */
  readonly operation?: string;
  /** Why the node did not begin it. */
  readonly problem?: Problem;
  /** Whether it has left the cart. */
  readonly isOut?: true;
}

/** All purchases of one checkout, kept in the tab so that a reload goes on with them. */
export type Run = readonly RunLine[];

function place(id: string): string {
  return `stoa.form.${session.get()?.account.address ?? ""}.checkout.${id}`;
}

export function keptRun(id: string): Run | null {
  try {
    const found: unknown = JSON.parse(tabStorage.get(place(id)) ?? "null");
    return Array.isArray(found) ? found as Run : null;
  } catch {
    return null;
  }
}

export function keepRun(id: string, run: Run): void {
  tabStorage.set(place(id), JSON.stringify(run));
}

/** What is signed for each line: the sale that was shown, at most for the fee that was shown. */
export function runOf(lines: readonly CheckoutLine[], feeSpeed: FeeSpeed): Run {
  return lines.flatMap(({ saved, body, preview }) => {
    if (preview === null) return [];
    return [{
      listing: saved.listing, title: saved.title ?? saved.listing, picture: saved.picture?.id ?? null, key: newKey(),
      body: { ...body, ...(preview.sale != null && { sale: preview.sale.id }) }, feeMax: preview.feeMax ?? "0", feeSpeed,
      chain: preview.chain ?? undefined, total: preview.total, at: Date.now(),
    }];
  });
}

/** Asks the node to begin a purchase, under its key. Returns the line with what came of it. Throws if nobody knows whether it has. */
export async function begin(line: RunLine): Promise<RunLine> {
  const { key, body, feeMax, feeSpeed } = line;
  try {
    const { id } = await call("POST /v1/sales", { once: key, body, query: { feeMax, feeSpeed } });
    return { ...line, operation: id };
  } catch (error) {
    if (error instanceof CallError && error.problem !== null && !isUnknown(error)) return { ...line, problem: error.problem };
    throw error;
  }
}

/** Whether a purchase is still to be begun. */
export function isWaiting({ operation, problem }: RunLine): boolean {
  return operation === undefined && problem === undefined;
}

/** Whether one was agreed to so long ago that it is begun only after another click. */
export function isLate(run: Run | null): boolean {
  return (run ?? []).some((line) => isWaiting(line) && Date.now() - line.at > agreementMax);
}
