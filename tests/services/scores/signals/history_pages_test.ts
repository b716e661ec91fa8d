/** Which pages of a long history are read. */
import { assertEquals } from "@std/assert";
import {
  isSufficient,
  nextPage,
  type PagesRead,
} from "../../../../services/scores/signals/explorer_accounts_client.ts";

const side = (pages: number, ...nonces: number[]) => ({
  pages,
  nonces: new Set(nonces),
});

const read = (
  newest: PagesRead["newest"],
  oldest = side(0),
): PagesRead => ({ newest, oldest, reachedEnd: false });

Deno.test("isSufficient() needs the end of the list, the first nonce, all nonces, or no gap between both ends", () => {
  const cases: [PagesRead, sent: number | null, boolean][] = [
    [{ ...read(side(1, 9)), reachedEnd: true }, null, true],
    [read(side(1, 2, 1, 0)), null, true],
    [read(side(1, 9, 8)), null, false],
    [read(side(1, 9, 8)), 3, false],
    [read(side(1, 9, 8)), 2, true],
    [read(side(1, 9, 8), side(1, 1, 2)), 4, true],
    [read(side(1, 9, 8), side(1, 1, 2)), 5, false],
    [read(side(1, 9, 8), side(1, 6, 7)), null, true],
    [read(side(1, 9, 8), side(1, 5, 6)), null, false],
    [read(side(1), side(1, 5, 6)), null, false],
  ];
  for (const [pages, sent, expected] of cases) {
    assertEquals(isSufficient(pages, sent), expected, Deno.inspect(pages));
  }
});

Deno.test("nextPage() reads the newest page, the oldest one, and one more; nothing once all is known", () => {
  const sorts = (pages: PagesRead, sent: number | null) =>
    nextPage(pages, sent)?.sort ?? null;
  assertEquals(sorts(read(side(0)), null), "desc");
  assertEquals(sorts(read(side(1, 9, 8)), null), "asc");
  assertEquals(sorts(read(side(1, 9, 8)), 2), null);
  assertEquals(sorts(read(side(1, 9, 8), side(1, 1, 2)), null), "desc");
  assertEquals(sorts(read(side(1, 9, 8), side(1)), null), "asc");
  assertEquals(sorts(read(side(2, 9, 8), side(1, 1, 2)), null), null);
});
