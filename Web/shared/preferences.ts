import { isLanguage, preferredLanguage, type Language } from "./languages";
import { computerStorage } from "./storage";
import { store } from "./store";

export type Theme = "system" | "light" | "dark";

const keptTheme = computerStorage.get("stoa.theme");
const keptLanguage = computerStorage.get("stoa.language");

export const theme = store<Theme>(keptTheme === "light" || keptTheme === "dark" ? keptTheme : "system");
export const language = store<Language>(isLanguage(keptLanguage) ? keptLanguage : preferredLanguage());

const systemIsDark = window.matchMedia("(prefers-color-scheme: dark)");

function applyTheme(): void {
  const chosen = theme.get();
  const isDark = chosen === "dark" || (chosen === "system" && systemIsDark.matches);
  document.documentElement.dataset["theme"] = isDark ? "dark" : "light";
}

/** Applies what was chosen, now and whenever it changes here, in another tab, or in the system. */
export function followPreferences(): void {
  applyTheme();
  theme.watch(applyTheme);
  systemIsDark.addEventListener("change", applyTheme);
  theme.watch(() => computerStorage.set("stoa.theme", theme.get()));
  language.watch(() => computerStorage.set("stoa.language", language.get()));
  window.addEventListener("storage", (change) => {
    if (change.key === "stoa.language" && isLanguage(change.newValue)) language.set(change.newValue);
    const wanted = change.newValue;
    if (change.key === "stoa.theme" && (wanted === "light" || wanted === "dark" || wanted === "system")) theme.set(wanted);
  });
}
