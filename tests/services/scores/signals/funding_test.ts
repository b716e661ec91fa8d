import { assertEquals } from "@std/assert";
import {
  beforeUseOf,
  sweepTargetOf,
} from "../../../../services/scores/signals/account_history.ts";

const FIRST = { at: 1_000 };

Deno.test("beforeUseOf() finds the sender of the most AVAX before the first own transaction", () => {
  const dust = { from: "0xspam", at: 1, value: 1n };
  const parts = [
    { from: "0xowner", at: 30, value: 3n },
    { from: "0xowner", at: 20, value: 3n },
    { from: "0xfriend", at: 10, value: 5n },
  ];
  const later = { from: "0xrival", at: 1_001, value: 1_000n };
  assertEquals(
    beforeUseOf([later, ...parts, dust], FIRST).funding,
    { funder: "0xowner", at: 20 },
  );
});

Deno.test("beforeUseOf() finds nothing without a transaction, a receipt or a value", () => {
  const receipt = { from: "0xa", at: 1, value: 1n };
  const nothing = { funding: null, origin: null };
  assertEquals(beforeUseOf([receipt], undefined), nothing);
  assertEquals(beforeUseOf([], FIRST), nothing);
  assertEquals(beforeUseOf([{ ...receipt, value: 0n }], FIRST), nothing);
});

Deno.test("beforeUseOf() counts payers of a transfer's cost and a hundredth of all, each once, and the days since the first receipt", () => {
  const avax = (value: number) => BigInt(value * 1e6) * 10n ** 12n;
  const day = (nth: number) => nth * 86_400_000;
  const receipts = [
    { from: "0xa", at: day(1), value: avax(50) },
    { from: "0xa", at: day(2), value: avax(40) },
    { from: "0xb", at: day(3), value: avax(5) },
    { from: "0xc", at: day(4), value: avax(0.5) },
    { from: "0xc", at: day(5), value: avax(0.5) },
    { from: "0xd", at: day(5), value: avax(0.9) },
    { from: "0xe", at: day(7), value: avax(50) },
  ];
  assertEquals(beforeUseOf(receipts, { at: day(6) }).origin, {
    payers: 3,
    delayDays: 5,
  });
});

Deno.test("sweepTargetOf() is where the newest transfer sent more than all before it", () => {
  const transfer = { to: "0xa", method: "", value: 9n, failed: false };
  const cases: [name: string, txs: typeof transfer[], string | null][] = [
    ["nothing", [], null],
    ["one transfer", [transfer], "0xa"],
    ["as much before", [transfer, transfer], null],
    ["one unit less before", [transfer, { ...transfer, value: 8n }], "0xa"],
    ["a larger one before", [transfer, { ...transfer, value: 10n }], null],
    ["a failed one after", [{ ...transfer, failed: true }, transfer], "0xa"],
    ["a call", [{ ...transfer, method: "0xa9059cbb" }], null],
    ["a contract creation", [{ ...transfer, to: "" }], null],
    ["no value", [{ ...transfer, value: 0n }], null],
  ];
  for (const [name, txs, target] of cases) {
    assertEquals(sweepTargetOf(txs), target, name);
  }
});
