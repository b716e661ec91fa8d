/** What one source file holds: its lines, its imports, and its functions. */
import { parse } from "@babel/parser";

/** A file of a tree, by its path from the tree's root. */
export interface TreeFile {
  readonly path: string;
  readonly text: string;
}

/** A node of a syntax tree, as far as it is read here. */
interface Node {
  readonly type: string;
  readonly [field: string]: unknown;
}

const FUNCTIONS = [
  "ArrowFunctionExpression",
  "FunctionDeclaration",
  "FunctionExpression",
  "ObjectMethod",
  "ClassMethod",
];

/** Counts the lines of a text, and those that are neither blank nor a comment. */
export function countLines(
  { path, text }: TreeFile,
): { all: number; code: number } {
  const blank = (comment: string) => comment.replace(/[^\n]/g, " ");
  let code = text;
  if (path.endsWith(".css")) code = text.replace(/\/\*[^]*?\*\//g, blank);
  if (/\.[tj]s$/.test(path)) {
    for (const { start, end } of parsed(text).comments ?? []) {
      code = code.slice(0, start!) + blank(code.slice(start!, end!)) +
        code.slice(end!);
    }
  }
  const isFilled = (line: string) => line.trim() !== "";
  return {
    all: text.split("\n").length - 1,
    code: code.split("\n").filter(isFilled).length,
  };
}

/** Lists what a module imports, each statement once: paths from the root, and names of packages. */
export function listImports({ path, text }: TreeFile): string[] {
  const imports: string[] = [];
  for (const { type, source, argument } of nodesIn(parsed(text).program)) {
    const isImport = /^(Import(Declaration|Expression)|Export.*|TSImportType)$/
      .test(type);
    const from = isImport && (source ?? argument) as Node | null;
    if (from && typeof from.value === "string") imports.push(from.value);
  }
  return imports.map((specifier) =>
    specifier.startsWith(".")
      ? new URL(specifier, `file:///${path}`).pathname.slice(1)
      : specifier
  );
}

/** Lists the names of all functions in a module, also of methods and of functions in functions. */
export function listFunctions({ text }: TreeFile): Set<string> {
  const names = new Set<string>();
  for (const node of nodesIn(parsed(text).program)) {
    const { type, id, key, init, value } = node;
    const isFunction = FUNCTIONS.includes(type) ||
      [init, value].some((held) =>
        FUNCTIONS.includes((held as Node | null)?.type ?? "")
      );
    const name = (id ?? key) as Node | null;
    if (isFunction && typeof name?.name === "string") names.add(name.name);
  }
  return names;
}

function parsed(text: string) {
  return parse(text, { sourceType: "module", plugins: ["typescript"] });
}

/** Yields a node and all nodes in it. */
function* nodesIn(value: unknown): Generator<Node> {
  if (value === null || typeof value !== "object") return;
  if ("type" in value && typeof value.type === "string") yield value as Node;
  for (const [name, held] of Object.entries(value)) {
    if (name !== "loc") yield* nodesIn(held);
  }
}
