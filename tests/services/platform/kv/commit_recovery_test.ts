/** Commits whose answer is lost while other processes write the same record. */
import { assertEquals, assertRejects } from "@std/assert";
import {
  commitMarks,
  CommitOutcomeUnknown,
  findOutcome,
  type Marked,
} from "../../../../services/platform/kv/commit.ts";
import { CONNECTION_LOST } from "../../../support/kv/faulty_kv.ts";

const KEY = ["record"];

/** Commits a record and loses the answer, while as many other processes write it twice each. */
async function commitAndLose(others: number) {
  using kv = await Deno.openKv(":memory:");
  const stored: Marked = { marks: commitMarks().withMark([]) };
  const version = { key: KEY, versionstamp: null };
  await kv.atomic().check(version).set(KEY, stored).commit();
  for (let nth = 0; nth < others; nth++) {
    const { withMark } = commitMarks();
    for (let time = 0; time < 2; time++) {
      const { value } = await kv.get<Marked>(KEY);
      await kv.set(KEY, { marks: withMark(value!.marks) });
    }
  }
  const error = new Error(CONNECTION_LOST);
  return await findOutcome(kv, [{ version, stored }], { ok: false, error });
}

Deno.test("findOutcome() finds its commit if up to seven other processes have written the record since", async () => {
  for (const others of [0, 1, 7]) {
    const { isWritten } = await commitAndLose(others);
    assertEquals(isWritten, true, `${others}`);
  }
});

Deno.test("findOutcome() says that the outcome is unknown if more have written it", async () => {
  await assertRejects(() => commitAndLose(8), CommitOutcomeUnknown);
});
