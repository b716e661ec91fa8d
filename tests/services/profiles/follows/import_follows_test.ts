/** Follows that an import refuses. */
import { assertEquals } from "@std/assert";
import { importFollows } from "../../../../services/profiles/follows/follows.ts";
import { testDeps } from "../../../support/deps.ts";

const A = `0x${"aa".repeat(20)}`;
const B = `0x${"bb".repeat(20)}`;
const C = `0x${"cc".repeat(20)}`;

Deno.test("importFollows() takes edges from 1970 until now, and says why it refuses others", async () => {
  using deps = await testDeps();
  const now = deps.now().getTime();
  const edges = [
    { follower: A, followee: B, at: 0 },
    { follower: B, followee: A, at: now },
    { follower: A, followee: A, at: 1 },
    { follower: A, followee: C, at: -1 },
    { follower: A, followee: C, at: NaN },
    { follower: A, followee: C, at: now + 1 },
  ];
  const refused = [
    { index: 2, reason: "an address cannot follow itself" },
    { index: 3, reason: "the time is before 1970" },
    { index: 4, reason: "the time is before 1970" },
    { index: 5, reason: "the time is later than now" },
  ];
  assertEquals(await importFollows(deps, edges), {
    added: 2,
    unchanged: 0,
    refused,
  });
  assertEquals(await importFollows(deps, edges), {
    added: 0,
    unchanged: 2,
    refused,
  });
});
