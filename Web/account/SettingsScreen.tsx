import { languages, isLanguage, type Language } from "../shared/languages";
import { Choice } from "../shared/parts/Choice";
import { Title } from "../shared/parts/Title";
import { language, theme, type Theme } from "../shared/preferences";
import { useStore } from "../shared/store";
import { useWords } from "../shared/words";

/** The choices that this browser remembers: the language, and light or dark. */
export default function SettingsScreen() {
  const words = useWords();
  const spoken = Object.entries(languages).map(([tag, { name }]) => [tag, name] as const);
  const themes: readonly (readonly [Theme, string])[] = [
    ["system", words.say("page.systemTheme")], ["light", words.say("page.light")], ["dark", words.say("page.dark")],
  ];
  return (
    <div className="stack far measure">
      <Title text={words.say("page.settings")} />
      <Choice<Language> label={words.say("page.language")} value={useStore(language)}
        options={spoken.flatMap(([tag, name]) => (isLanguage(tag) ? [[tag, name] as const] : []))} onChoose={language.set} />
      <Choice<Theme> label={words.say("page.theme")} value={useStore(theme)} options={themes} onChoose={theme.set} />
    </div>
  );
}
