/** The limits of the peers: a burst per key and a period per wallet. */

export const BURST_S = 60;
export const PERIOD_S = 30 * 86_400;

/** So high that no request is refused. The cost of a counter does not depend on its limit. */
export const LIMIT = 1_500_000;

const POLICY =
  `"period";q=${LIMIT};w=${PERIOD_S}, "burst";q=${LIMIT};w=${BURST_S}`;

/** Counts a request in both limiters and returns the rate limit headers. */
export async function spend({ burst, period }, { id, wallet }) {
  const perKey = await burst.consume(id);
  const perWallet = await period.consume(wallet).catch(async (refusal) => {
    // A refused request costs nothing: refund the burst.
    await burst.reward(id);
    throw refusal;
  });
  const resetAt = new Date(Date.now() + perWallet.msBeforeNext).toISOString();
  return {
    "x-ratelimit-limit": LIMIT,
    "x-ratelimit-remaining": perWallet.remainingPoints,
    "x-ratelimit-reset": resetAt,
    "ratelimit-policy": POLICY,
    "ratelimit": `"period";${remaining(perWallet)}, "burst";${remaining(perKey)}`,
  };
}

function remaining({ remainingPoints, msBeforeNext }) {
  return `r=${remainingPoints};t=${Math.ceil(msBeforeNext / 1_000)}`;
}
