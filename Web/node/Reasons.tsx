import { Icon } from "../shared/parts/Icon";
import { useWords } from "../shared/words";

/** The three things that differ from other markets. */
export function Reasons() {
  const words = useWords();
  const reasons = [
    ["wallet", words.say("page.welcomePay"), words.say("page.welcomePayWhy")],
    ["lock", words.say("page.welcomeDeposit"), words.say("page.welcomeDepositWhy")],
    ["home", words.say("page.welcomeNode"), words.say("page.welcomeNodeWhy")],
  ] as const;
  return (
    <ul className="reasons">
      {reasons.map(([icon, title, why]) => (
        <li key={icon} className="stack close">
          <Icon name={icon} />
          <h2>{title}</h2>
          <p className="soft">{why}</p>
        </li>
      ))}
    </ul>
  );
}
