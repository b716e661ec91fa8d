/** Import circles among files. */

/** A file, and the files that it imports. */
interface Source {
  readonly path: string;
  readonly imports: readonly string[];
}

/** Lists the import circles among files: each as the files in it. */
export function listCircles(sources: readonly Source[]): string[][] {
  const importsOf = new Map(
    sources.map(({ path, imports }) => [path, imports]),
  );
  const depths = new Map<string, number>();
  const done = new Set<string>();
  const stack: string[] = [];
  const circles: string[][] = [];
  // Tarjan's algorithm: a circle is a strongly connected set of files.
  function visit(path: string): number {
    const depth = depths.size;
    depths.set(path, depth);
    stack.push(path);
    let lowest = depth;
    for (const next of importsOf.get(path) ?? []) {
      if (!importsOf.has(next) || done.has(next)) continue;
      lowest = Math.min(lowest, depths.get(next) ?? visit(next));
    }
    if (lowest === depth) {
      const circle = stack.splice(stack.indexOf(path));
      circle.forEach((member) => done.add(member));
      if (circle.length > 1) circles.push(circle.sort());
    }
    return lowest;
  }
  for (const { path } of sources) if (!depths.has(path)) visit(path);
  return circles;
}
