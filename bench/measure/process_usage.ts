/** CPU time and memory of a process from `/proc`; NaN on systems other than Linux. */

/** Clock ticks per second in `/proc` (USER_HZ). */
const TICKS = 100;

/** Returns the CPU seconds of a process, all threads together. */
export function cpuSeconds(pid: number): number {
  // The name in field 2 may hold spaces; it ends at the last parenthesis.
  const stat = readProc(`${pid}/stat`);
  const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
  const [userTicks, systemTicks] = fields.slice(11, 13).map(Number);
  return (userTicks! + systemTicks!) / TICKS;
}

/** Returns the CPU seconds of the whole machine. */
export function machineCpuSeconds(): number {
  // cpu  user nice system idle iowait irq softirq steal …
  const [all = ""] = readProc("stat").split("\n");
  const ticks = all.split(/\s+/).slice(1, 9).map(Number);
  const idle = ticks[3]! + ticks[4]!;
  return (ticks.reduce((sum, each) => sum + each, 0) - idle) / TICKS;
}

/** Returns the resident memory of a process and its peak in MB. */
export function memoryMb(pid: number): { now: number; peak: number } {
  const status = readProc(`${pid}/status`);
  const megabytes = (name: string) =>
    Number(status.match(`${name}:\\s+(\\d+) kB`)?.[1] ?? NaN) / 1024;
  return { now: megabytes("VmRSS"), peak: megabytes("VmHWM") };
}

function readProc(path: string): string {
  return Deno.build.os === "linux"
    ? Deno.readTextFileSync(`/proc/${path}`)
    : "";
}
