/** Sessions in the store: what starts, replaces, confirms and ends one. */
import { assertEquals, assertRejects } from "@std/assert";
import { sessionStore } from "../../../services/accounts/sessions_store.ts";
import { auditStore } from "../../../services/platform/kv/audit_store.ts";
import { breakKv, DISK_ERROR } from "../../support/kv/faulty_kv.ts";

const WALLET = `0x${"aa".repeat(20)}`;
const SESSION = {
  wallet: WALLET,
  createdAt: 0,
  expiresAt: 1_000,
  byContract: null,
};
const PROOF = { message: "hello", signature: "0x12", confirmedAt: 0 };
const STARTED = { at: 1, event: "session.start", requestId: "one" } as const;
const ENDED = { at: 2, event: "session.end", requestId: "two" } as const;

Deno.test("start() ends the session that it replaces only if the new one is stored", async () => {
  using kv = await Deno.openKv(":memory:");
  const faults = breakKv(kv);
  const { find, start } = sessionStore(kv);
  await start("first", SESSION, { replaces: null, audit: STARTED });
  faults.commits = new Error(DISK_ERROR);
  const replacing = { replaces: "first", audit: STARTED };
  await assertRejects(() => start("second", SESSION, replacing));
  faults.commits = null;
  assertEquals(await Promise.all(["first", "second"].map(find)), [
    SESSION,
    null,
  ]);
  const writes: number[] = [];
  kv.delete = () => Promise.resolve(void writes.push(1));
  await start("second", SESSION, replacing);
  assertEquals(writes, [], "outside of the transaction");
  assertEquals(await find("first"), null);
});

Deno.test("markConfirmed() changes the session of a contract, and neither another nor an ended one", async () => {
  using kv = await Deno.openKv(":memory:");
  const { find, start, markConfirmed } = sessionStore(kv);
  const options = { replaces: null, audit: STARTED };
  await start("contract", { ...SESSION, byContract: PROOF }, options);
  await start("key pair", SESSION, options);
  for (const hash of ["contract", "key pair", "ended"]) {
    await markConfirmed(hash, 7);
  }
  assertEquals(
    await Promise.all(["contract", "key pair", "ended"].map(find)),
    [
      { ...SESSION, byContract: { ...PROOF, confirmedAt: 7 } },
      SESSION,
      null,
    ],
  );
});

Deno.test("end() ends a session once, with one entry", async () => {
  using kv = await Deno.openKv(":memory:");
  const { find, start, end } = sessionStore(kv);
  await start("hash", SESSION, { replaces: null, audit: STARTED });
  assertEquals(await end("hash", ENDED), true);
  assertEquals(await end("hash", ENDED), false);
  assertEquals(await find("hash"), null);
  assertEquals(await auditStore(kv).list(WALLET), [ENDED, STARTED]);
});
