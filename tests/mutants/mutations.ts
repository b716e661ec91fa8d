/** The mutations of a TypeScript source: small changes that a test should notice. */
import { parse } from "@babel/parser";
import type { Node } from "@babel/types";

export interface Mutation {
  readonly start: number;
  readonly end: number;
  readonly replacement: string;
  /** What the change is, such as "boundary" or "removed statement". */
  readonly kind: string;
  /** The line of the change, from 1. */
  readonly line: number;
}

const BOUNDARIES: Readonly<Record<string, string>> = {
  "<": "<=",
  "<=": "<",
  ">": ">=",
  ">=": ">",
};

const OPPOSITES: Readonly<Record<string, string>> = {
  "<": ">=",
  "<=": ">",
  ">": "<=",
  ">=": "<",
  "===": "!==",
  "!==": "===",
};

const ARITHMETIC: Readonly<Record<string, string>> = {
  "+": "-",
  "-": "+",
  "*": "/",
  "/": "*",
  "%": "*",
};

const CONNECTIVES: Readonly<Record<string, string>> = {
  "&&": "||",
  "||": "&&",
};

const METHODS: Readonly<Record<string, string>> = {
  min: "max",
  max: "min",
  some: "every",
  every: "some",
  floor: "ceil",
  ceil: "floor",
};

/** Calls whose arguments are documentation, so that a change to them changes no behaviour. */
const DOCUMENTATION = ["meta", "openapi", "describe"];

/** Nodes that hold types or names, not behaviour. */
const SKIPPED =
  /^(TS(?!AsExpression|SatisfiesExpression|NonNullExpression)|Import|Export(All|Named)Specifier|ExportAll)/;

const isNode = (value: unknown): value is Node =>
  typeof value === "object" && value !== null && "type" in value;

/** Whether `+` here joins text: one side is visibly text. */
function joinsText(node: Node): boolean {
  if (node.type === "StringLiteral" || node.type === "TemplateLiteral") {
    return true;
  }
  return node.type === "BinaryExpression" && node.operator === "+" &&
    (joinsText(node.left) || joinsText(node.right));
}

function isDocumentation(node: Node): boolean {
  return node.type === "CallExpression" &&
    node.callee.type === "MemberExpression" &&
    node.callee.property.type === "Identifier" &&
    DOCUMENTATION.includes(node.callee.property.name);
}

/** Returns every mutation of `source`, in the order of their places. */
export function listMutations(source: string): Mutation[] {
  const found: Mutation[] = [];
  const text = (node: Node) => source.slice(node.start!, node.end!);

  function add(kind: string, node: Node, replacement: string): void {
    found.push({
      start: node.start!,
      end: node.end!,
      replacement,
      kind,
      line: node.loc!.start.line,
    });
  }

  function addOperator(
    kind: string,
    left: Node,
    right: Node,
    operator: string,
    next: string | undefined,
  ): void {
    if (next === undefined) return;
    const start = source.indexOf(operator, left.end!);
    if (start === -1 || start > right.start!) return;
    const end = start + operator.length;
    const line = left.loc!.end.line;
    found.push({ start, end, replacement: next, kind, line });
  }

  function mutate(node: Node): void {
    switch (node.type) {
      case "BinaryExpression": {
        const { left, right, operator } = node;
        if (operator === "+" && joinsText(node)) return;
        for (
          const [kind, table] of [
            ["boundary", BOUNDARIES],
            ["comparison", OPPOSITES],
            ["arithmetic", ARITHMETIC],
          ] as const
        ) addOperator(kind, left, right, operator, table[operator]);
        return;
      }
      case "LogicalExpression": {
        const { left, right, operator } = node;
        if (operator === "??") return add("no fallback", node, text(left));
        addOperator("connective", left, right, operator, CONNECTIVES[operator]);
        return;
      }
      case "UnaryExpression":
        if (node.operator === "!") add("negation", node, text(node.argument));
        return;
      case "ConditionalExpression":
        return add("condition", node.test, `!(${text(node.test)})`);
      case "IfStatement":
        add("condition", node.test, `!(${text(node.test)})`);
        if (node.alternate) add("removed else", node.alternate, "{}");
        return add("removed branch", node.consequent, "{}");
      case "BooleanLiteral":
        return add("boolean", node, String(!node.value));
      case "NumericLiteral":
        add("constant +1", node, String(node.value + 1));
        if (node.value !== 0) {
          add("constant ×10", node, String(node.value * 10));
        }
        return;
      case "BigIntLiteral":
        add("constant +1", node, `${BigInt(node.value) + 1n}n`);
        if (BigInt(node.value) !== 0n) {
          add("constant ×10", node, `${BigInt(node.value) * 10n}n`);
        }
        return;
      case "ExpressionStatement":
        return add("removed statement", node, ";");
      case "MemberExpression": {
        const { property, computed } = node;
        if (computed || property.type !== "Identifier") return;
        const { name } = property;
        // Every object has a `toString`.
        if (Object.hasOwn(METHODS, name)) {
          add("method", property, METHODS[name]!);
        }
        return;
      }
    }
  }

  function walk(node: Node): void {
    if (SKIPPED.test(node.type)) return;
    mutate(node);
    const children = isDocumentation(node) && node.type === "CallExpression"
      ? [node.callee]
      : Object.entries(node)
        .filter(([name]) => !/^(loc|.*[cC]omments|extra|tokens)$/.test(name))
        .flatMap(([, value]) => value as unknown);
    for (const child of children) if (isNode(child)) walk(child);
  }

  const { program } = parse(source, {
    sourceType: "module",
    plugins: ["typescript"],
  });
  walk(program);
  return found.sort((one, other) =>
    one.start - other.start || one.end - other.end
  );
}

/** Returns `source` with one mutation applied. */
export function applyMutation(source: string, mutation: Mutation): string {
  const { start, end, replacement } = mutation;
  return source.slice(0, start) + replacement + source.slice(end);
}

/** Returns the changed text as one line: "before → after". */
export function showMutation(source: string, mutation: Mutation): string {
  const { start, end, replacement } = mutation;
  const lineStart = source.lastIndexOf("\n", start) + 1;
  const lineEnd = source.indexOf("\n", start);
  const line = source.slice(lineStart, lineEnd === -1 ? undefined : lineEnd);
  const before = source.slice(start, end).replaceAll(/\s+/g, " ");
  const shorten = (part: string) =>
    part.length > 60 ? `${part.slice(0, 57)}...` : part;
  return `${shorten(before)} → ${
    shorten(replacement.replaceAll(/\s+/g, " "))
  }   in: ${shorten(line.trim())}`;
}
