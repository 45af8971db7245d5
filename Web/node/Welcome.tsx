import { Link } from "../shared/parts/Link";
import { Title } from "../shared/parts/Title";
import { useWords } from "../shared/words";
import { Reasons } from "./Reasons";

/** Tells a newcomer what Stoa is. */
export default function Welcome() {
  const words = useWords();
  return (
    <div className="stack far welcome">
      <div className="stack measure">
        <Title text={words.say("page.welcomeTitle")} />
        <p className="lead soft">{words.say("page.welcomeLead")}</p>
        <div className="beside">
          <Link to="/" className="button main-action">{words.say("page.lookAround")}</Link>
          <Link to="/sign-up" className="button">{words.say("page.createAccount")}</Link>
        </div>
      </div>
      <Reasons />
    </div>
  );
}
