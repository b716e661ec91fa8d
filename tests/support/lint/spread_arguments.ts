/**
 * Lint rule of the product: no list of unknown length is spread into the arguments
 * of a call. Each argument takes room on the stack, so a list whose length strangers
 * choose ends the call with a RangeError. A bound that the code does not show is
 * said in the directive: `// deno-lint-ignore firn/spread-arguments -- at most ten`.
 */

type Node = Deno.lint.Node;
type Call = Deno.lint.CallExpression | Deno.lint.NewExpression;

/** Files beside the product. */
const OUTSIDE = /\/(?:tests|bench|links)\//;

/** Methods that return no more than the list that they are called on. */
const NO_LONGER = ["map", "filter", "keys", "values", "entries", "toSorted"];

/** Methods of the DOM: a page lists what one answer of the service holds. */
const OF_PAGES = ["append", "replaceChildren"];

const CONSTANT = /^[A-Z][A-Z0-9_]*$/;

/** Returns whether the code itself shows that a list is short. */
function isShort(list: Node): boolean {
  switch (list.type) {
    case "ArrayExpression":
      return list.elements.every((element) =>
        element?.type !== "SpreadElement" || isShort(element.argument)
      );
    case "ConditionalExpression":
      return isShort(list.consequent) && isShort(list.alternate);
    case "TSAsExpression":
      return isShort(list.expression);
    case "Identifier":
      return CONSTANT.test(list.name) || isRestOfCaller(list);
    case "CallExpression": {
      const { callee, arguments: [first] } = list;
      if (callee.type !== "MemberExpression") return false;
      const { object, property } = callee;
      const isNoLonger = property.type === "Identifier" &&
        NO_LONGER.includes(property.name);
      const isOfObject = object.type === "Identifier" &&
        object.name === "Object";
      return isNoLonger &&
        (isOfObject ? first !== undefined && isShort(first) : isShort(object));
    }
    default:
      return false;
  }
}

/** Returns whether a name is the rest parameter of a function around it: its caller has spread it already. */
function isRestOfCaller({ name, parent }: Deno.lint.Identifier): boolean {
  for (let node: Node | undefined = parent; node; node = parentOf(node)) {
    if (!("params" in node) || !Array.isArray(node.params)) continue;
    const rest = node.params.at(-1) as Node | undefined;
    if (
      rest?.type === "RestElement" && rest.argument.type === "Identifier" &&
      rest.argument.name === name
    ) return true;
  }
  return false;
}

function parentOf(node: Node): Node | undefined {
  return "parent" in node ? node.parent as Node | undefined : undefined;
}

const plugin: Deno.lint.Plugin = {
  name: "firn",
  rules: {
    "spread-arguments": {
      create(context) {
        if (OUTSIDE.test(context.filename)) return {};
        const check = (call: Call) => {
          const { callee } = call;
          const method = callee.type === "MemberExpression" &&
            callee.property.type === "Identifier" && callee.property.name;
          if (method && OF_PAGES.includes(method)) return;
          for (const argument of call.arguments) {
            if (argument.type !== "SpreadElement") continue;
            if (isShort(argument.argument)) continue;
            context.report({
              node: argument,
              message: "A list of unknown length is spread into arguments",
              hint:
                "Loop over it, or use maxOf() and minOf(); if it is bounded, say how in the ignore directive",
            });
          }
        };
        return { CallExpression: check, NewExpression: check };
      },
    },
  },
};
export default plugin;
