import { Icon } from "../parts/Icon";
import { Link } from "../parts/Link";
import { SearchBox } from "../parts/SearchBox";
import { usePlace } from "../router";
import { session } from "../session";
import { useStore } from "../store";
import { useWords } from "../words";
import { Wordmark } from "./Wordmark";

/** At the top of every screen: home, search, and what the person has. */
export function Header() {
  const words = useWords();
  const own = useStore(session);
  const { path } = usePlace();
  const link = (to: string, text: string) => (
    <Link to={to} className="wide-only" aria-current={path === to ? "page" : undefined}>{text}</Link>
  );
  return (
    <header className="header">
      <a className="skip" href="#main">{words.say("page.skip")}</a>
      <div className="header-inner">
        <Wordmark />
        <div className="header-search"><SearchBox /></div>
        <nav className="nav" aria-label={words.say("page.mainMenu")}>
          {own !== null && link("/sales", words.say("page.mySales"))}
          {own !== null && link("/wallet", words.say("page.wallet"))}
          {link("/sell", words.say("page.sell"))}
          {own !== null && (
            <Link to="/cart" aria-current={path === "/cart" ? "page" : undefined} aria-label={words.say("page.cart")}><Icon name="cart" /></Link>
          )}
          {own === null
            ? <Link to="/sign-in" className="strong">{words.say("page.signIn")}</Link>
            : (
              <Link to="/account" aria-current={path === "/account" ? "page" : undefined}
                aria-label={words.say("page.accountOf", { name: own.account.name })}>
                <span className="person">
                  <span className="avatar"><Icon name="person" /></span>
                  <span className="wide-only"><bdi>{own.account.name}</bdi></span>
                </span>
              </Link>
            )}
        </nav>
      </div>
    </header>
  );
}
