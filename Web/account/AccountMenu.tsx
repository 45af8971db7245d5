import { Icon, type IconName } from "../shared/parts/Icon";
import { Link } from "../shared/parts/Link";

export type MenuEntry = readonly [to: string, icon: IconName, title: string, why: string];

/** A group of the account's index: where each entry leads, and what is there. */
export function AccountMenu({ title, entries }: { readonly title: string; readonly entries: readonly MenuEntry[] }) {
  return (
    <section className="stack close">
      <h2 className="soft note">{title}</h2>
      <ul className="rows menu">
        {entries.map(([to, icon, name, why]) => (
          <li key={to}>
            <div className="row">
              <Icon name={icon} />
              <div className="row-main">
                <span className="row-title"><Link to={to}>{name}</Link></span>
                <span className="soft small">{why}</span>
              </div>
              <Icon name="next" />
            </div>
          </li>
        ))}
      </ul>
    </section>
  );
}
