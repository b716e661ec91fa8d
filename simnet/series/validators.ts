/** The validator set of a day. Its totals match the staking series. */
import { DAY_SECONDS } from "./days.ts";
import { base58, hash32, hexBytes, vary } from "./noise.ts";
import { type StakingMetric, stakingOn } from "./staking.ts";

/** A validator as the P-Chain describes it. Every number is a string. */
export interface Validator {
  /** The id of the node. */
  readonly nodeID: string;
  /** Own stake in nAVAX. */
  readonly weight: string;
  /** The older name of `weight`. */
  readonly stakeAmount: string;
  /** Number of delegators. */
  readonly delegatorCount: string;
  /** Delegated stake in nAVAX. */
  readonly delegatorWeight: string;
  /** All other fields. */
  readonly [field: string]: unknown;
}

/** Largest difference between the set's totals and the staking series of the same day. */
const SNAPSHOT_SPREAD = 0.001;

/** Lists the validators of a day. */
export function listValidators(day: number): Validator[] {
  const count = Number(total("validatorCount", day));
  const shares = Array.from(
    { length: count },
    (_, index) => BigInt((100 + hash32("stake", index) % 900) ** 2),
  );
  const weights = distribute(total("validatorWeight", day), shares);
  const delegators = distribute(total("delegatorCount", day), shares);
  const delegated = distribute(total("delegatorWeight", day), shares);
  return shares.map((_, index) =>
    describe(index, day, {
      weight: `${weights[index]}`,
      delegatorCount: `${delegators[index]}`,
      delegatorWeight: `${delegated[index]}`,
    })
  );
}

function total(metric: StakingMetric, day: number): bigint {
  const deviation = vary(`snapshot/${metric}`, day, SNAPSHOT_SPREAD);
  return BigInt(Math.round(stakingOn(metric, day) * deviation));
}

/** Divides a total by shares. The first part gets the remainder. */
function distribute(total: bigint, shares: readonly bigint[]): bigint[] {
  const whole = shares.reduce((sum, share) => sum + share, 0n);
  const parts = shares.map((share) => total * share / whole);
  const given = parts.reduce((sum, part) => sum + part, 0n);
  return parts.map((part, index) => index === 0 ? part + total - given : part);
}

function describe(
  index: number,
  day: number,
  stake: Pick<Validator, "weight" | "delegatorCount" | "delegatorWeight">,
): Validator {
  const draw = (name: string, range: number) => hash32(name, index) % range;
  const startTime = day * DAY_SECONDS - draw("start", 180 * DAY_SECONDS);
  const endTime = day * DAY_SECONDS + 14 * DAY_SECONDS +
    draw("end", 300 * DAY_SECONDS);
  return {
    txID: base58("stake transaction", index, 50),
    startTime: `${startTime}`,
    endTime: `${endTime}`,
    stakeAmount: stake.weight,
    nodeID: `NodeID-${base58("node", index, 33)}`,
    validationRewardOwner: owner("validation", index),
    delegationRewardOwner: owner("delegation", index),
    potentialReward: `${BigInt(stake.weight) / 25n}`,
    accruedDelegateeReward: `${BigInt(stake.delegatorWeight) / 900n}`,
    delegationFee: `${2 + draw("fee", 19)}.0000`,
    uptime: `${80 + draw("uptime", 20)}.${draw("uptime part", 10)}`,
    connected: draw("connected", 50) > 0,
    signer: {
      publicKey: `0x${hexBytes("public key", index, 48)}`,
      proofOfPossession: `0x${hexBytes("possession", index, 96)}`,
    },
    autoRenewOwner: owner("renewal", index),
    autoRenewPeriod: `${14 * DAY_SECONDS}`,
    ...stake,
  };
}

function owner(role: string, index: number): unknown {
  return {
    locktime: "0",
    threshold: "1",
    addresses: [`P-avax1${hexBytes(role, index, 19)}`],
  };
}
