import { assertEquals } from "@std/assert";
import {
  fundingOf,
  sweepTargetOf,
} from "../../../../services/scores/signals/explorer_accounts_client.ts";

const FIRST = { at: 1_000 };

Deno.test("fundingOf() is the sender of the most AVAX before the first own transaction", () => {
  const dust = { from: "0xspam", at: 1, value: 1n };
  const parts = [
    { from: "0xowner", at: 30, value: 3n },
    { from: "0xowner", at: 20, value: 3n },
    { from: "0xfriend", at: 10, value: 5n },
  ];
  const later = { from: "0xrival", at: 1_001, value: 1_000n };
  assertEquals(
    fundingOf([later, ...parts, dust], FIRST),
    { funder: "0xowner", at: 20 },
  );
});

Deno.test("fundingOf() is null without a transaction, a receipt or a value", () => {
  const receipt = { from: "0xa", at: 1, value: 1n };
  assertEquals(fundingOf([receipt], undefined), null);
  assertEquals(fundingOf([], FIRST), null);
  assertEquals(fundingOf([{ ...receipt, value: 0n }], FIRST), null);
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
