import { Link } from "../parts/Link";
import { useWords } from "../words";

/** At the end of every screen. */
export function Footer() {
  const words = useWords();
  return (
    <footer className="footer">
      <div className="footer-inner">
        <span>{words.say("page.ownNode")}</span>
        <Link to="/check">{words.say("page.checkIdentifier")}</Link>
        <Link to="/settings">{words.say("page.settings")}</Link>
        <Link to="/licences">{words.say("page.licences")}</Link>
        <Link to="/welcome">{words.say("page.about")}</Link>
      </div>
    </footer>
  );
}
