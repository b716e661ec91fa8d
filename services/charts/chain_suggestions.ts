/** Chains that a mistyped text may mean. */
import type { ListedChain } from "./explorer_schema.ts";
import { maxOf } from "../platform/extremes.ts";

/** Maximum number of suggestions. */
const MAX_SUGGESTIONS = 6;

/** Names that share a smaller part of their letter pairs are too different. */
const MIN_SIMILARITY = 0.4;

/**
 * Lists the chains whose names are most similar to a text, the best first. The
 * measure is Dice's coefficient of letter pairs, of the name or of one of its
 * words (L. R. Dice, 1945, doi:10.2307/1932409).
 */
export function suggestChains(
  text: string,
  chains: readonly ListedChain[],
): ListedChain[] {
  const wanted = text.trim().toLowerCase();
  if (wanted === "") return [];
  return chains
    .map((chain) => ({ chain, score: similarity(wanted, chain) }))
    .filter(({ score }) => score >= MIN_SIMILARITY)
    .sort((a, b) => b.score - a.score || a.chain.chainId - b.chain.chainId)
    .slice(0, MAX_SUGGESTIONS)
    .map(({ chain }) => chain);
}

/**
 * Finds the one chain that a word in a path names: its name, or the first word of it,
 * in lower case with hyphens for spaces. Null if none or several have it.
 */
export function findByName(
  word: string,
  chains: readonly ListedChain[],
): ListedChain | null {
  const wanted = word.trim().toLowerCase();
  const named = chains.filter(({ chainName }) => {
    const words = chainName.toLowerCase().split(/[^\p{L}\p{N}]+/u);
    return words.join("-") === wanted || words[0] === wanted;
  });
  return named.length === 1 ? named[0]! : null;
}

function similarity(wanted: string, { chainId, chainName }: ListedChain) {
  const name = chainName.toLowerCase();
  if (name.includes(wanted) || String(chainId).startsWith(wanted)) return 1;
  return maxOf(
    [name, ...name.split(/\s+/)].map((part) => diceOf(wanted, part)),
  );
}

/** Returns twice the shared pairs divided by all pairs, from 0 to 1. */
function diceOf(a: string, b: string): number {
  const [ours, theirs] = [pairsOf(a), pairsOf(b)];
  const shared = ours.filter((pair) => theirs.includes(pair)).length;
  return Math.min(1, 2 * shared / (ours.length + theirs.length || 1));
}

/** Lists the pairs of adjacent letters; the edges count, so that beginnings weigh more. */
function pairsOf(text: string): string[] {
  const letters = [...` ${text} `];
  return letters.slice(1).map((letter, index) => letters[index]! + letter);
}
