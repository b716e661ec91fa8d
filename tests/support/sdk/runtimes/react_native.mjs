/**
 * Runs a bundle of Metro with the globals of React Native and no others, and prints what
 * the scenario saw: node react_native.mjs <bundle> <settings>
 */
import process from "node:process";
import { readFile } from "node:fs/promises";
import { createContext, runInContext } from "node:vm";
import { recoverTypedDataAddress as recover } from "viem";

/** The system's HTTP client as React Native sees it. It follows redirects with all headers. */
class XMLHttpRequest {
  #controller = new AbortController();
  #headers = {};

  open(method, url) {
    Object.assign(this, { method, url, readyState: 1 });
  }

  setRequestHeader(name, value) {
    this.#headers[name] = value;
  }

  async send(body) {
    const { method } = this;
    const { signal } = this.#controller;
    try {
      const headers = this.#headers;
      const response = await fetch(this.url, { method, headers, body, signal });
      this.responseText = await response.text();
      const { status, statusText, url } = response;
      this.lines = [...response.headers].map((pair) => pair.join(": "));
      Object.assign(this, { status, statusText, responseURL: url });
      this.readyState = 4;
      this.onload();
    } catch {
      if (!signal.aborted) this.onerror();
    }
  }

  getAllResponseHeaders() {
    return this.lines.join("\r\n");
  }

  abort() {
    this.#controller.abort();
    this.onabort();
  }
}

const [bundle, settings] = process.argv.slice(2);
const { setTimeout, clearTimeout } = globalThis;
const context = createContext({ XMLHttpRequest, setTimeout, clearTimeout });
// Hermes has no Symbol.asyncIterator.
runInContext(
  `{ const Whole = Symbol;
  globalThis.Symbol = Object.assign((text) => Whole(text), {
    prototype: Whole.prototype, iterator: Whole.iterator, for: Whole.for,
    hasInstance: Whole.hasInstance, toStringTag: Whole.toStringTag,
    toPrimitive: Whole.toPrimitive, species: Whole.species,
  }); }`,
  context,
);
runInContext(await readFile(bundle, "utf8"), context);
process.stdout.write(
  JSON.stringify(await context.runBundled(recover, JSON.parse(settings))),
);
