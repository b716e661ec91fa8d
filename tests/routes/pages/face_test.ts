/** The faces of addresses. */
import { assertEquals } from "@std/assert";
import { drawFace, face } from "../../../routes/pages/face.ts";
import { fc } from "../../support/properties.ts";

const addresses = fc.stringMatching(/^0x[0-9a-f]{40}$/);

/** The cells of a drawing, as `x y`. */
const cellsOf = (drawing: unknown) =>
  [...String(drawing).matchAll(/M(\d) (\d)h1v1h-1z/g)]
    .map(([, x, y]) => [Number(x), Number(y)] as const);

Deno.test("a face is the same each time, its halves mirror each other, and it is within its ground", () => {
  fc.assert(fc.property(addresses, (address) => {
    const drawing = String(drawFace(address));
    assertEquals(String(drawFace(address)), drawing);
    const cells = cellsOf(drawing);
    const names = new Set(cells.map(String));
    assertEquals(names.size, cells.length, "no cell has two colours");
    for (const [x, y] of cells) {
      assertEquals(names.has(String([6 - x, y])), true);
      assertEquals([x, y].every((at) => at >= 1 && at <= 5), true);
    }
  }));
});

Deno.test("addresses that differ in one digit have different faces", () => {
  const faces = Array.from(
    { length: 256 },
    (_, nth) => String(drawFace(`0x${nth.toString(16).padStart(40, "0")}`)),
  );
  assertEquals(new Set(faces).size, faces.length);
});

Deno.test("a face loads nothing, and is hidden from screen readers, which read the address", () => {
  const image = String(face(`0x${"ab".repeat(20)}`, 72));
  assertEquals(/href|url\(|src=|style=/.test(image), false);
  assertEquals(image.includes('aria-hidden="true"'), true);
});
