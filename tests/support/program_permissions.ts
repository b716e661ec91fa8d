/** The permissions of a program, as an option of a test. */
import type { Need } from "../../services/operator/permissions.ts";
import {
  listNeeds,
  type ProgramName,
} from "../../services/operator/start_flags.ts";

/**
 * Returns what a program may touch with the default settings, and nothing else.
 * No host is permitted: the upstreams of tests are functions.
 */
export function permissionsOf(
  program: ProgramName,
): Deno.PermissionOptionsObject {
  const needs = listNeeds(program, {});
  const valuesOf = (kind: Need["kind"]) =>
    needs.filter((need) => need.kind === kind).map(({ value }) => value);
  return {
    env: valuesOf("env"),
    net: false,
    read: valuesOf("read"),
    write: valuesOf("write"),
    run: false,
    ffi: false,
    sys: false,
  };
}
