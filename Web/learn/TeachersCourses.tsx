import { useCall } from "../shared/useCall";
import { useWords } from "../shared/words";
import { CourseRow } from "./CourseRow";

/** The other courses of a teacher, with the average of each, also of those that are over. */
export function TeachersCourses({ teacher, without }: { readonly teacher: string; readonly without: string }) {
  const words = useWords();
  const found = useCall("GET /v1/rows", { query: { author: teacher, payment: "enrolment", over: true, sort: "newest", limit: 6 } }).answer;
  const others = (found?.items ?? []).filter((row) => row.id !== without);
  if (others.length === 0) return null;
  return (
    <section className="stack close">
      <h2>{words.say("page.teachersCourses")}</h2>
      <ul className="rows">{others.map((row) => <CourseRow key={row.id} row={row} hasTeacher={false} />)}</ul>
    </section>
  );
}
