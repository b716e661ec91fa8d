/** Queues of calls that wait: one for each wallet or network, and few of free ones. */
import { assert, assertEquals } from "@std/assert";
import {
  freeRequester,
  paidRequester,
  SERVICE,
} from "../../../../services/platform/rate_limit/requesters.ts";
import { waitingCalls } from "../../../../services/platform/rate_limit/waiting_calls.ts";

const READER = { priority: "reader", longestMs: 5_000 } as const;

function newQueues() {
  return waitingCalls({
    name: "up.test",
    limits: [{ calls: 2, perMs: 1_000 }],
    shares: {
      paid: { reserved: 0, asking: 0, max: 1 },
      free: { reserved: 0, asking: 0, max: 1 },
    },
  });
}

Deno.test("each wallet has a queue of its own, also beside others of its network", () => {
  const { enter, has } = newQueues();
  const [one, other] = ["0xa1", "0xa2"].map((wallet) =>
    freeRequester({ wallet, hostname: "192.0.2.1" })
  );
  const turn = enter(one!, READER);
  assertEquals([has(one!, "reader"), has(one!, "job")], [true, false]);
  assertEquals(has(other!, "reader"), false);
  assert("leave" in turn);
  turn.leave();
  assertEquals(has(one!, "reader"), false);
});

Deno.test("at most 32 free calls wait, and one more once another has left; paid ones and the service do not count", () => {
  const { enter } = newQueues();
  enter(SERVICE, READER);
  enter(paidRequester("0xb0", 49), READER);
  const turns = Array.from(
    { length: 33 },
    (_, nth) => enter(freeRequester({ wallet: `0x${nth}` }), READER),
  );
  const last = turns.pop()!;
  assert(turns.every((turn) => "leave" in turn));
  assertEquals(last, { retryAfterMs: 500, party: undefined });
  const [first] = turns;
  assert(first !== undefined && "leave" in first);
  first.leave();
  assert("leave" in enter(freeRequester({ wallet: "0xff" }), READER));
});

Deno.test("a call that would wait longer than it may is refused with its wait; the service waits", () => {
  const { enter } = newQueues();
  const wallet = paidRequester("0xb0", 49);
  for (let nth = 0; nth <= 10; nth++) assert("leave" in enter(wallet, READER));
  assertEquals(enter(wallet, READER), {
    retryAfterMs: 5_500,
    party: wallet.parties[0],
  });
  for (let nth = 0; nth < 50; nth++) assert("leave" in enter(SERVICE, READER));
});

Deno.test("calls of one queue get their turns in order, each when the one before has left", async () => {
  const { enter, has } = newQueues();
  const order: string[] = [];
  const enterAs = (name: string) => {
    const turn = enter(SERVICE, READER);
    assert("leave" in turn);
    return { name, turn, done: turn.ahead.then(() => order.push(name)) };
  };
  const [first, second, third] = ["first", "second", "third"].map(enterAs);
  await first!.done;
  for (let step = 0; step < 5; step++) await null;
  assertEquals(order, ["first"]);
  first!.turn.leave();
  await second!.done;
  for (let step = 0; step < 5; step++) await null;
  assertEquals(order, ["first", "second"]);
  assert(has(SERVICE, "reader"));
  second!.turn.leave();
  await third!.done;
  assertEquals(order, ["first", "second", "third"]);
  assert(has(SERVICE, "reader"), "the third has its turn");
  third!.turn.leave();
  assert(!has(SERVICE, "reader"));
});

Deno.test("a place that was left makes the wait of the next one shorter", () => {
  const { enter } = newQueues();
  const wallet = paidRequester("0xb0", 49);
  const turns = Array.from({ length: 11 }, () => enter(wallet, READER));
  for (const turn of turns.slice(0, 3)) {
    assert("leave" in turn);
    turn.leave();
  }
  const lengths = Array.from({ length: 5 }, () => enter(wallet, READER));
  assertEquals(lengths.map((turn) => "leave" in turn), [
    true,
    true,
    true,
    false,
    false,
  ]);
});

Deno.test("calls without a party wait by their class, and a budget without short windows asks for no wait", () => {
  const { enter, has } = newQueues();
  enter(SERVICE, READER);
  const anonymous = freeRequester({});
  assertEquals([has(SERVICE, "reader"), has(anonymous, "reader")], [
    true,
    false,
  ]);
  enter(anonymous, READER);
  assert(has(anonymous, "reader"));
  const daily = waitingCalls({
    name: "up.test",
    limits: [{ calls: 2, perMs: 86_400_000 }],
    shares: { free: { reserved: 0, asking: 0, max: 1 } },
  });
  const turns = Array.from(
    { length: 33 },
    () => daily.enter(anonymous, READER),
  );
  assertEquals(turns.at(-1), { retryAfterMs: 0, party: undefined });
});
