/** Exports that no other file imports. */
import { resolveImport, type Source } from "./source_files.ts";

const EXPORT =
  /^export (?:async )?(const|function\*?|class|interface|type) (\w+)/gm;
/** Named imports, of modules and of types in the comments of browser modules. */
const NAMED =
  /^(?:\/\*\* @| \* @)?(?:import|export) (?:type )?(?:\w+, )?\{([^}]*)\} from\s+"([^"]+)"/gm;
const NAMESPACE = /^import (?:type )?\* as (\w+) from\s+"([^"]+)"/gm;
const DYNAMIC = /\bimport\(\s*"([^"]+)"/g;

/** An export: its name, and whether it is a type alone. */
interface Export {
  readonly id: string;
  readonly isType: boolean;
}

/** Lists what files export, each once, as `path#name`. A schema and its type are one. */
export function listExports(sources: readonly Source[]): Export[] {
  const exports = new Map<string, Export>();
  for (const { path, text } of sources) {
    for (const [, kind, name] of text.matchAll(EXPORT)) {
      const id = `${path}#${name}`;
      const isType = kind === "interface" || kind === "type";
      exports.set(id, {
        id,
        isType: isType && exports.get(id)?.isType !== false,
      });
    }
  }
  return [...exports.values()];
}

/** Returns what files import from other files, each as `path#name`. */
export function listImportedNames(sources: readonly Source[]): Set<string> {
  return new Set(sources.flatMap(namesIn));
}

function namesIn({ path, text }: Source): string[] {
  const ids = (from: string, names: Iterable<string>) =>
    Array.from(names, (name) => `${resolveImport(path, from)}#${name}`);
  const named = text.matchAll(NAMED).flatMap(([, list, from]) =>
    ids(
      from!,
      list!.matchAll(/(?:type )?(\w+)(?: as \w+)?/g).map(([, n]) => n!),
    )
  );
  const members = text.matchAll(NAMESPACE).flatMap(([, space, from]) =>
    ids(
      from!,
      text.matchAll(RegExp(`\\b${space}\\.(\\w+)`, "g")).map(([, n]) => n!),
    )
  );
  // Which names a dynamic import takes is not spelled in one way.
  const loaded = text.matchAll(DYNAMIC).flatMap(([, from]) =>
    ids(from!, text.matchAll(/\b\w+\b/g).map(([word]) => word))
  );
  return [...named, ...members, ...loaded];
}
