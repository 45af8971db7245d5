import type { Problem, Sentence } from "./api";
import type { Code } from "./languages";
import type { PlainCode } from "./words";

/** What the page says, with the same values, instead of sentences that name commands or fields of requests; null leaves one out. */
const instead: Readonly<Record<string, Code | null>> = {
  "auction.ownHighest": "page.ownHighest",
  "preview.noAddress": "page.noAddressYet",
  "preview.winnerAddress": "page.winnerAddress",
  "refusal.acceptChanges": null,
  "refusal.acceptOtherTerms": null,
  "refusal.giveCountry": null,
  "unattended.one": "page.onlySignedIn",
  "unattended.two": "page.onlySignedIn",
  "unattended.three": "page.onlySignedIn",
};

/** A sentence of the page in the form of the node's. */
export function sentence(code: PlainCode): Sentence {
  return { code, detail: "", values: {} };
}

/** Sentences of the node as the page says them. */
export function forPeople(sentences: readonly Sentence[]): readonly Sentence[] {
  return sentences.flatMap((one) => {
    const other = instead[one.code];
    if (other === undefined) return [one];
    return other === null ? [] : [{ ...one, code: other }];
  });
}

/** Problems of the node as the page says them. */
export function problemsForPeople(problems: readonly Problem[]): readonly Problem[] {
  return problems.map((one) => (one.reason == null ? one : { ...one, reason: forPeople(one.reason) }));
}

/** The same without missing money, which a preview says beside the costs. */
export function problemsBesideMoney(problems: readonly Problem[]): readonly Problem[] {
  return problemsForPeople(problems.filter((one) => one.code !== "insufficient_balance"));
}

/** A fault that the page found itself, in the form of the node's. */
export function ownProblem(field: string, code: PlainCode): Problem {
  return { code: "malformed_value", field, reason: [sentence(code)], detail: "", status: 422, title: "", type: "" };
}
