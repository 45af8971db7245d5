import type { TextValues } from "../../.build/web/texts";

/** The code of a text: a key of Texts/en.json. */
export type Code = keyof TextValues;
/** The patterns of one language. */
export type Catalogue = Readonly<Record<Code, string>>;

/** All languages: their own names, and their patterns. A file that lacks a text does not compile. */
export const languages = {
  en: { name: "English", load: (): Promise<{ default: Catalogue }> => import("../../Texts/en.json") },
  ko: { name: "한국어", load: (): Promise<{ default: Catalogue }> => import("../../Texts/ko.json") },
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
