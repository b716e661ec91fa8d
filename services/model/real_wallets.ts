/** How scores stand among real wallets: figures of `deno task evaluate`, see the model card. */

/** Composite below which these percentages of honest wallets with ten or more own transactions stand. */
export const REAL_WALLETS: readonly (readonly [
  percent: number,
  composite: number,
])[] = [
  [5, 4.43],
  [10, 5.51],
  [20, 7.68],
  [30, 9.65],
  [40, 12.03],
  [50, 14.16],
  [60, 16.21],
  [70, 18.29],
  [80, 21.77],
  [90, 28.12],
  [95, 33.58],
  [99, 45.4],
];

/** Returns the percentage of such wallets that a composite is higher than; 0 for the lowest twentieth. */
export function percentBelow(composite: number): number {
  return REAL_WALLETS.findLast(([, least]) => composite >= least)?.[0] ?? 0;
}
