/** Records that a process remembers of its own writes. */
import { assertEquals } from "@std/assert";
import { rememberedRecords } from "../../../../services/platform/kv/reads.ts";

const A = ["a"];
const B = ["b"];
const entry = (key: string[], versionstamp: string, value: unknown = 1) => ({
  key,
  value,
  versionstamp,
});

Deno.test("find() returns records in the order of the keys, and none if one is unknown", () => {
  const records = rememberedRecords(10);
  records.put([entry(A, "1"), entry(B, "2")]);
  assertEquals(records.find([B, A]), [entry(B, "2"), entry(A, "1")]);
  assertEquals(records.find([A, ["c"]]), undefined);
});

Deno.test("a record that another process changed is not found until it is read again", () => {
  const records = rememberedRecords(10);
  records.put([entry(A, "1")]);
  records.compare(entry(A, "1"));
  assertEquals(records.find([A]), [entry(A, "1")], "as it was left");
  records.compare(entry(A, "2"));
  assertEquals(records.find([A]), undefined, "changed elsewhere");
  records.putWritten([[A, "mine"]], "3");
  assertEquals(records.find([A]), undefined, "written over by this process");
  records.compare(entry(A, "3"));
  assertEquals(records.find([A]), [entry(A, "3", "mine")], "left alone since");
  records.compare(entry(A, "4"));
  records.put([entry(A, "4")]);
  assertEquals(records.find([A]), [entry(A, "4")], "read again");
});

Deno.test("a record that was never remembered is not remembered by a comparison", () => {
  const records = rememberedRecords(10);
  records.compare(entry(A, "1"));
  assertEquals(records.find([A]), undefined);
  records.putWritten([[A, 5]], "6");
  assertEquals(records.find([A]), [entry(A, "6", 5)]);
});
