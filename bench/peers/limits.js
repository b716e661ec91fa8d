/** What the peers do about limits: a burst a key and a period a wallet, both raised so that nothing is refused. */

export const BURST_S = 60;
export const PERIOD_S = 30 * 86_400;

/** A counter costs the same whatever its limit is. */
export const LIMIT = 1_500_000;

const POLICY =
  `"period";q=${LIMIT};w=${PERIOD_S}, "burst";q=${LIMIT};w=${BURST_S}`;

/** Spends one request by both limiters; returns the headers that say how they stand. */
export async function spend({ burst, period }, { id, wallet }) {
  const perKey = await burst.consume(id);
  const perWallet = await period.consume(wallet).catch(async (refusal) => {
    // A refusal charges nothing, so what the burst has counted is given back.
    await burst.reward(id);
    throw refusal;
  });
  const resetAt = new Date(Date.now() + perWallet.msBeforeNext).toISOString();
  return {
    "x-ratelimit-limit": LIMIT,
    "x-ratelimit-remaining": perWallet.remainingPoints,
    "x-ratelimit-reset": resetAt,
    "ratelimit-policy": POLICY,
    "ratelimit": `"period";${standing(perWallet)}, "burst";${standing(perKey)}`,
  };
}

function standing({ remainingPoints, msBeforeNext }) {
  return `r=${remainingPoints};t=${Math.ceil(msBeforeNext / 1_000)}`;
}
