/** The Follow button of an address. */
import { assertEquals } from "@std/assert";
import { followBar } from "../../../routes/scores/follow_bar.ts";
import { hrefsOf, wordsOf } from "../../support/charts/explorer.ts";
import { unescape } from "../../support/outline.ts";

const ADDRESS = "0x1234567890abcdef1234567890abcdef12345678";

const barOf = (
  { wallet = null, followers = 2, isFollowed = false }: {
    wallet?: string | null;
    followers?: number;
    isFollowed?: boolean;
  },
) =>
  String(followBar(
    {
      address: ADDRESS,
      counts: { followers, following: 0 },
      isFollowed,
    } as Parameters<typeof followBar>[0],
    {
      settings: { wallet, chainId: 43114, chainName: "C-Chain" },
      more: "",
    },
  ));

Deno.test("the owner of an address edits the profile instead of following it", () => {
  const own = barOf({ wallet: ADDRESS });
  assertEquals(hrefsOf(own), ["/dashboard/profile"]);
  assertEquals(/id="follow"|data-settings/.test(own), false);
  assertEquals(/id="dialog"/.test(own), true);
});

Deno.test("a visitor follows or unfollows, and sees the number of followers", () => {
  const rows: [given: Parameters<typeof barOf>[0], words: string][] = [
    [{}, "Follow 2 followers"],
    [{ followers: 1, wallet: "0xother" }, "Follow 1 follower"],
    [{ followers: 0, isFollowed: true }, "Unfollow 0 followers"],
  ];
  for (const [given, words] of rows) {
    const bar = barOf(given);
    assertEquals(wordsOf(bar).trim().startsWith(words), true, wordsOf(bar));
    const { wallet = null, isFollowed = false } = given;
    // The label tells the state, so an attribute would say it a second time.
    assertEquals(/aria-pressed/.test(bar), false);
    const [, settings] = bar.match(/data-settings="([^"]*)"/)!;
    assertEquals(JSON.parse(unescape(settings!)), {
      wallet,
      chainId: 43114,
      chainName: "C-Chain",
      address: ADDRESS,
      isFollowed,
    });
    assertEquals(hrefsOf(bar), []);
  }
});
