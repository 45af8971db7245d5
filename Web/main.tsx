import { createRoot } from "react-dom/client";
import { readCurrencies } from "./shared/currencies";
import { followEvents } from "./shared/events";
import { App } from "./shared/frame/App";
import { languages } from "./shared/languages";
import { followPreferences, language } from "./shared/preferences";
import { followHistory, match, place } from "./shared/router";
import { screens } from "./shared/screens";
import { session, shareSession } from "./shared/session";
import { signInOperator } from "./shared/signInOperator";
import { followVersion } from "./shared/version";
import "./shared/style/page.css";

async function begin(): Promise<void> {
  void signInOperator();
  window.addEventListener("hashchange", () => void signInOperator());
  followPreferences();
  followHistory();
  // The texts and the screen come while other tabs are asked for the session.
  // One that does not come is asked for again, and said, when it is drawn.
  languages[language.get()].load().catch(() => undefined);
  screens.find((screen) => match(screen.path, place.get().path) !== null)?.load().catch(() => undefined);
  await shareSession();
  session.watch(() => void readCurrencies());
  void readCurrencies();
  followEvents();
  followVersion();
  const root = document.getElementById("page");
  if (root !== null) createRoot(root).render(<App />);
}

void begin();
