/** Which addresses of a service the client takes. */
import { assertEquals, assertThrows } from "@std/assert";
import { Firn } from "../../sdk/mod.ts";
import { answer } from "../support/sdk/outcomes.ts";
import { scripted } from "../support/sdk/service.ts";

Deno.test("baseUrl may end with a slash or with the prefix of the scoring API", async () => {
  const forms = ["", "/", "/api/v1", "/api/v1/"];
  for (const form of forms) {
    const { firn, requests } = scripted([answer, answer], {
      baseUrl: `https://firn.example/below${form}`,
    });
    await firn.usage();
    await firn.chains();
    assertEquals(requests.map(({ url }) => url), [
      "https://firn.example/below/api/v1/usage",
      "https://firn.example/below/api/chain-data/chains",
    ]);
  }
});

Deno.test("a baseUrl that is no HTTP address is refused when the client is created", () => {
  const accepted =
    "expected http:// or https:// and a host, such as https://firn.example";
  const refused: [baseUrl: unknown, shown?: string][] = [
    ["localhost:8701"],
    ["127.0.0.1:8701"],
    ["firn.example"],
    ["//firn.example"],
    ["/api/v1"],
    ["http:/firn.example"],
    ["http://"],
    ["http://:8701"],
    ["ftp://firn.example"],
    ["file:///firn"],
    ["http://localhost:99999"],
    ["http://[::1"],
    ["https://firn.example?key=1"],
    ["https://firn.example/#top"],
    ["https://a b"],
    ["https://name:word@firn.example", "https://…@firn.example"],
    [""],
    [undefined, "undefined"],
  ];
  for (const [baseUrl, shown = baseUrl] of refused) {
    const error = assertThrows(
      () => new Firn({ baseUrl: baseUrl as string }),
      TypeError,
    );
    assertEquals(error.message, `Invalid baseUrl "${shown}": ${accepted}`);
  }
});

Deno.test("a baseUrl may have a port, capitals, an IPv6 address and spaces around it", async () => {
  const forms = {
    "http://localhost:8701": "http://localhost:8701",
    "HTTPS://Firn.Example": "https://firn.example",
    "http://[::1]:8701/": "http://[::1]:8701",
    " https://firn.example\n": "https://firn.example",
  };
  for (const [baseUrl, sent] of Object.entries(forms)) {
    const { firn, requests } = scripted([answer], { baseUrl });
    await firn.chains();
    assertEquals(requests[0]!.url, `${sent}/api/chain-data/chains`);
  }
});
