import type { Code } from "../languages";
import { Icon, type IconName } from "../parts/Icon";
import { Link } from "../parts/Link";
import { usePlace } from "../router";
import { useWords } from "../words";

type TabCode = Extract<Code, "page.home" | "page.search" | "page.sell" | "page.mySales" | "page.wallet">;

const tabs: readonly (readonly [to: string, code: TabCode, icon: IconName])[] = [
  ["/", "page.home", "home"], ["/search", "page.search", "search"], ["/sell", "page.sell", "sell"],
  ["/sales", "page.mySales", "trade"], ["/wallet", "page.wallet", "wallet"],
];

/** The menu of a phone, below the screen. */
export function Tabs() {
  const words = useWords();
  const { path } = usePlace();
  return (
    <nav className="tabs" aria-label={words.say("page.places")}>
      {tabs.map(([to, code, icon]) => (
        <Link key={to} to={to} aria-current={path === to ? "page" : undefined}><Icon name={icon} />{words.say(code)}</Link>
      ))}
    </nav>
  );
}
