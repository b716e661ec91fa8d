/** Bodies: a name that an object has twice is found, however it is written. */
import { assertEquals } from "@std/assert";
import { findRepeatedName } from "../../../routes/http/body.ts";
import { fc } from "../../support/properties.ts";

Deno.test("findRepeatedName() finds a name twice in one object, at any depth", async (t) => {
  const cases: [text: string, name: string | null][] = [
    ['{"a":1,"a":2}', "a"],
    ['{"a":1,"\\u0061":2}', "a"],
    ['{"a" : 1 , "a"\n:\t2}', "a"],
    ['{"x":{"a":1,"a":2}}', "a"],
    ['[[{"x":[{"a":1},{"a":1,"b":[],"a":[]}]}]]', "a"],
    ['{"a":{"b":1},"c":{"b":1},"b":{}}', null],
    ['{"a":"a","b":"a"}', null],
    ['{"a":"\\",\\"a\\":","b":1}', null],
    ['{"a":"{","b":"}","c":{"a":1}}', null],
    ['{"a":["a","a"],"b":{"a":["a"]}}', null],
    ['{"__proto__":1,"constructor":2}', null],
    ['{"__proto__":1,"__proto__":2}', "__proto__"],
    ['{"":1,"":2}', ""],
    ['"a"', null],
    ["[]", null],
  ];
  for (const [text, name] of cases) {
    await t.step(text, () => assertEquals(findRepeatedName(text), name));
  }
});

Deno.test("findRepeatedName() finds none in what JSON.stringify() wrote", () => {
  fc.assert(fc.property(fc.jsonValue(), (value) => {
    assertEquals(findRepeatedName(JSON.stringify(value)), null);
    assertEquals(findRepeatedName(JSON.stringify(value, null, 2)), null);
  }));
});
