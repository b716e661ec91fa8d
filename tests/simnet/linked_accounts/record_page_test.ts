import { assertEquals, assertMatch } from "@std/assert";
// @ts-types="@types/dns-packet"
import type { Answer } from "dns-packet";
import { withRecordLink } from "../../../simnet/linked_accounts/record_link_routes.ts";
import { startNameServer } from "../../../simnet/linked_accounts/name_server.ts";
import { recordPage } from "../../../simnet/linked_accounts/record_page.ts";

const NAME = "_firn.example.com";
const INFO = {} as Deno.ServeHandlerInfo<Deno.NetAddr>;

Deno.test("recordPage() publishes a record that the name server answers at once, and removes it", async () => {
  const records: Answer[] = [];
  const answer = recordPage(records);
  await using nameServer = await startNameServer(records);
  const resolve = () =>
    Deno.resolveDns(`${NAME}.`, "TXT", { nameServer })
      .catch((error) => (error as Error).name);
  const submit = async (step: string) => {
    const body = new URLSearchParams({ name: NAME, value: "a <b>", step });
    const response = await answer(
      new Request("http://dns/", { method: "POST", body }),
    );
    return await response.text();
  };
  const list = async () =>
    await (await answer(new Request("http://dns/"))).text();

  assertEquals(await resolve(), "NotFound");
  assertMatch(await submit("publish"), /_firn\.example\.com is published/);
  await submit("publish");
  assertEquals(
    await resolve(),
    [["a <b>"]],
    "publishing twice adds one record",
  );
  assertMatch(await list(), /_firn\.example\.com TXT a &lt;b&gt;/);
  assertMatch(await submit("remove"), /_firn\.example\.com is removed/);
  assertEquals(await resolve(), "NotFound");
  assertMatch(await list(), /None yet/);
});

Deno.test("withRecordLink() adds its script to the owner's page only, and redirects to the record", async () => {
  const service = withRecordLink(
    () => new Response("<head></head>"),
    "http://127.0.0.1:5353",
  );
  const get = async (path: string) =>
    await service(new Request(`http://demo${path}`), INFO);
  const text = async (path: string) => await (await get(path)).text();
  assertEquals(await text("/dashboard"), "<head></head>");
  const [, src] = /src="([^"]+)"/.exec(await text("/dashboard/profile"))!;
  assertMatch(await text(src!), /domain-record/);
  const { status, headers } = await get("/demo/dns?name=a&value=b");
  assertEquals(
    [status, headers.get("Location"), headers.get("X-Simulated")],
    [302, "http://127.0.0.1:5353/?name=a&value=b", "simnet"],
  );
});
