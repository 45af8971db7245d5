import { createContext, useContext } from "react";
import type { TextValues } from "../../.build/web/texts";
import type { Problem, Sentence } from "./api";
import { short } from "./addresses";
import type { Catalogue, Code, Language } from "./languages";
import { grouped, rounded, type Rounding, type Unit } from "./money";
import { parts, plural, type Placeholder } from "./patterns";
import { dateTime } from "./times";

/** The values of a text of the page beside its code. */
type Values<C extends Code> = TextValues[C] extends null ? [] : [values: TextValues[C]];

/** The code of a text without values. */
export type PlainCode = { [C in Code]: TextValues[C] extends null ? C : never }[Code];

/** Writes everything that the page says, in one language. */
export interface Words {
  readonly language: Language;
  /** A text of the page. */
  say<C extends Code>(code: C, ...values: Values<C>): string;
  /** Sentences of the node; one with an unknown code stays as the node wrote it. */
  said(sentences: Sentence | readonly Sentence[]): string;
  /** The word for a value of the API, such as that of 'paid' in the area 'phase'; an unknown value itself. */
  named(area: string, value: string): string;
  /** A word that stands alone, such as an option, with a capital letter. */
  alone(text: string): string;
  /** The sentences of a problem, or its kind. */
  problem(problem: Problem): string;
  /** Why a call failed, and what to do. */
  failure(error: Failed): string;
  /** An amount with its unit. */
  money(amount: string, currency: string, chain?: number, rounding?: Rounding): string;
  duration(seconds: number): string;
}

/** A call that failed, by what the node says or by how it failed. */
interface Failed {
  readonly problem: Problem | null;
  readonly failure: "silent" | "unreadable" | "tooLarge";
}

/** Where units and names come from. */
export interface Sources {
  unit(currency: string, chain: number | undefined): Unit | undefined;
  name(account: string): string | undefined;
}

const rounding: Readonly<Record<string, Rounding>> = { amount: "up", amountDown: "down", amountWhole: "whole" };

const failures = { silent: "page.nodeAway", unreadable: "page.answerUnreadable", tooLarge: "page.tooLargeOnTheWay" } as const;

/** Makes the words of a language. */
export function wordsOf(language: Language, catalogue: Catalogue, sources: Sources): Words {
  const rules = new Intl.PluralRules(language);
  const patterns: Readonly<Record<string, string>> = catalogue;

  function text(code: string, values: Readonly<Record<string, string | number>>): string {
    const pattern = Object.hasOwn(patterns, code) ? patterns[code] : undefined;
    if (pattern === undefined) return code;
    return parts(pattern)
      .map((part) => (typeof part === "string" ? part : value(part, String(values[part.name] ?? ""))))
      .join("");
  }

  function value(place: Placeholder, given: string): string {
    switch (place.type) {
      case "amount": case "amountDown": case "amountWhole": {
        const [amount, currency, chain, ...rest] = given.split(" ");
        if (amount === undefined || currency === undefined || chain === undefined || rest.length > 0) return given;
        return money(amount, currency, Number(chain), rounding[place.type]);
      }
      case "account": return sources.name(given) === undefined ? given : `${sources.name(given)} (${short(given)})`;
      case "counts": return given.split(",").map(counted).join(", ");
      case "duration": return /^\d+$/.test(given) ? duration(Number(given)) : given;
      case "plural": return plural(place.forms, given, rules);
      case "round": return text(given === "0" ? "round.first" : "round.later", { number: given });
      case "share": return /^\d+$/.test(given) ? percent(Number(given)) : given;
      case "term": return text(given, {});
      case "time": return dateTime(given, language);
      default: return given;
    }
  }

  function counted(part: string): string {
    return part.split(" ").map((word) => (word.includes(".") ? text(word, {}) : word)).join(" ");
  }

  function money(amount: string, currency: string, chain?: number, how?: Rounding): string {
    const unit = sources.unit(currency, chain);
    if (unit === undefined) return text("page.unitsOfToken", { amount, token: currency });
    return `${grouped(rounded(amount, unit.decimals, how), language)} ${unit.symbol}`;
  }

  function duration(seconds: number): string {
    const units = [["day", 86_400], ["hour", 3_600], ["minute", 60]] as const;
    const [unit, length] = units.find(([, of]) => seconds > 0 && seconds % of === 0) ?? (["second", 1] as const);
    return text(`unit.${unit}`, { count: seconds / length });
  }

  function said(sentences: Sentence | readonly Sentence[]): string {
    const all = "code" in sentences ? [sentences] : sentences;
    return all.map((one) => (Object.hasOwn(patterns, one.code) ? text(one.code, one.values) : one.detail)).join(" ");
  }

  function problem(of: Problem): string {
    return of.reason ? said(of.reason) : text(`problem.${of.code}`, {});
  }

  return {
    language, said, money, duration, problem,
    say: (code, ...values) => text(code, values[0] ?? {}),
    alone: (of) => of.charAt(0).toLocaleUpperCase(language) + of.slice(1),
    named: (area, of) => (Object.hasOwn(patterns, `${area}.${of}`) ? text(`${area}.${of}`, {}) : of),
    failure: (of) => (of.problem === null ? text(failures[of.failure], {}) : problem(of.problem)),
  };
}

/** Basis points as a percentage without trailing zeros. */
function percent(basisPoints: number): string {
  return `${basisPoints / 100} %`;
}

export const WordsContext = createContext<Words | null>(null);

/** The words of the reader's language. */
export function useWords(): Words {
  const words = useContext(WordsContext);
  if (words === null) throw new Error("no words");
  return words;
}
