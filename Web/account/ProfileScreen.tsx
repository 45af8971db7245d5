import { Link } from "../shared/parts/Link";
import { Loading } from "../shared/parts/Loading";
import { Title } from "../shared/parts/Title";
import { Shown } from "../shared/parts/Shown";
import { session } from "../shared/session";
import { useStore } from "../shared/store";
import { useCall } from "../shared/useCall";
import { useWords } from "../shared/words";
import { ProfileForm } from "./ProfileForm";

/** The public profile of the account. */
export default function ProfileScreen() {
  const words = useWords();
  const account = useStore(session)?.account.address ?? "";
  const profile = useCall("GET /v1/profiles/{id}", { path: { id: account } });
  const isNone = profile.error?.problem?.code === "not_found";
  const none = { account, name: "", about: "", region: "", publishedAt: "" };
  return (
    <div className="stack measure">
      <Title text={words.say("page.profile")} />
      <p className="soft">{words.say("page.profileWhy")}</p>
      <p><Link to={`/accounts/${account}`}>{words.say("page.publicSide")}</Link></p>
      {isNone && profile.answer === null
        ? <ProfileForm known={none} again={profile.again} />
        : profile.answer === null && profile.error === null
          ? <Loading again={profile.again} />
          : <Shown of={profile}>{(known) => <ProfileForm key={known.account} known={known} again={profile.again} />}</Shown>}
    </div>
  );
}
