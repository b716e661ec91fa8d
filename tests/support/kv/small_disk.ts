/** A disk of a few megabytes that a service has to itself, and that a test can fill. */
import { assert } from "@std/assert";
import { isSkipped } from "../tool.ts";

/** A full disk, or one with room again, of a running process. */
export interface SmallDisk {
  /** Fills it to the last byte. */
  fill(): Promise<void>;
  /** Gives back some bytes of what `fill` took. */
  giveWay(bytes: number): Promise<void>;
  /** Gives back all that `fill` took. */
  clear(): Promise<void>;
  /** Copies a database that nobody writes to meanwhile, with what lies beside it, into a folder. */
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

/** Looks at a folder as a process does; by commands, since tests may not look into `/proc` themselves. */
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

/** Commands that run another one where what is mounted is its own, and goes with it. */
const CANDIDATES = [
  ["unshare", "--mount", "--map-root-user"],
  ["unshare", "--mount"],
];

/** The first of them that this machine allows. */
const UNSHARE = await findUnshare();

/** Whether tests of a full disk are skipped: on CI never. */
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
