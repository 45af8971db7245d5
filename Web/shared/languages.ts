import type { TextValues } from "../../.build/web/texts";

/** The code of a text: a key of Texts/en.json. */
export type Code = keyof TextValues;
/** The codes of refusals, a quarter of all texts, which no screen shows at first. */
type LateCode = Code & `refusal.${string}`;
/** The patterns of one language, those of refusals once they are there. */
export type Catalogue = Readonly<Record<Exclude<Code, LateCode>, string> & Partial<Record<LateCode, string>>>;
type Late = Readonly<Record<LateCode, string>>;

/** All languages: their own names, and their patterns in two parts. A file that lacks a text does not compile. */
export const languages = {
  en: {
    name: "English",
    load: (): Promise<{ default: Catalogue }> => import("../../.build/web/en.json"),
    loadLate: (): Promise<{ default: Late }> => import("../../.build/web/en.late.json"),
  },
  ko: {
    name: "한국어",
    load: (): Promise<{ default: Catalogue }> => import("../../.build/web/ko.json"),
    loadLate: (): Promise<{ default: Late }> => import("../../.build/web/ko.late.json"),
  },
} as const;

export type Language = keyof typeof languages;

/** Whether the page speaks a language. */
export function isLanguage(text: string | null): text is Language {
  return text !== null && Object.hasOwn(languages, text);
}

/** The first of the reader's languages that the page speaks. */
export function preferredLanguage(): Language {
  const wanted = navigator.languages.map((tag) => tag.slice(0, 2).toLowerCase());
  return wanted.find(isLanguage) ?? "en";
}
