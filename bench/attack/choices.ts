/** The parameters of an attacker's strategies, with their choices. */

/** The choices of each parameter, the cheapest first. */
export const CHOICES = {
  /** Days from the first transaction to now. */
  wait: [7, 30, 60, 90, 180, 270, 365, 550, 730, 1_095],
  /** Days with transactions, the newest ones; earlier months have one each. */
  days: [1, 3, 7, 15, 30, 45, 60, 90, 120, 180, 270, 365, 550],
  txsADay: [1, 2, 3, 4, 6, 9, 12],
  /** AVAX burned as gas beyond the transactions, spread over the newest days. */
  burn: [
    0,
    0.001,
    0.002,
    0.005,
    0.01,
    0.02,
    0.03,
    0.05,
    0.07,
    0.1,
    0.15,
    0.2,
    0.3,
    0.4,
    0.5,
    0.7,
    1,
    1.4,
    2,
    2.8,
    4,
    5.6,
    8,
    11,
    16,
    22,
  ],
  x: [0, 1],
  gitHub: [0, 1, 2, 3, 4],
  domain: [0, 1],
  farcaster: [0, 1],
  discord: [0, 1],
  telegram: [0, 1],
  email: [0, 1],
  premium: [0, 1, 2, 3, 4, 6, 9, 12],
  name: [0, 1],
  donated: [0, 10, 30, 60, 100, 250, 500, 1_000],
  /** Followers with full standing that the farm buys once and shares. */
  fleet: [
    0,
    2,
    5,
    10,
    20,
    50,
    100,
    200,
    500,
    1_000,
    2_000,
    5_000,
    10_000,
    15_000,
    20_000,
    30_000,
    50_000,
    200_000,
    500_000,
    1_000_000,
  ],
  /** Members follow each other, one way. */
  ring: [0, 1],
  /** Each wallet is funded by an exchange instead of by one wallet. */
  withdrawal: [0, 1],
  /** A bought wallet: none, aged, or dormant with gas spent in the old fee era. */
  bought: [0, 1, 2],
} as const satisfies Record<string, readonly number[]>;

/** A parameter of a strategy. */
export type Parameter = keyof typeof CHOICES;
/** The parameters of a strategy. */
export const PARAMETERS = Object.keys(CHOICES) as Parameter[];
/** A strategy: the index of the choice of each parameter. */
export type Strategy = Readonly<Record<Parameter, number>>;

/** Returns the strategy with these values; those of the other parameters are the lowest. */
export function strategyOf(
  values: Readonly<Partial<Record<Parameter, number>>>,
): Strategy {
  const indexes = PARAMETERS.map((parameter) => {
    const choices: readonly number[] = CHOICES[parameter];
    const index = choices.indexOf(values[parameter] ?? choices[0]!);
    if (index < 0) throw new RangeError(`No such choice of ${parameter}`);
    return [parameter, index];
  });
  return Object.fromEntries(indexes);
}

/** Returns the chosen value of a parameter. */
export function valueOf(strategy: Strategy, parameter: Parameter): number {
  return CHOICES[parameter][strategy[parameter]]!;
}
