/** A small disk for one service, which a test can fill. */
import { assert } from "@std/assert";
import { isSkipped } from "../tool.ts";

/** The disk of a running process. */
interface SmallDisk {
  /** Fills it to the last byte. */
  fill(): Promise<void>;
  /** Frees some of the bytes that `fill` used. */
  giveWay(bytes: number): Promise<void>;
  /** Frees all bytes that `fill` used. */
  clear(): Promise<void>;
  /** Copies a database and its side files into a folder. Nothing may write to it meanwhile. */
  copyOut(name: string, folder: string): Promise<void>;
}

/** Returns a command that mounts a disk on a folder, copies files there, and runs another command. */
export function throughSmallDisk(
  folder: string,
  { megabytes, seed }: { readonly megabytes: number; readonly seed: string },
): string[] {
  const script = 'mount -t tmpfs -o size="$1" tmpfs "$2" && cp "$3"/* "$2" &&' +
    ' shift 3 && exec "$@"';
  const values = [`${megabytes}m`, folder, seed];
  return [...UNSHARE, "sh", "-c", script, "sh", ...values];
}

/** Accesses the mount of a process through commands: tests have no permission for `/proc`. */
export function smallDiskOf(
  { pid }: Deno.ChildProcess,
  folder: string,
): SmallDisk {
  const seen = `/proc/${pid}/root${folder}`;
  const ballast = `${seen}/ballast`;
  return {
    fill: () => run('cat /dev/zero >> "$1" || true', ballast),
    giveWay: (bytes) => run('truncate -s "-$2" "$1"', ballast, String(bytes)),
    clear: () => run('rm "$1"', ballast),
    copyOut: (name, folder) => run('cp "$1"* "$2"', `${seen}/${name}`, folder),
  };
}

async function run(script: string, ...args: string[]): Promise<void> {
  const { success, stderr } = await new Deno.Command("sh", {
    args: ["-c", script, "sh", ...args],
  }).output();
  assert(success, new TextDecoder().decode(stderr));
}

/** Commands that run another one in its own mount namespace. */
const CANDIDATES = [
  ["unshare", "--mount", "--map-root-user"],
  ["unshare", "--mount"],
];

/** The first one that this machine allows. */
export const UNSHARE = await findUnshare();

/** Whether tests of a full disk are skipped; never on CI. */
export const SMALL_DISK_SKIPPED = isSkipped(
  "a tmpfs of their own",
  UNSHARE.length > 0,
);

async function findUnshare(): Promise<readonly string[]> {
  for (const candidate of CANDIDATES) {
    const [command = "", ...args] = candidate;
    const mount = ["mount", "-t", "tmpfs", "tmpfs", "/tmp"];
    const trial = new Deno.Command(command, { args: [...args, ...mount] });
    const { success } = await trial.output().catch(() => ({ success: false }));
    if (success) return candidate;
  }
  return [];
}
