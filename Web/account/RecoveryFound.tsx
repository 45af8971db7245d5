import type { RecoveryReport } from "../shared/api";
import { Facts } from "../shared/parts/Facts";
import { Notice } from "../shared/parts/Notice";
import { useWords } from "../shared/words";

/** What this node has found of the account, what is missing and why. */
export function RecoveryFound({ report }: { readonly report: RecoveryReport }) {
  const words = useWords();
  const { profile, sales, listings, reviews, works, vaultEntries, homes, gaps, isLooking } = report;
  const others = homes.filter((one) => one.vault !== "own");
  return (
    <div className="stack">
      <Facts of={[
        [words.say("page.profile"), profile == null ? words.say("page.none") : <bdi key="profile">{profile}</bdi>],
        [words.say("page.mySales"), String(sales)],
        [words.say("page.listings"), String(listings)],
        [words.say("page.reviews"), String(reviews)],
        [words.say("page.works"), String(works)],
        [words.say("page.vaultEntries"), String(vaultEntries)],
        [words.say("page.otherHomes"), others.length === 0 ? words.say("page.none") : (
          <ul key="homes">
            {others.map((one) => <li key={one.peer}><span className="address">{one.peer.slice(0, 8)}…{one.peer.slice(-6)}</span> <span className="soft">{words.named("homeVault", one.vault)}</span></li>)}
          </ul>
        )],
      ]} />
      {isLooking && <p className="soft" role="status">{words.say("page.stillLooking")}</p>}
      {gaps.length > 0 && (
        <Notice kind="warn">
          {gaps.map(({ what, reason }) => <p key={what}><span className="strong">{words.alone(words.named("missing", what))}:</span> {words.said(reason)}</p>)}
        </Notice>
      )}
    </div>
  );
}
