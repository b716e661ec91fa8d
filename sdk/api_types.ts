/** The types of answers, bodies and queries, written from the OpenAPI document by `deno task sdk-types`. */

/** `message` of `SignedAttestation`. */
export interface Attestation {
  /** The scored address. */
  readonly subject: string;
  /** The headline score, 0 to 100. */
  readonly score: string;
  /** The humanity dimension, 0 to 100, rounded to a whole number. */
  readonly humanity: string;
  /** Index of the headline tier, from 0 (starter) to 5 (legendary). */
  readonly tier: number;
  /** Whether the subject has a Verified Human number and the accounts that it requires are linked. */
  readonly verifiedHuman: boolean;
  /** Unix time of signing, in seconds. */
  readonly issuedAt: string;
  /** Unix time of expiry, in seconds. */
  readonly expiresAt: string;
  /** Unique number; later attestations of a subject have larger ones. */
  readonly nonce: string;
}

/** `domain` of `SignedAttestation`. */
export interface AttestationDomain {
  /** Name of the EIP-712 domain. */
  readonly name: "Firn Score";
  /** Version of the EIP-712 domain. */
  readonly version: "1";
  /** EVM chain id of the contract. */
  readonly chainId: number;
  /** The contract that verifies attestations on chain. */
  readonly verifyingContract: string;
}

/** Answer of `GET /.well-known/score-attestation.json`: Show the signers of attestations, and the signed type. */
export interface AttestationInfo {
  /** Whether this deployment signs attestations. */
  readonly enabled: boolean;
  /** Address of the active signer; null if nothing is signed. */
  readonly signer: string | null;
  /** The contract that verifies attestations on chain; null without one. */
  readonly contract: string | null;
  /** EVM chain id of the contract. */
  readonly chainId: number;
  /** The EIP-712 domain; null if nothing is signed. */
  readonly domain: AttestationDomain | null;
  /** See {@linkcode AttestationTypes}. */
  readonly types: AttestationTypes;
  /** All current and former signers. */
  readonly signers: readonly {
    /** Address of the signer. */
    readonly address: string;
    /** active: signs; retiring: signs no more, its attestations stay valid; revoked: reject its attestations. */
    readonly status: "active" | "retiring" | "revoked";
  }[];
}

/** `types` of `SignedAttestation`. */
export interface AttestationTypes {
  /** Fields of the signed message, in order. */
  readonly ScoreAttestation: readonly {
    /** Name of the field. */
    readonly name: string;
    /** Solidity type of the field. */
    readonly type: string;
  }[];
}

/** Answer of `POST /api/v1/score/batch`: Read the scores of 1 to 50 addresses from stored signals. */
export interface Batch {
  /** Number of results. */
  readonly count: number;
  /** One item per address, in the order of the request. */
  readonly results: readonly BatchItem[];
  /** When the score was computed. */
  readonly fetchedAt: string;
  /** Version of the scoring model; compare only scores of one version. The SHA-256 of the tables of s4-2026.3 is 31533bc4a052c4b202e1be7612a755c6fd3e43d062db4bfc0c27415a8b3382c3; that of the model in use is `models.tables` of `/api/v1`. */
  readonly model: string;
}

/** Body of `POST /api/v1/score/batch`. */
export interface BatchBody {
  /** The addresses to score; repeated addresses are allowed. */
  readonly addresses: readonly string[];
}

/** `results` of `Batch`: One item per address, in the order of the request. */
export interface BatchItem {
  /** A C-Chain address, lower-case. */
  readonly address: string;
  /** The score to display; null if the address was never scored. */
  readonly headline: {
    /** The composite score, rounded to a whole number. */
    readonly score: number;
    /** Tier of the headline score; the values are listed lowest first. */
    readonly tier:
      | "starter"
      | "newcomer"
      | "rising"
      | "established"
      | "elite"
      | "legendary";
    /** Display label of the tier. */
    readonly tierLabel: string;
    /** Method that the headline score is computed with. */
    readonly model: string;
  } | null;
  /** The headline score. */
  readonly score: number;
  /** Tier of the headline score; the values are listed lowest first. */
  readonly tier:
    | "starter"
    | "newcomer"
    | "rising"
    | "established"
    | "elite"
    | "legendary";
  /** Display label of the tier. */
  readonly tierLabel: string;
  /** See {@linkcode ScoreVector}. */
  readonly s4: ScoreVector;
  /** See {@linkcode GraphFindings}. */
  readonly graph: GraphFindings;
  /** Permanent Verified Human number; null without one. The reason VERIFIED_HUMAN_LAPSED says that the evidence it requires does not stand now. */
  readonly verifiedHuman: number | null;
  /** What the evidence that counts would cost to copy; null if the address was never scored. */
  readonly costToFake: {
    /** US dollars for each wallet of a farm of `of` wallets. */
    readonly usd: number;
    /** Wallets of the farm. */
    readonly of: number;
    /** US dollars for one wallet alone. */
    readonly alone: number;
    /** Days that a copy takes at least. Nothing buys them but a wallet that was used. */
    readonly days: number;
    /** Month of the prices, `YYYY-MM`; they are part of the model. */
    readonly asOf: string;
  } | null;
  /** fresh: the signals are current. stale: they are older than a day, or older than five minutes if a part of them was missing. none: the address was never scored, so its score and its dimensions are 0. */
  readonly signals: "fresh" | "stale" | "none";
  /** The score by the announced model; absent while no model is announced. `next` of `/api/v1` says from when it is used. */
  readonly next?: {
    /** Id of the announced model. */
    readonly model: string;
    /** See {@linkcode Headline}. */
    readonly headline: Headline;
  } | undefined;
}

/** `calls` of `BlockSample`: Calls to any node that verify the sample: the last block before the day, its first and last block, and the first block after it. */
export interface BlockCall {
  /** JSON-RPC method. */
  readonly method: "eth_getBlockByNumber";
  /** Its parameters. */
  readonly params: readonly [
    string,
    false,
  ];
  /** What the timestamp of the block proves. */
  readonly expected: string;
}

/** Answer of `GET /api/chain-data/block-production`: Read C-Chain blocks a day and the mean block time over a trailing window. */
export interface BlockProduction {
  /** Name of the chain. */
  readonly chainName: string;
  /** Unit of the values. */
  readonly unit: string;
  /** Symbol of the chain's native token. */
  readonly token: string;
  /** The requested range; null if from or to was given. */
  readonly range: "30d" | "90d" | "1y" | "all" | null;
  /** First requested day: from, or the first day of the range; the bucket that contains it is not cut. */
  readonly from: string;
  /** Last requested day: to, or today; the bucket that contains it is not cut. */
  readonly to: string;
  /** Days that the mean block time covers, ending with the day. */
  readonly window: number;
  /** One item per bucket, oldest first. */
  readonly series: readonly {
    /** A UTC day, YYYY-MM-DD. */
    readonly day: string;
    /** Blocks of the day, by the explorer index. */
    readonly blocks: number;
    /** Mean block time over the window; null if a day of the window is missing. */
    readonly meanBlockTimeSeconds: number | null;
    /** False while days of the bucket are still growing, or missing for less than 30 days. */
    readonly complete: boolean;
    /** Days of the bucket that the source has had no value for since 30 days, so they are no longer waited for; absent if there are none. */
    readonly missingDays?: readonly string[] | undefined;
    /** Present if our source has withdrawn a day of the bucket; the day keeps its last value until three reads agree. */
    readonly disputed?: "withdrawn" | undefined;
    /** When the service last saw a new value of a complete day of the bucket; absent if none was revised. */
    readonly revisedAt?: string | undefined;
  }[];
  /** Days whose blocks were also counted by the C-Chain RPC. */
  readonly samples: readonly BlockSample[];
  /** Whether the last item of the series is complete. */
  readonly lastPeriodComplete: boolean;
  /** Days that the source has no value for; they are never filled. */
  readonly gaps: readonly Gap[];
  /** Newest complete day of the whole series; null without one. */
  readonly dataThrough: string | null;
  /** When the data were read from the source. */
  readonly fetchedAt: string;
  /** When the source was last known to have published no newer day. */
  readonly confirmedAt: string;
  /** Source that the values were read from. */
  readonly source: string;
  /** See {@linkcode Checks}. */
  readonly checks: Checks;
  /** Agreement over the last 90 compared days in percent, whatever days are requested; null if no day was compared. */
  readonly recentAgreementPct: number | null;
  /** Returned days on which the sources disagree. */
  readonly disputedDayCount: number;
  /** The instant of asOf; absent without it. With asOf, both fetchedAt and confirmedAt are the time of the last change of the data before that instant. */
  readonly asOf?: string | undefined;
  /** Hours since the blocks were read from the explorer index, which a job does once a day. */
  readonly lagHours: number;
}

/** `samples` of `BlockProduction`: Days whose blocks were also counted by the C-Chain RPC. */
export interface BlockSample {
  /** A UTC day, YYYY-MM-DD. */
  readonly day: string;
  /** Number of the day's first block. */
  readonly firstBlock: number;
  /** When the day's first block was produced. */
  readonly firstBlockTimestamp: string;
  /** Number of the block before it; null if the day has the chain's first block. */
  readonly previousBlock: number | null;
  /** When that block was produced. */
  readonly previousBlockTimestamp: string | null;
  /** Number of the next day's first block. */
  readonly nextDayFirstBlock: number;
  /** Blocks of the day, counted by the C-Chain RPC. */
  readonly rpcBlocks: number;
  /** Blocks of the day by the explorer index; null if it has no value. */
  readonly blocks: number | null;
  /** Whether the difference is within the tolerance; null if not compared. */
  readonly agrees: boolean | null;
  /** Calls to any node that verify the sample: the last block before the day, its first and last block, and the first block after it. */
  readonly calls: readonly BlockCall[];
}

/** `breakdown` of `ScoreRead`. */
export interface Breakdown {
  /** Points for the age of the wallet and its months of use, less what a risk of its origin takes. */
  readonly walletAge: number;
  /** Points for verified social accounts. */
  readonly verifiedSocials: number;
  /** Points for proofs of a unique human. */
  readonly humanProofs: number;
  /** Points for transactions sent, and days of use. */
  readonly txActivity: number;
  /** Points for followers, less what anomaly flags take. */
  readonly followers: number;
  /** Points for gas used. */
  readonly gasSpent: number;
  /** Points for premium membership. */
  readonly premium: number;
  /** Points for a paid slug. */
  readonly paidSlug: number;
  /** Points for donations. */
  readonly donations: number;
  /** Sum of all points; equals s4.composite. */
  readonly total: number;
}

/** `chainChecks` of `Quality`: How each metric of each chain compares with the explorer index, for all that it was asked for. */
export interface ChainCheck {
  /** EVM chain id. */
  readonly chainId: number;
  /** Name of the chain. */
  readonly chainName: string;
  /** Name of the metric. */
  readonly metric: "txCount" | "activeAddresses" | "feesPaid";
  /** Whether the series is compared with a second source. */
  readonly compared: boolean;
  /** Why it is not; null if it is compared. noSecondSource: only one source publishes this series; notRead: the second source was not read yet; notIndexed: the second source has nothing but zeroes, or no day of the chain; tooFewDays: the second source has fewer than 7 days of the chain; countedDifferently: the sources differ on most days, so they count something else. */
  readonly reason:
    | "noSecondSource"
    | "notRead"
    | "notIndexed"
    | "tooFewDays"
    | "countedDifferently"
    | null;
  /** The second source, which the values are compared with. */
  readonly crossCheckSource: string;
  /** Newest compared day; null if no day was compared. */
  readonly checkedThrough: string | null;
  /** Compared days: those that are complete in both sources and covered by the second. */
  readonly comparedDayCount: number;
  /** Days on which the second source has zero beside traffic, or before its first value: neither agreement nor dispute. */
  readonly notCoveredDayCount: number;
  /** Compared days on which both sources agree, in percent; null if no day was compared. */
  readonly agreementPct: number | null;
  /** Agreement over the last 90 compared days in percent, whatever days are requested; null if no day was compared. */
  readonly recentAgreementPct: number | null;
  /** Days on which the sources disagree. */
  readonly openDisputeCount: number;
}

/** `chainCheckTotals` of `Quality`: The same by metric, over all chains. */
export interface ChainCheckTotals {
  /** Name of the metric. */
  readonly metric: "txCount" | "activeAddresses" | "feesPaid";
  /** Chains that are compared. */
  readonly comparedChainCount: number;
  /** Compared days of all chains. */
  readonly comparedDayCount: number;
  /** Compared days on which the sources agree. */
  readonly agreeingDayCount: number;
  /** Compared days on which the sources disagree. */
  readonly disputedDayCount: number;
  /** Days on which the second source has zero beside traffic, or before its first value. */
  readonly notCoveredDayCount: number;
}

/** Answer of `GET /api/chain-data`: Describe this API: metrics, endpoints, sources and rules. */
export interface ChainData {
  /** The metrics that /metrics serves. */
  readonly metrics: readonly {
    /** Name of the metric. */
    readonly metric:
      | "txCount"
      | "activeAddresses"
      | "activeSenders"
      | "feesPaid"
      | "gasUsed"
      | "avgTps"
      | "maxTps"
      | "avgGps"
      | "maxGps"
      | "cumulativeTxCount"
      | "cumulativeAddresses"
      | "cumulativeContracts"
      | "cumulativeDeployers"
      | "avgGasPrice"
      | "maxGasPrice"
      | "newAddresses"
      | "newContracts"
      | "newDeployers";
    /** Definition of the metric. */
    readonly meaning: string;
    /** Unit of the values; avax stands for the native token of the chain queried. */
    readonly unit: string;
    /** Whether a value covers its own day or is the running total up to that day. */
    readonly kind: "per day" | "running total";
    /** How the days of a week or month become one value. */
    readonly aggregation: "sum" | "mean" | "max" | "last";
    /** Whether the values of several days may be added up. */
    readonly summable: boolean;
    /** The running total whose daily growth it is; absent for a metric that the source publishes. */
    readonly derivedFrom?:
      | "txCount"
      | "activeAddresses"
      | "activeSenders"
      | "feesPaid"
      | "gasUsed"
      | "avgTps"
      | "maxTps"
      | "avgGps"
      | "maxGps"
      | "cumulativeTxCount"
      | "cumulativeAddresses"
      | "cumulativeContracts"
      | "cumulativeDeployers"
      | "avgGasPrice"
      | "maxGasPrice"
      | "newAddresses"
      | "newContracts"
      | "newDeployers"
      | undefined;
  }[];
  /** The endpoints of the chain data API. */
  readonly endpoints: readonly {
    /** Path below /api/chain-data. */
    readonly path: string;
    /** What the endpoint returns. */
    readonly answers: string;
  }[];
  /** Accepted values of each parameter. */
  readonly parameters: {
    /** Further fields. */
    readonly [key: string]: readonly string[];
  };
  /** The sources that data are read from. */
  readonly sources: readonly {
    /** Name of the source. */
    readonly name: string;
    /** Origin of the source. */
    readonly url: string;
  }[];
  /** Rate limits. */
  readonly limits: {
    /** Requests that one network may make per minute, also all at once. */
    readonly requestsPerMinute: number;
  };
  /** How series are built and how to read them. */
  readonly rules: readonly string[];
}

/** `chainDoubts` of `Quality`: Entries of the chain list that claim the id of another chain, and chains that were renamed within 30 days. */
export interface ChainDoubt {
  /** claimed: another blockchain is listed with the id of this chain, which keeps its name and token. renamed: the chain had this name before. */
  readonly kind: "claimed" | "renamed";
  /** EVM chain id. */
  readonly chainId: number;
  /** Name of the chain. */
  readonly chainName: string;
  /** Id on the P-Chain. */
  readonly blockchainId: string;
  /** When a list first showed it. */
  readonly foundAt: string;
}

/** `chains` of `Quality`: The result of checking the identities, per chain. */
export interface ChainQuality {
  /** EVM chain id. */
  readonly chainId: number;
  /** Name of the chain. */
  readonly chainName: string;
  /** Checked days, counted once per identity, without incomplete and absent days; 0 if nothing is stored. */
  readonly checkedDayCount: number;
  /** Failing days, counted once per identity. */
  readonly failingDayCount: number;
  /** The newest 100 failing days, newest first; failingDayCount counts all. */
  readonly failingDays: readonly IdentityFailure[];
}

/** Answer of `GET /api/chain-data/chains`: List the tracked mainnet chains. */
export interface Chains {
  /** Number of tracked chains. */
  readonly count: number;
  /** The tracked mainnet chains, ordered by chainId. */
  readonly chains: readonly CoveredChain[];
  /** Mainnet chains that the public list of ava-labs/builders-hub named as active on 2026-08-20, and the source does not list. */
  readonly untracked: readonly UntrackedChain[];
  /** When the data were read from the source. */
  readonly fetchedAt: string;
  /** Source that the list was read from. */
  readonly source: string;
}

/** `checks` of `Quality`: How well the two sources of each checked series agree. */
export interface CheckQuality {
  /** Name of the checked series. */
  readonly series: "transactions" | "fees" | "blocks" | "stake";
  /** Source that the values were read from. */
  readonly source: string;
  /** The second source, which the values are compared with. */
  readonly crossCheckSource: string;
  /** Newest compared day; null if no day was compared. */
  readonly checkedThrough: string | null;
  /** Compared days: those that are complete in both sources. */
  readonly comparedDayCount: number;
  /** Compared days on which both sources agree, in percent; null if no day was compared. */
  readonly agreementPct: number | null;
  /** Agreement over the last 90 compared days in percent, whatever days are requested; null if no day was compared. */
  readonly recentAgreementPct: number | null;
  /** Days on which the sources disagree. */
  readonly openDisputeCount: number;
}

/** `checks` of `MonthlyTransactions`. */
export interface Checks {
  /** The second source. */
  readonly source: string;
  /** When the second source was last read; null if never. */
  readonly fetchedAt: string | null;
  /** Accepted difference between the sources, in percent. */
  readonly tolerancePct: {
    /** Accepted difference of a day. */
    readonly day: number;
    /** Accepted difference of a month. */
    readonly month: number;
  };
  /** Newest compared day; null if no day was compared. */
  readonly checkedThrough: string | null;
  /** Compared days: those that are complete in both sources. */
  readonly comparedDayCount: number;
  /** Days that are incomplete or absent in one of the sources. */
  readonly notComparedDayCount: number;
  /** Compared days on which both sources agree, in percent; null if no day was compared. */
  readonly agreementPct: number | null;
  /** Days on which the sources disagree, with both values. */
  readonly disputedDays: readonly DisputedDay[];
  /** Days that the second source dropped; their last values are compared until three reads agree that they are gone. */
  readonly withdrawnDays: readonly Gap[];
}

/** `costToFake` of `ScoreRead`. */
export interface CostToFake {
  /** US dollars for each wallet of a farm of `of` wallets. */
  readonly usd: number;
  /** Wallets of the farm. */
  readonly of: number;
  /** US dollars for one wallet alone. */
  readonly alone: number;
  /** Days that a copy takes at least. Nothing buys them but a wallet that was used. */
  readonly days: number;
  /** Month of the prices, `YYYY-MM`; they are part of the model. */
  readonly asOf: string;
}

/** `coverage` of `CoveredChain`. */
export interface Coverage {
  /** What the source has of the chain. stopped: the source publishes no traffic since then, neither days nor more than zeroes, though the second source or the chain's own node has some; notIndexed: the source has no traffic of the chain, though the second source or the chain's own node has some, or a public list names the chain as active and the source does not list it; late: the source has not published the newest day of the chain yet; served: the source has the newest published day, or the chain is idle; unread: the chain, or the C-Chain, which shows what is published, was not read yet. */
  readonly state: "stopped" | "notIndexed" | "late" | "served" | "unread";
  /** Why it is not served; null if it is. */
  readonly reason: string | null;
  /** The first day that is missing; null if none is known. */
  readonly since: string | null;
}

/** `chains` of `Chains`: The tracked mainnet chains, ordered by chainId. */
export interface CoveredChain {
  /** EVM chain id. */
  readonly chainId: number;
  /** Name of the chain. */
  readonly chainName: string;
  /** Symbol of the chain's native token; null if unknown. */
  readonly token: string | null;
  /** Id of the blockchain on the P-Chain. */
  readonly blockchainId: string;
  /** Id of the chain's subnet on the P-Chain. */
  readonly subnetId: string;
  /** See {@linkcode Coverage}. */
  readonly coverage: Coverage;
  /** How well its transactions are backed. agree: a second, independent source has the same figure, within the tolerance; differ: both figures are published with their difference: such a day is disputed; oneSource: nobody else publishes the figure, or the second source was not read yet; gap: the source has no figure of the day; it is never filled; notIndexed: the second source does not read this chain. */
  readonly proof: "agree" | "differ" | "oneSource" | "gap" | "notIndexed";
  /** Compared days on which both sources agree, in percent; null if no day was compared. */
  readonly agreementPct: number | null;
}

/** `disputes` of `Disputes`: Open disputes, newest day first. */
export interface Dispute {
  /** Name of the checked series of the C-Chain, or the metric of the chain. */
  readonly series:
    | "transactions"
    | "fees"
    | "blocks"
    | "stake"
    | "txCount"
    | "activeAddresses"
    | "feesPaid";
  /** EVM chain id. */
  readonly chainId: number;
  /** Name of the chain. */
  readonly chainName: string;
  /** Symbol of the chain's native token; null if unknown. */
  readonly token: string | null;
  /** A UTC day, YYYY-MM-DD. */
  readonly day: string;
  /** Value of our source. */
  readonly value: number;
  /** Value of the second source. */
  readonly crossCheckValue: number;
  /** Second source minus ours, in percent of ours; null if not compared. */
  readonly differencePct: number | null;
  /** When the service first found that the sources disagree. */
  readonly foundAt: string;
  /** Unit of both values; avax stands for the chain's native token, which token names. */
  readonly unit: string;
  /** Accepted difference of a day, in percent. */
  readonly tolerancePct: number;
  /** Source that the values were read from. */
  readonly source: string;
  /** The second source, which the values are compared with. */
  readonly crossCheckSource: string;
}

/** `disputedDays` of `Checks`: Days on which the sources disagree, with both values. */
export interface DisputedDay {
  /** A UTC day, YYYY-MM-DD. */
  readonly day: string;
  /** Value of our source. */
  readonly value: number;
  /** Value of the second source. */
  readonly crossCheckValue: number;
  /** Second source minus ours, in percent of ours; null if not compared. */
  readonly differencePct: number | null;
}

/** Answer of `GET /api/chain-data/disputes`: List every day on which two sources disagree, newest first. */
export interface Disputes {
  /** Number of disputes. */
  readonly count: number;
  /** Open disputes, newest day first. */
  readonly disputes: readonly Dispute[];
  /** When a source was last read; null before the first read. */
  readonly checkedAt: string | null;
}

/** `doubtDecisions` of `Quality`: What the operator decided about such days. */
export interface DoubtDecision {
  /** Name of the series. */
  readonly series: string;
  /** First day. */
  readonly from: string;
  /** Last day. */
  readonly to: string;
  /** Why the days are not believed. otherUnit: the value differs from its neighbours, or from the stored one, by a factor that only another unit explains; fallingTotal: the running total falls; outOfRange: the value is out of range. */
  readonly reason: "otherUnit" | "fallingTotal" | "outOfRange";
  /** Whether the source's values are used. */
  readonly accepted: boolean;
  /** When the operator decided. */
  readonly decidedAt: string;
}

/** `doubtedDays` of `Quality`: Days of sources that can't be true: the series are served without them. */
export interface DoubtedDays {
  /** Name of the series. */
  readonly series: string;
  /** First doubted day. */
  readonly from: string;
  /** Last doubted day. */
  readonly to: string;
  /** Why the days are not believed. otherUnit: the value differs from its neighbours, or from the stored one, by a factor that only another unit explains; fallingTotal: the running total falls; outOfRange: the value is out of range. */
  readonly reason: "otherUnit" | "fallingTotal" | "outOfRange";
  /** What the source returns for the first day. */
  readonly value: number;
  /** The stored value of that day, or the last believed one before. */
  readonly against: number;
  /** When a read first showed it. */
  readonly foundAt: string;
  /** open: the operator has not decided. What the operator accepts is read again and used. */
  readonly decision: "open" | "refused";
}

/** `files` of `Downloads`: All files of the release, by name. */
export interface Download {
  /** Name of the file below /downloads/. */
  readonly name: string;
  /** The table that the file holds, the same in all formats. */
  readonly table: string;
  /** csv, ndjson, parquet or json. */
  readonly format: string;
  /** Rows of the table; null for a document. */
  readonly rows: number | null;
  /** Size in bytes. */
  readonly bytes: number;
  /** SHA-256 in hexadecimal. */
  readonly sha256: string;
  /** The release that changed the file. */
  readonly changedOn: string;
}

/** Answer of `GET /downloads/index.json`: List the downloadable files. */
export interface Downloads {
  /** The newest release; null before the first one. */
  readonly release: {
    /** The UTC day of the release. */
    readonly date: string;
    /** When it was built. */
    readonly builtAt: string;
    /** Newest day that the source had published; it may be incomplete. */
    readonly dataThrough: string;
    /** Path of its manifest, in the form of SHA256SUMS; its signature is at the same path with .minisig. */
    readonly manifest: string;
    /** SHA-256 in hexadecimal. */
    readonly manifestSha256: string;
    /** Id of the key that signed the manifest; null if unsigned. */
    readonly signedBy: string | null;
  } | null;
  /** All files of the release, by name. */
  readonly files: readonly Download[];
}

/** Body of every error. Some codes have more fields. */
export interface ErrorBody {
  /** What went wrong, the value given, and what is accepted. */
  readonly error: string;
  /** The same text as error. */
  readonly message: string;
  /** Machine-readable code; branch on this, not on the text. */
  readonly code:
    | "BAD_REQUEST"
    | "NOT_FOUND"
    | "METHOD_NOT_ALLOWED"
    | "PRECONDITION_FAILED"
    | "RANGE_NOT_SATISFIABLE"
    | "PAYLOAD_TOO_LARGE"
    | "REQUEST_TIMEOUT"
    | "UNAUTHORIZED"
    | "SIGNED_OUT"
    | "SIGNATURE_REFUSED"
    | "CROSS_SITE"
    | "TOO_MANY_KEYS"
    | "TOO_MANY_FOLLOWS"
    | "NETWORK_NOT_ALLOWED"
    | "SCOPE_REQUIRED"
    | "PLAN_REQUIRED"
    | "RATE_LIMITED"
    | "QUOTA_EXCEEDED"
    | "KEY_CAP_EXCEEDED"
    | "QUOTE_NOT_FOUND"
    | "QUOTE_USED"
    | "CAPACITY_SOLD"
    | "ALREADY_OWNED"
    | "TX_USED"
    | "TX_TOO_OLD"
    | "TX_NOT_FOUND"
    | "TX_FAILED"
    | "NO_TRANSFER"
    | "WRONG_TOKEN"
    | "WRONG_RECIPIENT"
    | "WRONG_SENDER"
    | "PROFILE_REQUIRED"
    | "SLUG_TAKEN"
    | "SOCIAL_TAKEN"
    | "SOCIAL_LINKED"
    | "RECORD_NOT_FOUND"
    | "LINK_REFUSED"
    | "SCORING_BUSY"
    | "CAPACITY_SPENT"
    | "CONTENDED"
    | "STORE_BUSY"
    | "STORE_FULL"
    | "NOT_ENABLED"
    | "UPSTREAM_UNAVAILABLE"
    | "NOT_READ_YET"
    | "INTERNAL";
  /** Path of the documentation of the code. */
  readonly docs: string;
  /** Further fields. */
  readonly [key: string]: unknown;
}

/** `explanation` of `ScoreRead`. */
export interface Explanation {
  /** The score in a few sentences of English. */
  readonly summary: string;
  /** How much of the evidence could be read. */
  readonly confidence: {
    /** The same value as s4.confidence. */
    readonly value: number;
    /** Band that the value falls in; branch on this. */
    readonly band: "high" | "medium" | "low" | "minimal";
    /** Display label of the band. */
    readonly label: string;
    /** Explanation of the band for display; show it verbatim. */
    readonly detail: string;
  };
  /** Coverage first, then risks, then positives; within a kind the most important first. */
  readonly reasons: readonly Reason[];
}

/** `gaps` of `Metrics`: Days that the source has no value for; they are never filled. */
export interface Gap {
  /** First day without a value. */
  readonly from: string;
  /** Last day without a value. */
  readonly to: string;
  /** Why the service does not use what the source says of these days; absent if it says nothing. */
  readonly reason?: string | undefined;
}

/** `graph` of `ScoreRead`. */
export interface GraphFindings {
  /** Whether the followers were analysed. */
  readonly analyzed: boolean;
  /** Anomaly flags; empty if none was found. */
  readonly flags: readonly (
    | "follow_ring"
    | "follower_burst"
    | "thin_followers"
    | "self_donation"
  )[];
  /** Factor applied to social; 1 if no flag was found. */
  readonly socialDamping: number;
}

/** `headline` of `ScoreRead`. */
export interface Headline {
  /** The composite score, rounded to a whole number. */
  readonly score: number;
  /** Tier of the headline score; the values are listed lowest first. */
  readonly tier:
    | "starter"
    | "newcomer"
    | "rising"
    | "established"
    | "elite"
    | "legendary";
  /** Display label of the tier. */
  readonly tierLabel: string;
  /** Method that the headline score is computed with. */
  readonly model: string;
}

/** Answer of `GET /api/v1/health`: Probe the service and its database. */
export interface Health {
  /** degraded: the database does not answer, or the process stops. */
  readonly status: "ok" | "degraded";
  /** Version of the scoring API. */
  readonly version: string;
  /** Whether the database answers within a second. */
  readonly db: "ok" | "unreachable";
  /** When the check was made. */
  readonly time: string;
}

/** `history` of `ScoreHistory`: One entry per scored UTC day, oldest first. */
export interface HistoryEntry {
  /** UTC day of the entry, YYYY-MM-DD. */
  readonly date: string;
  /** The headline score; of a point before s4-2026.3, the legacy v1 score of that time. */
  readonly score: number;
  /** Tier of `score`. */
  readonly tier:
    | "starter"
    | "newcomer"
    | "rising"
    | "established"
    | "elite"
    | "legendary";
  /** Display label of the tier. */
  readonly tierLabel: string;
  /** The headline score of that day. */
  readonly headline: {
    /** The composite score, rounded to a whole number. */
    readonly score: number;
    /** Tier of the headline score; the values are listed lowest first. */
    readonly tier:
      | "starter"
      | "newcomer"
      | "rising"
      | "established"
      | "elite"
      | "legendary";
    /** Display label of the tier. */
    readonly tierLabel: string;
    /** Method that the headline score is computed with. */
    readonly model: string;
  };
  /** Model of that day's headline score. */
  readonly model: string;
  /** Points per signal; they add up to `score`, for a point of s4-2026.3 or later before rounding. Present with include=breakdown. */
  readonly breakdown?: {
    /** Points for the age of the wallet and its months of use, less what a risk of its origin takes. */
    readonly walletAge: number;
    /** Points for verified social accounts. */
    readonly verifiedSocials: number;
    /** Points for proofs of a unique human. */
    readonly humanProofs: number;
    /** Points for transactions sent, and days of use. */
    readonly txActivity: number;
    /** Points for followers, less what anomaly flags take. */
    readonly followers: number;
    /** Points for gas used. */
    readonly gasSpent: number;
    /** Points for premium membership. */
    readonly premium: number;
    /** Points for a paid slug. */
    readonly paidSlug: number;
    /** Points for donations. */
    readonly donations: number;
    /** Sum of all points; equals s4.composite. */
    readonly total: number;
  } | undefined;
}

/** `humanProofs` of `ScoreRead`: Registries of unique humans on other chains that were asked about this address, by calls made after a score read; empty if none was asked yet, or if this service asks none. Of all proofs only the strongest counts. */
export interface HumanProof {
  /** The registry that was asked. */
  readonly source: "worldId" | "coinbase" | "passportBase" | "passportOptimism";
  /** The chain of the registry. */
  readonly chain: string;
  /** proven: the address has a current proof. none: it has none. unread: the registry has not answered yet. */
  readonly state: "proven" | "none" | "unread";
  /** When the proof was made; null without one. */
  readonly verifiedAt: string | null;
  /** When the proof expires; null without one, and for one without an end, which counts for 90 days after it was last read. */
  readonly expiresAt: string | null;
  /** When the registry last answered; null if it never did. */
  readonly readAt: string | null;
  /** When a later read failed; what was read before still counts until it expires. Null if none failed. */
  readonly failedAt: string | null;
}

/** `identities` of `Quality`: The identities that the series of every chain must satisfy. */
export interface Identity {
  /** Name of the identity; branch on this. */
  readonly name:
    | "cumulativeTxCountGrowsByTxCount"
    | "avgTpsMatchesTxCount"
    | "avgTpsWithinMaxTps"
    | "avgGpsWithinMaxGps"
    | "activeSendersWithinActiveAddresses"
    | "cumulativeTxCountNeverFalls"
    | "cumulativeAddressesNeverFalls"
    | "cumulativeContractsNeverFalls"
    | "cumulativeDeployersNeverFalls";
  /** The condition that every day must meet, and which number is left or right. */
  readonly meaning: string;
}

/** `failingDays` of `ChainQuality`: The newest 100 failing days, newest first; failingDayCount counts all. */
export interface IdentityFailure {
  /** The identity that fails. */
  readonly identity:
    | "cumulativeTxCountGrowsByTxCount"
    | "avgTpsMatchesTxCount"
    | "avgTpsWithinMaxTps"
    | "avgGpsWithinMaxGps"
    | "activeSendersWithinActiveAddresses"
    | "cumulativeTxCountNeverFalls"
    | "cumulativeAddressesNeverFalls"
    | "cumulativeContractsNeverFalls"
    | "cumulativeDeployersNeverFalls";
  /** A UTC day, YYYY-MM-DD. */
  readonly day: string;
  /** The number that the identity's meaning calls left. */
  readonly left: number;
  /** The number that the identity's meaning calls right. */
  readonly right: number;
}

/** `keys` of `ManifestKeys`: The current key and former ones. */
export interface ManifestKey {
  /** Key type (RFC 8037). */
  readonly kty: "OKP";
  /** Curve. */
  readonly crv: "Ed25519";
  /** The public key, base64url. */
  readonly x: string;
  /** Its id: the JWK thumbprint (RFC 7638). */
  readonly kid: string;
  /** The same key as minisign takes it. */
  readonly minisign: string;
  /** Whether it signs now, or signed before. */
  readonly status: "active" | "former";
}

/** Answer of `GET /.well-known/firn-manifest-key.json`: Show the keys that sign manifests. */
export interface ManifestKeys {
  /** Whether this deployment signs manifests. */
  readonly enabled: boolean;
  /** The current key and former ones. */
  readonly keys: readonly ManifestKey[];
}

/** Answer of `GET /api/chain-data/metrics`: Read a daily, weekly or monthly series of one metric of one chain. */
export interface Metrics {
  /** Name of the metric. */
  readonly metric:
    | "txCount"
    | "activeAddresses"
    | "activeSenders"
    | "feesPaid"
    | "gasUsed"
    | "avgTps"
    | "maxTps"
    | "avgGps"
    | "maxGps"
    | "cumulativeTxCount"
    | "cumulativeAddresses"
    | "cumulativeContracts"
    | "cumulativeDeployers"
    | "avgGasPrice"
    | "maxGasPrice"
    | "newAddresses"
    | "newContracts"
    | "newDeployers";
  /** EVM chain id. */
  readonly chainId: number;
  /** Name of the chain. */
  readonly chainName: string;
  /** Unit of the values; avax stands for the chain's native token, which token names. */
  readonly unit: string;
  /** Symbol of the chain's native token; null if unknown. */
  readonly token: string | null;
  /** Whether a value covers its own day or is the running total up to that day. */
  readonly kind: "per day" | "running total";
  /** Width of a bucket. */
  readonly interval: "day" | "week" | "month";
  /** The requested range; null if from or to was given. */
  readonly range: "30d" | "90d" | "1y" | "all" | null;
  /** First requested day: from, or the first day of the range; the bucket that contains it is not cut. */
  readonly from: string;
  /** Last requested day: to, or today; the bucket that contains it is not cut. */
  readonly to: string;
  /** How the days of a week or month become one value. */
  readonly aggregation: "sum" | "mean" | "max" | "last";
  /** One item per bucket, oldest first. */
  readonly series: readonly Point[];
  /** Whether the last item of the series is complete. */
  readonly lastPeriodComplete: boolean;
  /** Days of the window whose values are inferred. */
  readonly inferredDayCount: number;
  /** Days that the source has no value for; they are never filled. */
  readonly gaps: readonly Gap[];
  /** Newest complete day of the whole series; null without one. */
  readonly dataThrough: string | null;
  /** When the data were read from the source. */
  readonly fetchedAt: string;
  /** When the source was last known to have published no newer day. */
  readonly confirmedAt: string;
  /** Source that the values were read from. */
  readonly source: string;
  /** The instant of asOf; absent without it. With asOf, both fetchedAt and confirmedAt are the time of the last change of the data before that instant. */
  readonly asOf?: string | undefined;
  /** The instant of updatedAfter; absent without it. With it, series has only the days that changed since then. */
  readonly updatedAfter?: string | undefined;
  /** Days of the window that had a value at updatedAfter and have none any more; absent without updatedAfter. */
  readonly removedDays?: readonly string[] | undefined;
  /** The running total whose daily growth the values are; absent for a metric that the source publishes. A day on which the total falls is a gap. */
  readonly derivedFrom?:
    | "txCount"
    | "activeAddresses"
    | "activeSenders"
    | "feesPaid"
    | "gasUsed"
    | "avgTps"
    | "maxTps"
    | "avgGps"
    | "maxGps"
    | "cumulativeTxCount"
    | "cumulativeAddresses"
    | "cumulativeContracts"
    | "cumulativeDeployers"
    | "avgGasPrice"
    | "maxGasPrice"
    | "newAddresses"
    | "newContracts"
    | "newDeployers"
    | undefined;
  /** How the series compares with its second source. */
  readonly check: {
    /** Whether the series is compared with a second source. */
    readonly compared: boolean;
    /** Why it is not; null if it is compared. noSecondSource: only one source publishes this series; notRead: the second source was not read yet; notIndexed: the second source has nothing but zeroes, or no day of the chain; tooFewDays: the second source has fewer than 7 days of the chain; countedDifferently: the sources differ on most days, so they count something else. */
    readonly reason:
      | "noSecondSource"
      | "notRead"
      | "notIndexed"
      | "tooFewDays"
      | "countedDifferently"
      | null;
    /** The second source; null if there is none, or if it was not read yet. */
    readonly source: string | null;
    /** Newest compared day; null if no day was compared. */
    readonly checkedThrough: string | null;
    /** Compared days: those that are complete in both sources and covered by the second. */
    readonly comparedDayCount: number;
    /** Days on which the second source has zero beside traffic, or before its first value: neither agreement nor dispute. */
    readonly notCoveredDayCount: number;
    /** Compared days on which the sources disagree; /disputes has them. */
    readonly disputedDayCount: number;
    /** Compared days on which both sources agree, in percent; null if no day was compared. */
    readonly agreementPct: number | null;
    /** Accepted difference of a day, in percent; null if not compared. */
    readonly tolerancePct: number | null;
    /** Transactions or addresses by which a day may differ whatever its size; fees may differ by those of as many transactions. */
    readonly slack: number | null;
  };
}

/** Answer of `GET /api/chain-data/monthly-transactions`: Read C-Chain transactions with month-over-month and year-over-year change. */
export interface MonthlyTransactions {
  /** Name of the chain. */
  readonly chainName: string;
  /** Unit of the values. */
  readonly unit: string;
  /** Symbol of the chain's native token. */
  readonly token: string;
  /** The requested range; null if from or to was given. */
  readonly range: "30d" | "90d" | "1y" | "all" | null;
  /** First requested day: from, or the first day of the range; the bucket that contains it is not cut. */
  readonly from: string;
  /** Last requested day: to, or today; the bucket that contains it is not cut. */
  readonly to: string;
  /** Width of a bucket. */
  readonly interval: "month" | "day";
  /** A month is the sum of its days. */
  readonly aggregation: "sum";
  /** One item per bucket, oldest first. */
  readonly series: readonly {
    /** First day of the bucket. */
    readonly day: string;
    /** Transactions, by our source. */
    readonly txCount: number;
    /** Transactions of the compared days, by the second source; null if not compared. */
    readonly crossCheckTxCount: number | null;
    /** Second source minus ours, in percent of ours, over the compared days; null if no day was compared. */
    readonly differencePct: number | null;
    /** Whether the difference is within the tolerance; null unless the bucket is complete and all of its days are compared. */
    readonly agrees: boolean | null;
    /** Change from the month before in percent; null if either month is incomplete, absent or the one in which the series began. */
    readonly monthOverMonthPct: number | null;
    /** Change from the same month a year before in percent; null if either month is incomplete, absent or the one in which the series began. */
    readonly yearOverYearPct: number | null;
    /** False while days of the bucket are still growing, or missing for less than 30 days. */
    readonly complete: boolean;
    /** Compared days of the bucket. */
    readonly comparedDayCount: number;
    /** Days of the bucket on which the sources disagree. */
    readonly disputedDays: readonly string[];
    /** Days of the bucket that the source has had no value for since 30 days, so they are no longer waited for; absent if there are none. */
    readonly missingDays?: readonly string[] | undefined;
    /** Present if our source has withdrawn a day of the bucket; the day keeps its last value until three reads agree. */
    readonly disputed?: "withdrawn" | undefined;
    /** When the service last saw a new value of a complete day of the bucket; absent if none was revised. */
    readonly revisedAt?: string | undefined;
  }[];
  /** Whether the last item of the series is complete. */
  readonly lastPeriodComplete: boolean;
  /** Days that the source has no value for; they are never filled. */
  readonly gaps: readonly Gap[];
  /** Newest complete day of the whole series; null without one. */
  readonly dataThrough: string | null;
  /** When the data were read from the source. */
  readonly fetchedAt: string;
  /** When the source was last known to have published no newer day. */
  readonly confirmedAt: string;
  /** Source that the values were read from. */
  readonly source: string;
  /** See {@linkcode Checks}. */
  readonly checks: Checks;
  /** Agreement over the last 90 compared days in percent, whatever days are requested; null if no day was compared. */
  readonly recentAgreementPct: number | null;
  /** Returned days on which the sources disagree. */
  readonly disputedDayCount: number;
  /** The instant of asOf; absent without it. With asOf, both fetchedAt and confirmedAt are the time of the last change of the data before that instant. */
  readonly asOf?: string | undefined;
}

/** `plans` of `Scoring`: The part of one wallet by plan, lowest first. */
export interface PlanColdReads {
  /** Id of the plan. */
  readonly plan: "free" | "builder" | "growth" | "scale";
  /** The most cold reads of one wallet of the plan in a minute. */
  readonly perMinute: number;
  /** The most cold reads of one wallet of the plan in a day. */
  readonly perDay: number;
  /** Cold reads that are left now to a wallet of the plan that has made none; null if unknown. */
  readonly left: number | null;
}

/** `series` of `Metrics`: One item per bucket, oldest first. */
export interface Point {
  /** First day of the bucket. */
  readonly day: string;
  /** Value of the metric in this bucket. */
  readonly value: number;
  /** False while days of the bucket are still growing, or missing for less than 30 days. */
  readonly complete: boolean;
  /** True if the source no longer publishes days of the chain, so a day of the bucket counts as one without activity; absent otherwise. */
  readonly inferred?: boolean | undefined;
  /** Days of the bucket that the source has had no value for since 30 days, so they are no longer waited for; absent if there are none. */
  readonly missingDays?: readonly string[] | undefined;
  /** Present if the source has withdrawn a day of the bucket; the day keeps its last value until three reads agree. */
  readonly disputed?: "withdrawn" | undefined;
  /** When the service last saw a new value of a complete day of the bucket; absent if none was revised. */
  readonly revisedAt?: string | undefined;
}

/** Answer of `GET /api/chain-data/quality`: Show how current each source is, how far sources agree, and which chains have figures that contradict each other. */
export interface Quality {
  /** How up to date each source is. */
  readonly sources: readonly SourceQuality[];
  /** How well the two sources of each checked series agree. */
  readonly checks: readonly CheckQuality[];
  /** What the source has of each chain, since when not, and how well its transactions are backed. */
  readonly coverage: readonly {
    /** EVM chain id. */
    readonly chainId: number;
    /** Name of the chain. */
    readonly chainName: string;
    /** What the source has of the chain. stopped: the source publishes no traffic since then, neither days nor more than zeroes, though the second source or the chain's own node has some; notIndexed: the source has no traffic of the chain, though the second source or the chain's own node has some, or a public list names the chain as active and the source does not list it; late: the source has not published the newest day of the chain yet; served: the source has the newest published day, or the chain is idle; unread: the chain, or the C-Chain, which shows what is published, was not read yet. */
    readonly state: "stopped" | "notIndexed" | "late" | "served" | "unread";
    /** Why it is not served; null if it is. */
    readonly reason: string | null;
    /** The first day that is missing; null if none is known. */
    readonly since: string | null;
    /** How well its transactions are backed. agree: a second, independent source has the same figure, within the tolerance; differ: both figures are published with their difference: such a day is disputed; oneSource: nobody else publishes the figure, or the second source was not read yet; gap: the source has no figure of the day; it is never filled; notIndexed: the second source does not read this chain. */
    readonly proof: "agree" | "differ" | "oneSource" | "gap" | "notIndexed";
    /** Compared days on which both sources agree, in percent; null if no day was compared. */
    readonly agreementPct: number | null;
  }[];
  /** Mainnet chains that the public list of ava-labs/builders-hub named as active on 2026-08-20, and the source does not list. */
  readonly untracked: readonly UntrackedChain[];
  /** How each metric of each chain compares with the explorer index, for all that it was asked for. */
  readonly chainChecks: readonly ChainCheck[];
  /** The same by metric, over all chains. */
  readonly chainCheckTotals: readonly ChainCheckTotals[];
  /** The identities that the series of every chain must satisfy. */
  readonly identities: readonly Identity[];
  /** Days that a source has withdrawn; they keep their last values. */
  readonly withdrawals: readonly WithdrawnDays[];
  /** Entries of the chain list that claim the id of another chain, and chains that were renamed within 30 days. */
  readonly chainDoubts: readonly ChainDoubt[];
  /** Rows of sources that cannot be read. They are read again; a total over such rows is not served. */
  readonly setAside: readonly SetAsideRows[];
  /** Days of sources that can't be true: the series are served without them. */
  readonly doubtedDays: readonly DoubtedDays[];
  /** What the operator decided about such days. */
  readonly doubtDecisions: readonly DoubtDecision[];
  /** The result of checking the identities, per chain. */
  readonly chains: readonly ChainQuality[];
}

/** `readable` of `SignedAttestation`. */
export interface ReadableAttestation {
  /** The scored address. */
  readonly subject: string;
  /** The headline score, 0 to 100. */
  readonly score: number;
  /** The humanity dimension, 0 to 100, rounded to a whole number. */
  readonly humanity: number;
  /** Tier of the headline score; the values are listed lowest first. */
  readonly tier:
    | "starter"
    | "newcomer"
    | "rising"
    | "established"
    | "elite"
    | "legendary";
  /** Display label of the tier. */
  readonly tierLabel: string;
  /** Permanent Verified Human number; null if `message.verifiedHuman` is false. */
  readonly verifiedHuman: number | null;
  /** When the attestation was signed. */
  readonly issuedAt: string;
  /** When the attestation expires. */
  readonly expiresAt: string;
  /** The nonce of the message. */
  readonly nonce: string;
  /** SHA-256 of the tables of the scoring model. */
  readonly modelTables: string;
}

/** `reasons` of `Explanation`: Coverage first, then risks, then positives; within a kind the most important first. */
export interface Reason {
  /** Machine-readable code; branch on this, not on the text. */
  readonly code:
    | "NO_ONCHAIN_HISTORY"
    | "LIMITED_ONCHAIN_HISTORY"
    | "STALE_SIGNALS"
    | "PARTIAL_SIGNALS"
    | "NO_PROFILE"
    | "NO_VERIFIED_SOCIALS"
    | "GRAPH_NOT_ANALYZED"
    | "SMALL_GRAPH"
    | "CONTRACT_ACCOUNT"
    | "VERIFIED_HUMAN_LAPSED"
    | "FOLLOW_RING"
    | "FOLLOWER_BURST"
    | "THIN_FOLLOWERS"
    | "SELF_DONATION"
    | "SHARED_FUNDER"
    | "COLLECTED_BEFORE_USE"
    | "NEW_WALLET"
    | "DORMANT"
    | "CONCENTRATED_ACTIVITY"
    | "LOW_COST_FOOTPRINT"
    | "LONG_HISTORY"
    | "VERIFIED_SOCIALS"
    | "UNIQUE_HUMAN_PROOF"
    | "VERIFIED_HUMAN"
    | "RECENT_ACTIVITY"
    | "SUSTAINED_ACTIVITY"
    | "HIGH_ACTIVITY"
    | "QUALITY_FOLLOWERS"
    | "CLEAN_GRAPH"
    | "GAS_SPENT"
    | "PREMIUM_MEMBER"
    | "PAID_SLUG"
    | "DONOR";
  /** coverage: evidence is missing; risk: lowers the score; positive: raises it. */
  readonly kind: "coverage" | "risk" | "positive";
  /** Dimension that the reason concerns. */
  readonly dimension: "humanity" | "activity" | "social" | "economic";
  /** Short title for display. */
  readonly title: string;
  /** Explanation for display; show it verbatim. */
  readonly detail: string;
}

/** `revisions` of `Revisions`: Revisions, the last seen first. */
export interface Revision {
  /** The revised day. */
  readonly day: string;
  /** Name of the metric. */
  readonly metric:
    | "txCount"
    | "activeAddresses"
    | "activeSenders"
    | "feesPaid"
    | "gasUsed"
    | "avgTps"
    | "maxTps"
    | "avgGps"
    | "maxGps"
    | "cumulativeTxCount"
    | "cumulativeAddresses"
    | "cumulativeContracts"
    | "cumulativeDeployers"
    | "avgGasPrice"
    | "maxGasPrice"
    | "newAddresses"
    | "newContracts"
    | "newDeployers";
  /** Value until then; null if there was none. */
  readonly oldValue: number | null;
  /** Value from then on; null if there is none. */
  readonly newValue: number | null;
  /** Unit of both values. */
  readonly unit: string;
  /** restated: the source returns another value. withdrawn: it returns no value, or 0, in three reads. returned: it returns a day again that it had withdrawn. published: it returns a day that had been inferred. */
  readonly cause: "restated" | "withdrawn" | "returned" | "published";
  /** When the service read the new value. */
  readonly seenAt: string;
  /** EVM chain id. */
  readonly chainId: number;
  /** Name of the chain. */
  readonly chainName: string;
}

/** Answer of `GET /api/chain-data/revisions`: List the values that sources changed afterwards, last seen first. */
export interface Revisions {
  /** EVM chain id; null with chainIds. */
  readonly chainId: number | null;
  /** Name of the chain; null with chainIds. */
  readonly chainName: string | null;
  /** Number of returned revisions. */
  readonly count: number;
  /** Revisions, the last seen first. */
  readonly revisions: readonly Revision[];
  /** Cursor of the revisions after these; null if none are left. */
  readonly nextCursor: string | null;
}

/** Answer of `GET /api/v1/score/{address}/history`: List the last score of each day, for up to 90 days. */
export interface ScoreHistory {
  /** A C-Chain address, lower-case. */
  readonly address: string;
  /** Requested days, today included. */
  readonly days: number;
  /** Number of entries returned. */
  readonly count: number;
  /** One entry per scored UTC day, oldest first. */
  readonly history: readonly HistoryEntry[];
  /** When the score was computed. */
  readonly fetchedAt: string;
  /** Version of the scoring model; compare only scores of one version. The SHA-256 of the tables of s4-2026.3 is 31533bc4a052c4b202e1be7612a755c6fd3e43d062db4bfc0c27415a8b3382c3; that of the model in use is `models.tables` of `/api/v1`. */
  readonly model: string;
}

/** Answer of `GET /api/v1/score/{address}`: Read the live score of one address. */
export interface ScoreRead {
  /** A C-Chain address, lower-case. */
  readonly address: string;
  /** See {@linkcode Headline}. */
  readonly headline: Headline;
  /** See {@linkcode ScoreVector}. */
  readonly s4: ScoreVector;
  /** See {@linkcode GraphFindings}. */
  readonly graph: GraphFindings;
  /** See {@linkcode Explanation}. */
  readonly explanation: Explanation;
  /** Permanent Verified Human number; null without one. The reason VERIFIED_HUMAN_LAPSED says that the evidence it requires does not stand now. */
  readonly verifiedHuman: number | null;
  /** The headline score. */
  readonly score: number;
  /** Tier of the headline score; the values are listed lowest first. */
  readonly tier:
    | "starter"
    | "newcomer"
    | "rising"
    | "established"
    | "elite"
    | "legendary";
  /** Display label of the tier. */
  readonly tierLabel: string;
  /** See {@linkcode Breakdown}. */
  readonly breakdown: Breakdown;
  /** See {@linkcode CostToFake}. */
  readonly costToFake: CostToFake;
  /** What the Verified Human number rests on; null without a number. */
  readonly verifiedHumanEvidence: {
    /** uniqueHuman: a proof of a unique human on another chain. accounts: several linked accounts, each old and used. operator: the operator of this service granted it. earlier: two linked accounts of any age, the rule before s4-2026.3. */
    readonly rule: "uniqueHuman" | "accounts" | "operator" | "earlier";
    /** The proofs or accounts it was given for; with `earlier`, the accounts that are linked now. */
    readonly kinds: readonly (
      | "worldId"
      | "coinbase"
      | "passport"
      | "x"
      | "github"
      | "farcaster"
      | "domain"
      | "discord"
      | "telegram"
      | "email"
    )[];
    /** When it was given; null if that is not known. */
    readonly since: string | null;
  } | null;
  /** Registries of unique humans on other chains that were asked about this address, by calls made after a score read; empty if none was asked yet, or if this service asks none. Of all proofs only the strongest counts. */
  readonly humanProofs: readonly HumanProof[];
  /** The score by the announced model; absent while no model is announced. `next` of `/api/v1` says from when it is used. */
  readonly next?: {
    /** Id of the announced model. */
    readonly model: string;
    /** See {@linkcode Headline}. */
    readonly headline: Headline;
  } | undefined;
  /** When the score was computed. */
  readonly fetchedAt: string;
  /** Version of the scoring model; compare only scores of one version. The SHA-256 of the tables of s4-2026.3 is 31533bc4a052c4b202e1be7612a755c6fd3e43d062db4bfc0c27415a8b3382c3; that of the model in use is `models.tables` of `/api/v1`. */
  readonly model: string;
}

/** `s4` of `ScoreRead`. */
export interface ScoreVector {
  /** Evidence of a real person: months of use, wallet age, verified socials and proofs of a unique human. */
  readonly humanity: number;
  /** On-chain activity: days of use and transactions, recent ones more. */
  readonly activity: number;
  /** Quality of followers, reduced by anomaly flags. */
  readonly social: number;
  /** Spending: gas, premium membership, paid slug and donations, on log scales. Gas counts in units, whatever its price was. */
  readonly economic: number;
  /** Weighted mean of the four dimensions as shown; headline.score is this value rounded. */
  readonly composite: number;
  /** Share of the evidence that could be read; missing evidence lowers this, not the score. */
  readonly confidence: number;
}

/** Answer of `GET /api/v1`: Describe this API: endpoints, plans, limits, tiers, reasons, flags and error codes. */
export interface Scoring {
  /** Version of the scoring API. */
  readonly version: string;
  /** The endpoints of the scoring API. */
  readonly endpoints: readonly {
    /** HTTP method. */
    readonly method: string;
    /** Path, with {address} in place of an address. */
    readonly path: string;
    /** The lowest plan that includes the endpoint; null if no key is needed. */
    readonly plan: "free" | "builder" | "growth" | "scale" | null;
    /** Units that a request costs. */
    readonly units: string;
  }[];
  /** The plans, lowest first. */
  readonly plans: readonly {
    /** Id of the plan. */
    readonly plan: "free" | "builder" | "growth" | "scale";
    /** Display label of the plan. */
    readonly label: string;
    /** Quota: units in any 30 days. */
    readonly requestsPer30Days: number;
    /** Price of 30 days in USDC. */
    readonly priceUsdc: string;
    /** Features added to those of the lower plans. */
    readonly includes: readonly string[];
  }[];
  /** Limits of single requests, and rate limits. */
  readonly limits: {
    /** Maximum number of addresses in a batch. */
    readonly batchAddresses: number;
    /** Maximum number of days in a history. */
    readonly historyDays: number;
    /** Burst limits per key, by kind of request. */
    readonly bursts: {
      /** Further fields. */
      readonly [key: string]: {
        /** Maximum number of requests per key. */
        readonly requests: number;
        /** Length of the window in seconds. */
        readonly perSeconds: number;
      };
    };
    /** Hours for which stored signals count as fresh. */
    readonly signalCacheHours: number;
    /** Requests without a key that one network may make per minute, also all at once. */
    readonly openRequestsPerMinute: number;
  };
  /** Cold reads that the source allows: scores of addresses that nobody has read for a day. All other scores need no call. */
  readonly capacity: {
    /** Cold reads a minute, of all wallets together. */
    readonly perMinute: number;
    /** Cold reads a day, of all wallets together. */
    readonly perDay: number;
    /** Calls of the last 24 hours; null if they cannot be read. */
    readonly used: number | null;
    /** Cold reads that are left now, null if unknown; the last half of `perDay` is for paid plans, as `plans` says. */
    readonly left: number | null;
    /** The part of one wallet by plan, lowest first. */
    readonly plans: readonly PlanColdReads[];
  };
  /** The tiers, lowest first. */
  readonly tiers: readonly {
    /** Id of the tier. */
    readonly tier:
      | "starter"
      | "newcomer"
      | "rising"
      | "established"
      | "elite"
      | "legendary";
    /** Display label of the tier. */
    readonly label: string;
    /** Rank of the tier, from 0; attestations carry this number. */
    readonly index: number;
  }[];
  /** All reasons that an explanation can list. */
  readonly reasons: readonly {
    /** Machine-readable code of the reason. */
    readonly code: string;
    /** coverage: evidence is missing; risk: lowers the score; positive: raises it. */
    readonly kind: "coverage" | "risk" | "positive";
    /** Dimension that the reason concerns. */
    readonly dimension: string;
    /** Short title for display. */
    readonly title: string;
    /** Explanation for display. */
    readonly detail: string;
  }[];
  /** All anomaly flags of a follower graph. */
  readonly flags: readonly {
    /** Name of the flag. */
    readonly flag: string;
    /** What the flag stands for. */
    readonly meaning: string;
  }[];
  /** The confidence bands, highest first. */
  readonly bands: readonly {
    /** Id of the band. */
    readonly band: "high" | "medium" | "low" | "minimal";
    /** Display label of the band. */
    readonly label: string;
    /** Explanation of the band for display. */
    readonly detail: string;
  }[];
  /** All codes that an error body can carry. */
  readonly errorCodes: readonly (
    | "BAD_REQUEST"
    | "NOT_FOUND"
    | "METHOD_NOT_ALLOWED"
    | "PRECONDITION_FAILED"
    | "RANGE_NOT_SATISFIABLE"
    | "PAYLOAD_TOO_LARGE"
    | "REQUEST_TIMEOUT"
    | "UNAUTHORIZED"
    | "SIGNED_OUT"
    | "SIGNATURE_REFUSED"
    | "CROSS_SITE"
    | "TOO_MANY_KEYS"
    | "TOO_MANY_FOLLOWS"
    | "NETWORK_NOT_ALLOWED"
    | "SCOPE_REQUIRED"
    | "PLAN_REQUIRED"
    | "RATE_LIMITED"
    | "QUOTA_EXCEEDED"
    | "KEY_CAP_EXCEEDED"
    | "QUOTE_NOT_FOUND"
    | "QUOTE_USED"
    | "CAPACITY_SOLD"
    | "ALREADY_OWNED"
    | "TX_USED"
    | "TX_TOO_OLD"
    | "TX_NOT_FOUND"
    | "TX_FAILED"
    | "NO_TRANSFER"
    | "WRONG_TOKEN"
    | "WRONG_RECIPIENT"
    | "WRONG_SENDER"
    | "PROFILE_REQUIRED"
    | "SLUG_TAKEN"
    | "SOCIAL_TAKEN"
    | "SOCIAL_LINKED"
    | "RECORD_NOT_FOUND"
    | "LINK_REFUSED"
    | "SCORING_BUSY"
    | "CAPACITY_SPENT"
    | "CONTENDED"
    | "STORE_BUSY"
    | "STORE_FULL"
    | "NOT_ENABLED"
    | "UPSTREAM_UNAVAILABLE"
    | "NOT_READ_YET"
    | "INTERNAL"
  )[];
  /** The addresses that test keys can query, free of charge. */
  readonly testAddresses: readonly {
    /** The test address. */
    readonly address: string;
    /** What its answer demonstrates. */
    readonly shows: string;
  }[];
  /** Ids of the scoring models in use, and the SHA-256 of the tables of the current one. */
  readonly models: {
    /** Further fields. */
    readonly [key: string]: string;
  };
  /** The announced model; absent while there is none. Until it is used, scores have a `next` field with their headline by this model. */
  readonly next?: {
    /** Id of the announced model. */
    readonly model: string;
    /** UTC day of the announcement. */
    readonly announcedOn: string;
    /** UTC day from which all answers use it, 30 days later. */
    readonly usedFrom: string;
    /** SHA-256 of its weights, tier floors and tables. */
    readonly tables: string;
  } | undefined;
  /** See {@linkcode AttestationInfo}. */
  readonly attestation: AttestationInfo;
}

/** `setAside` of `Quality`: Rows of sources that cannot be read. They are read again; a total over such rows is not served. */
export interface SetAsideRows {
  /** What the rows are of: a series, or a list. */
  readonly of: string;
  /** Rows that were set aside; the others are used. */
  readonly rowCount: number;
  /** The days that the rows are about, where they say it. */
  readonly days: readonly string[];
  /** Why the first of them cannot be read. */
  readonly reason: string;
  /** When a read first showed one. */
  readonly foundAt: string;
}

/** Answer of `GET /api/v1/score/{address}/signed`: Read the live score of one address as a signed attestation (EIP-712). */
export interface SignedAttestation {
  /** See {@linkcode AttestationDomain}. */
  readonly domain: AttestationDomain;
  /** See {@linkcode AttestationTypes}. */
  readonly types: AttestationTypes;
  /** The EIP-712 primary type. */
  readonly primaryType: "ScoreAttestation";
  /** See {@linkcode Attestation}. */
  readonly message: Attestation;
  /** The signed EIP-712 hash. */
  readonly digest: string;
  /** 65 bytes: r, s in the lower half of the curve order, and v (27 or 28). */
  readonly signature: string;
  /** Address of the signer. */
  readonly signer: string;
  /** See {@linkcode ReadableAttestation}. */
  readonly readable: ReadableAttestation;
  /** Version of the scoring model; compare only scores of one version. The SHA-256 of the tables of s4-2026.3 is 31533bc4a052c4b202e1be7612a755c6fd3e43d062db4bfc0c27415a8b3382c3; that of the model in use is `models.tables` of `/api/v1`. */
  readonly model: string;
}

/** `sources` of `Quality`: How up to date each source is. */
export interface SourceQuality {
  /** Name of the source. */
  readonly source: string;
  /** Origin of the source. */
  readonly url: string;
  /** Which data are read from it. */
  readonly serves: string;
  /** When it was last read successfully; null if never. */
  readonly lastSuccessAt: string | null;
  /** Hours since the last successful read; null if never. */
  readonly lagHours: number | null;
}

/** Answer of `GET /api/chain-data/transaction-fees`: Read C-Chain fees in AVAX, by month or day. */
export interface TransactionFees {
  /** Name of the chain. */
  readonly chainName: string;
  /** Unit of the values. */
  readonly unit: string;
  /** Symbol of the chain's native token. */
  readonly token: string;
  /** The requested range; null if from or to was given. */
  readonly range: "30d" | "90d" | "1y" | "all" | null;
  /** First requested day: from, or the first day of the range; the bucket that contains it is not cut. */
  readonly from: string;
  /** Last requested day: to, or today; the bucket that contains it is not cut. */
  readonly to: string;
  /** Width of a bucket. */
  readonly interval: "month" | "day";
  /** A month is the sum of its days. */
  readonly aggregation: "sum";
  /** One item per bucket, oldest first. */
  readonly series: readonly {
    /** First day of the bucket. */
    readonly day: string;
    /** Fees in AVAX, by our source. */
    readonly feesPaid: number;
    /** Fees of the compared days in AVAX, by the second source; null if not compared. */
    readonly crossCheckFeesPaid: number | null;
    /** Second source minus ours, in percent of ours, over the compared days; null if no day was compared. */
    readonly differencePct: number | null;
    /** Whether the difference is within the tolerance; null unless the bucket is complete and all of its days are compared. */
    readonly agrees: boolean | null;
    /** False while days of the bucket are still growing, or missing for less than 30 days. */
    readonly complete: boolean;
    /** Compared days of the bucket. */
    readonly comparedDayCount: number;
    /** Days of the bucket on which the sources disagree. */
    readonly disputedDays: readonly string[];
    /** Days of the bucket that the source has had no value for since 30 days, so they are no longer waited for; absent if there are none. */
    readonly missingDays?: readonly string[] | undefined;
    /** Present if our source has withdrawn a day of the bucket; the day keeps its last value until three reads agree. */
    readonly disputed?: "withdrawn" | undefined;
    /** When the service last saw a new value of a complete day of the bucket; absent if none was revised. */
    readonly revisedAt?: string | undefined;
  }[];
  /** Whether the last item of the series is complete. */
  readonly lastPeriodComplete: boolean;
  /** Days that the source has no value for; they are never filled. */
  readonly gaps: readonly Gap[];
  /** Newest complete day of the whole series; null without one. */
  readonly dataThrough: string | null;
  /** When the data were read from the source. */
  readonly fetchedAt: string;
  /** When the source was last known to have published no newer day. */
  readonly confirmedAt: string;
  /** Source that the values were read from. */
  readonly source: string;
  /** See {@linkcode Checks}. */
  readonly checks: Checks;
  /** Agreement over the last 90 compared days in percent, whatever days are requested; null if no day was compared. */
  readonly recentAgreementPct: number | null;
  /** Returned days on which the sources disagree. */
  readonly disputedDayCount: number;
  /** The instant of asOf; absent without it. With asOf, both fetchedAt and confirmedAt are the time of the last change of the data before that instant. */
  readonly asOf?: string | undefined;
}

/** `untracked` of `Chains`: Mainnet chains that the public list of ava-labs/builders-hub named as active on 2026-08-20, and the source does not list. */
export interface UntrackedChain {
  /** EVM chain id; null if the list has none. */
  readonly chainId: number | null;
  /** Id of the blockchain on the P-Chain; null if chainId is known. */
  readonly blockchainId: string | null;
  /** Name of the chain. */
  readonly chainName: string;
  /** See {@linkcode Coverage}. */
  readonly coverage: Coverage;
}

/** Answer of `GET /api/v1/usage`: Read the usage of the key's wallet; free of charge. */
export interface Usage {
  /** Id of the plan in force. */
  readonly plan: "free" | "builder" | "growth" | "scale";
  /** Display label of the plan. */
  readonly planLabel: string;
  /** When the paid plan ends; null on the free plan. */
  readonly paidUntil: string | null;
  /** Quota: units in any 30 days. */
  readonly limit: number;
  /** Units spent in the last 30 days. */
  readonly used: number;
  /** Units that can be spent now. */
  readonly remaining: number;
  /** When the oldest counted unit leaves the 30-day window. */
  readonly resetAt: string;
  /** The cap of the key; null without one. */
  readonly cap: {
    /** Maximum number of units of the key in any 30 days. */
    readonly limit: number;
    /** Units of the cap that can be spent now. */
    readonly remaining: number;
    /** When the oldest unit of the key leaves the 30-day window. */
    readonly resetAt: string;
  } | null;
  /** What the owner should know: 80 or 100 % of the quota is used, or the paid plan ends within seven days and no other follows. The most urgent comes first. */
  readonly notices: readonly UsageNotice[];
  /** The last 30 UTC days, today last. used may be more than their sum: its 30 days end now, so they begin during the day before the first listed one. */
  readonly days: readonly UsageDay[];
}

/** `days` of `Usage`: The last 30 UTC days, today last. used may be more than their sum: its 30 days end now, so they begin during the day before the first listed one. */
export interface UsageDay {
  /** UTC day, YYYY-MM-DD. */
  readonly date: string;
  /** Units spent that day, by endpoint. */
  readonly units: {
    /** Units spent on single scores: 1 per request. */
    readonly score: number;
    /** Units spent on batches: 1 per address. */
    readonly batch: number;
    /** Units spent on histories: 1 per request. */
    readonly history: number;
    /** Units spent on signed scores: 1 per request. */
    readonly signed: number;
  };
}

/** `notices` of `Usage`: What the owner should know: 80 or 100 % of the quota is used, or the paid plan ends within seven days and no other follows. The most urgent comes first. */
export interface UsageNotice {
  /** Code of the notice; branch on this. */
  readonly code: "QUOTA_USED_UP" | "QUOTA_80_PERCENT" | "PLAN_ENDS_SOON";
  /** The notice in words, for display. */
  readonly message: string;
}

/** `snapshot` of `Validators`: The service's own count of that day; null without one. */
export interface ValidatorSnapshot {
  /** Validators of the Primary Network. */
  readonly validators: number | null;
  /** Delegators of the Primary Network. */
  readonly delegators: number | null;
  /** Stake of validators, in AVAX. */
  readonly validatorStake: number | null;
  /** Stake of delegators, in AVAX. */
  readonly delegatorStake: number | null;
  /** Stake of validators and delegators, in AVAX. */
  readonly totalStake: number | null;
  /** When the validator set was read. */
  readonly takenAt: string;
}

/** Answer of `GET /api/chain-data/validators`: Read validators and delegators of the Primary Network with their stakes. */
export interface Validators {
  /** Name of the chain. */
  readonly chainName: string;
  /** Unit of the values. */
  readonly unit: string;
  /** Symbol of the chain's native token. */
  readonly token: string;
  /** The requested range; null if from or to was given. */
  readonly range: "30d" | "90d" | "1y" | "all" | null;
  /** First requested day: from, or the first day of the range; the bucket that contains it is not cut. */
  readonly from: string;
  /** Last requested day: to, or today; the bucket that contains it is not cut. */
  readonly to: string;
  /** One item per bucket, oldest first. */
  readonly series: readonly {
    /** A UTC day, YYYY-MM-DD. */
    readonly day: string;
    /** Validators of the Primary Network. */
    readonly validators: number;
    /** Delegators of the Primary Network. */
    readonly delegators: number;
    /** Stake of validators, in AVAX. */
    readonly validatorStake: number;
    /** Stake of delegators, in AVAX. */
    readonly delegatorStake: number;
    /** Stake of validators and delegators, in AVAX. */
    readonly totalStake: number;
    /** The service's own count of that day; null without one. */
    readonly snapshot: ValidatorSnapshot | null;
    /** Second source minus ours, in percent of ours; null if not compared. */
    readonly differencePct: number | null;
    /** Whether the difference is within the tolerance; null if not compared. */
    readonly agrees: boolean | null;
    /** False while days of the bucket are still growing, or missing for less than 30 days. */
    readonly complete: boolean;
    /** Days of the bucket that the source has had no value for since 30 days, so they are no longer waited for; absent if there are none. */
    readonly missingDays?: readonly string[] | undefined;
    /** Present if our source has withdrawn a day of the bucket; the day keeps its last value until three reads agree. */
    readonly disputed?: "withdrawn" | undefined;
    /** When the service last saw a new value of a complete day of the bucket; absent if none was revised. */
    readonly revisedAt?: string | undefined;
  }[];
  /** The service's newest count; null before the first. */
  readonly latestSnapshot: ValidatorSnapshot | null;
  /** Whether the last item of the series is complete. */
  readonly lastPeriodComplete: boolean;
  /** Days that the source has no value for; they are never filled. */
  readonly gaps: readonly Gap[];
  /** Newest complete day of the whole series; null without one. */
  readonly dataThrough: string | null;
  /** When the data were read from the source. */
  readonly fetchedAt: string;
  /** When the source was last known to have published no newer day. */
  readonly confirmedAt: string;
  /** Source that the values were read from. */
  readonly source: string;
  /** See {@linkcode Checks}. */
  readonly checks: Checks;
  /** Agreement over the last 90 compared days in percent, whatever days are requested; null if no day was compared. */
  readonly recentAgreementPct: number | null;
  /** Returned days on which the sources disagree. */
  readonly disputedDayCount: number;
  /** The instant of asOf; absent without it. With asOf, both fetchedAt and confirmedAt are the time of the last change of the data before that instant. */
  readonly asOf?: string | undefined;
}

/** `withdrawals` of `Quality`: Days that a source has withdrawn; they keep their last values. */
export interface WithdrawnDays {
  /** Name of the series. */
  readonly series: string;
  /** First withdrawn day. */
  readonly from: string;
  /** Last withdrawn day. */
  readonly to: string;
  /** The source no longer returns the value, or returns 0. */
  readonly disputed: "withdrawn";
  /** What the source returns now: 0, or null for no value. */
  readonly answer: number | null;
  /** When a read first showed it. */
  readonly foundAt: string;
  /** Consistent reads so far; three over at least two hours are accepted as a revision. 0 if the source returns no value at all. */
  readonly readCount: number;
}

/** Query of `GET /api/chain-data/metrics`. */
export interface MetricsQuery {
  /** Name of the metric. Default: `txCount`. */
  readonly metric?:
    | "txCount"
    | "activeAddresses"
    | "activeSenders"
    | "feesPaid"
    | "gasUsed"
    | "avgTps"
    | "maxTps"
    | "avgGps"
    | "maxGps"
    | "cumulativeTxCount"
    | "cumulativeAddresses"
    | "cumulativeContracts"
    | "cumulativeDeployers"
    | "avgGasPrice"
    | "maxGasPrice"
    | "newAddresses"
    | "newContracts"
    | "newDeployers"
    | undefined;
  /** Days to return, counted back from today (included). from and to replace it, and only its default value is accepted together with them. Default: `1y`. */
  readonly range?: "30d" | "90d" | "1y" | "all" | undefined;
  /** First UTC day to return, YYYY-MM-DD; replaces range. */
  readonly from?: string | undefined;
  /** Last UTC day to return, YYYY-MM-DD; replaces range. */
  readonly to?: string | undefined;
  /** Width of a bucket. Default: `day`. */
  readonly interval?: "day" | "week" | "month" | undefined;
  /** EVM chain id of a tracked mainnet chain. Default: `43114`. */
  readonly chainId?: number | undefined;
  /** Returns what the service would have answered at this instant, without the days that were incomplete then and the reasons of gaps. The earliest accepted instant is when the service first stored the series. */
  readonly asOf?: string | undefined;
  /** Returns only the days that were first seen, completed, revised or withdrawn after this instant; with interval=day only. */
  readonly updatedAfter?: string | undefined;
}

/** Query of `GET /api/chain-data/monthly-transactions`. */
export interface MonthlyTransactionsQuery {
  /** Width of a bucket. Default: `month`. */
  readonly interval?: "month" | "day" | undefined;
  /** Days to return, counted back from today (included). from and to replace it, and only its default value is accepted together with them. Default: `all`. */
  readonly range?: "30d" | "90d" | "1y" | "all" | undefined;
  /** First UTC day to return, YYYY-MM-DD; replaces range. */
  readonly from?: string | undefined;
  /** Last UTC day to return, YYYY-MM-DD; replaces range. */
  readonly to?: string | undefined;
  /** Returns what the service would have answered at this instant, without the days that were incomplete then and the reasons of gaps. The earliest accepted instant is when the service first stored the series. */
  readonly asOf?: string | undefined;
}

/** Query of `GET /api/chain-data/transaction-fees`. */
export interface TransactionFeesQuery {
  /** Width of a bucket. Default: `month`. */
  readonly interval?: "month" | "day" | undefined;
  /** Days to return, counted back from today (included). from and to replace it, and only its default value is accepted together with them. Default: `all`. */
  readonly range?: "30d" | "90d" | "1y" | "all" | undefined;
  /** First UTC day to return, YYYY-MM-DD; replaces range. */
  readonly from?: string | undefined;
  /** Last UTC day to return, YYYY-MM-DD; replaces range. */
  readonly to?: string | undefined;
  /** Returns what the service would have answered at this instant, without the days that were incomplete then and the reasons of gaps. The earliest accepted instant is when the service first stored the series. */
  readonly asOf?: string | undefined;
}

/** Query of `GET /api/chain-data/block-production`. */
export interface BlockProductionQuery {
  /** Days that the mean block time covers. Default: `30`. */
  readonly window?: "7" | "30" | "90" | undefined;
  /** Days to return, counted back from today (included). from and to replace it, and only its default value is accepted together with them. Default: `all`. */
  readonly range?: "30d" | "90d" | "1y" | "all" | undefined;
  /** First UTC day to return, YYYY-MM-DD; replaces range. */
  readonly from?: string | undefined;
  /** Last UTC day to return, YYYY-MM-DD; replaces range. */
  readonly to?: string | undefined;
  /** Returns what the service would have answered at this instant, without the days that were incomplete then and the reasons of gaps. The earliest accepted instant is when the service first stored the series. */
  readonly asOf?: string | undefined;
}

/** Query of `GET /api/chain-data/validators`. */
export interface ValidatorsQuery {
  /** Days to return, counted back from today (included). from and to replace it, and only its default value is accepted together with them. Default: `all`. */
  readonly range?: "30d" | "90d" | "1y" | "all" | undefined;
  /** First UTC day to return, YYYY-MM-DD; replaces range. */
  readonly from?: string | undefined;
  /** Last UTC day to return, YYYY-MM-DD; replaces range. */
  readonly to?: string | undefined;
  /** Returns what the service would have answered at this instant, without the days that were incomplete then and the reasons of gaps. The earliest accepted instant is when the service first stored the series. */
  readonly asOf?: string | undefined;
}

/** Query of `GET /api/chain-data/revisions`. */
export interface RevisionsQuery {
  /** EVM chain id of a tracked mainnet chain. Default: `43114`. */
  readonly chainId?: number | undefined;
  /** EVM chain ids separated by commas, in place of chainId: at most 50 with metric, and 4 without. */
  readonly chainIds?: string | undefined;
  /** Name of the metric; all metrics without it. A derived metric has the revisions of its running total. */
  readonly metric?:
    | "txCount"
    | "activeAddresses"
    | "activeSenders"
    | "feesPaid"
    | "gasUsed"
    | "avgTps"
    | "maxTps"
    | "avgGps"
    | "maxGps"
    | "cumulativeTxCount"
    | "cumulativeAddresses"
    | "cumulativeContracts"
    | "cumulativeDeployers"
    | "avgGasPrice"
    | "maxGasPrice"
    | "newAddresses"
    | "newContracts"
    | "newDeployers"
    | undefined;
  /** First revised UTC day to return, YYYY-MM-DD. */
  readonly from?: string | undefined;
  /** Last revised UTC day to return, YYYY-MM-DD. */
  readonly to?: string | undefined;
  /** Returns only revisions that were seen after this instant. */
  readonly since?: string | undefined;
  /** Maximum number of revisions. Default: `100`. */
  readonly limit?: number | undefined;
  /** The nextCursor of an answer; returns the revisions after it. */
  readonly cursor?: string | undefined;
}

/** Query of `GET /api/v1/score/{address}`. */
export interface ScoreQuery {
  /** Whether signals of up to seven days, with the reason STALE_SIGNALS, stand in for a 429 SCORING_BUSY or CAPACITY_SPENT. Default: `false`. */
  readonly allowStale?: boolean | undefined;
}

/** Query of `GET /api/v1/score/{address}/history`. */
export interface HistoryQuery {
  /** UTC days to return, today included. Default: `30`. */
  readonly days?: number | undefined;
  /** Adds the points per signal to each entry. */
  readonly include?: "breakdown" | undefined;
}

/** Query of `GET /api/v1/score/{address}/signed`. */
export interface SignedQuery {
  /** Lifetime of the attestation in seconds. Default: `604800`. */
  readonly ttl?: number | undefined;
}
