import type { Message, Sale, Work } from "../shared/api";

/** The phases in which the buyer has the key, or a node of the seller owes it. */
const handedOver: readonly string[] = ["complete", "sold", "transferred"];

/** Whether a sale is one of a file: it has steps for one, or the identifier is a hash, as that of a file is. */
export function isOfWork({ nextSteps, promised, kind }: Sale): boolean {
  if (kind === "enrolment") return false;
  const steps = nextSteps.map((step) => step.words.code);
  return steps.includes("next.work") || steps.includes("next.release") || /^(0x)?[0-9a-f]{64}$/i.test(promised?.identifier ?? "");
}

/**
 * How far a bought file has come:
 * - `kept`: the seller has not released it, `keyless`: its key has not come;
 * - `away`: the key is here, and the file comes once it is wanted, `here`: both are.
 */
export type WorkPlace = "kept" | "keyless" | "away" | "here";

/** Where the file of a sale is, by the account's works and the message that brings the key. */
export function placeOf(sale: Sale, works: readonly Work[], key: Message | undefined): WorkPlace {
  if (!handedOver.includes(sale.phase)) return "kept";
  const work = workOf(sale, works);
  if (work === undefined && key === undefined) return "keyless";
  return work?.isHere === true ? "here" : "away";
}

/** The file of a sale among those whose keys the account has. */
export function workOf(sale: Sale, works: readonly Work[]): Work | undefined {
  const identifier = sale.promised?.identifier.toLowerCase();
  return works.find((one) => one.identifier.toLowerCase() === identifier);
}

/** A size as people read it. */
export function sizeOf(bytes: number, language: string): string {
  const [amount, unit] = bytes >= 1_000_000 ? [bytes / 1_000_000, "megabyte"] : bytes >= 1_000 ? [bytes / 1_000, "kilobyte"] : [bytes, "byte"];
  return new Intl.NumberFormat(language, { style: "unit", unit, maximumFractionDigits: 1 }).format(amount);
}
