import { createRoot } from "react-dom/client";
import { readCurrencies } from "./shared/currencies";
import { followEvents } from "./shared/events";
import { App } from "./shared/frame/App";
import { followPreferences } from "./shared/preferences";
import { followHistory } from "./shared/router";
import { session, shareSession } from "./shared/session";
import "./shared/style/page.css";

async function begin(): Promise<void> {
  followPreferences();
  followHistory();
  await shareSession();
  session.watch(() => void readCurrencies());
  void readCurrencies();
  followEvents();
  const root = document.getElementById("page");
  if (root !== null) createRoot(root).render(<App />);
}

void begin();
