/**
 * Prints the software bill of materials of the service (CycloneDX 1.6, JSON): the
 * packages of deno.lock, their hashes, and what depends on what. Equal locks give
 * equal bytes.
 */
import { Enums, Models, Serialize, Spec } from "@cyclonedx/cyclonedx-library";
import { VERSION } from "../services/platform/version.ts";

/** A package in `deno.lock`. */
interface Locked {
  /** `sha512-` and base64. */
  readonly integrity: string;
  /** Names, with a version if several are locked. */
  readonly dependencies?: readonly string[];
}

/** The part of `deno.lock` that is used. */
interface Lock {
  /** The resolved version by specifier. */
  readonly specifiers: Readonly<Record<string, string>>;
  readonly npm: Readonly<Record<string, Locked>>;
}

/** Splits `@scope/name@version_peer@version`. */
function splitKey(key: string) {
  const [, scope, name = "", version = ""] =
    /^(?:(@[^/]+)\/)?([^@]+)@([^_]+)/.exec(key) ?? [];
  return { scope, name, version };
}

function componentOf(key: string, { integrity }: Locked): Models.Component {
  const { scope, name, version } = splitKey(key);
  const path = [scope?.replace("@", "%40"), name].filter(Boolean).join("/");
  const purl = `pkg:npm/${path}@${version}`;
  const { Component } = Models;
  const component = new Component(Enums.ComponentType.Library, name, {
    ...(scope === undefined ? {} : { group: scope }),
    version,
    purl,
    bomRef: key,
  });
  const [algorithm, base64 = ""] = integrity.split("-");
  if (algorithm === "sha512") {
    const hex = Uint8Array.fromBase64(base64).toHex();
    component.hashes.set(Enums.HashAlgorithm["SHA-512"], hex);
  }
  return component;
}

/** Makes the bill of a lock, as JSON. */
export function makeBill(lock: Lock): string {
  const bom = new Models.Bom();
  const root = new Models.Component(Enums.ComponentType.Application, "firn", {
    version: VERSION,
    bomRef: "firn",
  });
  const components = new Map(
    Object.entries(lock.npm).map(([key, locked]) => [
      key,
      componentOf(key, locked),
    ]),
  );
  const find = (text: string) => {
    const found = components.get(text) ??
      [...components].find(([key]) =>
        key.startsWith(`${text}@`) || key.startsWith(`${text}_`)
      )?.[1];
    if (found === undefined) throw new Error(`Cannot find ${text} in the lock`);
    return found;
  };
  for (const [key, { dependencies = [] }] of Object.entries(lock.npm)) {
    const component = components.get(key)!;
    for (const name of dependencies) {
      component.dependencies.add(find(name).bomRef);
    }
    bom.components.add(component);
  }
  for (const [specifier, version] of Object.entries(lock.specifiers)) {
    const name = /^npm:(@?[^@]+)/.exec(specifier)?.[1];
    if (name) root.dependencies.add(find(`${name}@${version}`).bomRef);
  }
  bom.metadata.component = root;
  const format = new Serialize.JSON.Normalize.Factory(Spec.Spec1dot6);
  return new Serialize.JsonSerializer(format)
    .serialize(bom, { sortLists: true, space: 2 });
}

if (import.meta.main) {
  const lock = new URL("../deno.lock", import.meta.url);
  // deno-lint-ignore no-console
  console.log(makeBill(JSON.parse(await Deno.readTextFile(lock))));
}
