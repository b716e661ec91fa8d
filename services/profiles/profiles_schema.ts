/** The requests and answers of profiles, follows, social links and donations. */
import { z } from "@hono/zod-openapi";
import { NumberEvidence } from "../model/human_proofs_schema.ts";
import { SOCIAL_KINDS } from "../model/score_terms_schema.ts";
import { Instant, jsonObject, TxHash } from "../platform/wire_schema.ts";
import { Address, LowerCaseAddress } from "../platform/address_schema.ts";

const DOMAIN = "a registered domain such as example.com";

const DisplayName = z.string("a display name or null").nullable().meta({
  description: "Display name; null without one",
  example: "Ada",
});
const LinksPublic = z.boolean("true or false").meta({
  description: "Whether the handles of linked accounts are public",
  example: true,
});

/** The body of `PUT /profile`. It replaces everything the owner can edit. */
export const ProfileBody = jsonObject({
  displayName: DisplayName,
  slug: z.string("a slug or null").nullable().meta({
    description:
      "Name of the profile in URLs, or null; a change frees the previous one",
    example: "ada",
  }),
  linksPublic: LinksPublic,
}).meta({ id: "ProfileBody" });
/** The body of `PUT /profile`. */
export type ProfileBody = z.infer<typeof ProfileBody>;

const SocialKind = z.enum(SOCIAL_KINDS).meta({
  description: "Kind of the linked account",
  example: "github",
});
const Handle = z.string().meta({
  description: "Name of the account at its service",
  example: "ada-lovelace",
});
const VerifiedAt = Instant.meta({ description: "When the link was verified" });
const Usdc = z.string().meta({
  description: "Amount in USDC, with two or six decimals",
  example: "12.50",
});

/** The path parameters of a followed address. */
export const FollowPath = z.object({
  address: Address.openapi({
    param: { name: "address", in: "path" },
    description: "The address to follow",
    example: "0x52908400098527886E0F7030069857D2E4169EE7",
  }),
});

/** The public fields of a profile. */
const shown = {
  address: LowerCaseAddress,
  displayName: DisplayName,
  resembles: z.string().nullable().meta({
    description:
      "Reserved name that the display name contains or looks like; show a warning beside the name; null without one",
    example: null,
  }),
  slug: z.string().nullable().meta({
    description: "Name of the profile in URLs; null without one",
    example: "ada",
  }),
  paidSlug: z.boolean().meta({
    description: "Whether the slug was bought",
    example: false,
  }),
  verifiedHuman: z.int().nullable().meta({
    description: "Permanent Verified Human number; null without one",
    example: 7,
  }),
  verifiedHumanEvidence: NumberEvidence,
  donatedUsdc: Usdc.meta({
    description:
      "Counted donations to other profiles. Donations received within 30 days of a donation are deducted. Of several donations to one profile within 30 days, only the largest counts. Nothing counts between wallets of which one funded the other first, or sent it all it had",
  }),
  followers: z.int().nonnegative().meta({
    description: "Number of followers",
    example: 12,
  }),
  following: z.int().nonnegative().meta({
    description: "Number of followed addresses",
    example: 8,
  }),
  hidden: z.boolean().meta({
    description:
      "Whether the operator hid the names and the linked accounts after a report; only the owner sees them then",
    example: false,
  }),
};

/** The answer of `PUT` and `DELETE /follows/{address}`. */
export const FollowAnswer = z.object({
  address: LowerCaseAddress,
  since: Instant.nullable().meta({
    description: "When you followed it; null if you do not follow it",
  }),
  mutual: z.boolean().meta({
    description: "Whether both addresses follow each other",
    example: false,
  }),
  followers: shown.followers,
}).meta({ id: "Follow" });
/** The answer of `PUT` and `DELETE /follows/{address}`. */
export type FollowAnswer = z.infer<typeof FollowAnswer>;

/** The conditions of a Verified Human number. */
export const HUMAN_CONDITIONS = [
  "profile",
  "evidence",
  "walletHistory",
] as const;
/** A condition of a Verified Human number. */
export type HumanCondition = typeof HUMAN_CONDITIONS[number];

/** The answer of `GET /profile`. */
export const OwnProfile = z.object({
  ...shown,
  claimedAt: Instant.nullable().meta({
    description: "When the profile was claimed; null before it is first saved",
  }),
  linksPublic: LinksPublic,
  socials: z.array(z.object({
    kind: SocialKind,
    handle: Handle,
    verifiedAt: VerifiedAt,
  })).meta({ description: "Linked accounts" }),
  premiumMonths: z.int().meta({
    description: "Months of premium membership bought so far",
    example: 3,
  }),
  verifiedHumanMissing: z.array(z.enum(HUMAN_CONDITIONS)).meta({
    description:
      "What the wallet lacks for a Verified Human number: a claimed profile, evidence (a proof of a unique human on another chain, or several linked accounts that are each old and used and earned no other number), or a wallet with a known history; empty with a number",
    example: ["evidence"],
  }),
}).meta({ id: "OwnProfile" });
/** The answer of `GET /profile`. */
export type OwnProfile = z.infer<typeof OwnProfile>;

/** The answer of `GET /api/profiles/{addressOrSlug}`. */
export const PublicProfile = z.object({
  ...shown,
  claimedAt: Instant.meta({ description: "When the profile was claimed" }),
  socials: z.array(z.object({
    kind: SocialKind,
    handle: Handle.nullable().meta({
      description:
        "Name of the account at its service; null if the owner keeps it private, and always for email",
    }),
    verifiedAt: VerifiedAt,
  })).meta({ description: "Linked accounts" }),
}).meta({ id: "Profile" });
/** The answer of `GET /api/profiles/{addressOrSlug}`. */
export type PublicProfile = z.infer<typeof PublicProfile>;

/** The answer of `DELETE /profile`. */
export const DeletedProfile = z.object({
  address: LowerCaseAddress,
  remainingFollows: z.int().nonnegative().meta({
    description:
      "Follows of the deleted profile that a job removes within the hour; until then the address cannot follow others",
    example: 0,
  }),
}).meta({ id: "DeletedProfile" });
/** The answer of `DELETE /profile`. */
export type DeletedProfile = z.infer<typeof DeletedProfile>;

const DonatedAt = Instant.meta({
  description: "Time of the last block of that day with such a donation",
});
const CountedUsdc = Usdc.meta({
  description: "What still counts of the donations of that day, in USDC",
});

/** The answer of `GET /profile/export`. */
export const ProfileExport = z.object({
  exportedAt: Instant.meta({ description: "When this was read" }),
  profile: OwnProfile,
  following: z.array(
    z.object({
      address: LowerCaseAddress,
      since: Instant.meta({ description: "When you followed it" }),
    }),
  ).meta({ description: "The addresses that you follow" }),
  followers: z.array(LowerCaseAddress).meta({
    description: "The addresses that follow you",
  }),
  donations: z.object({
    given: z.array(
      z.object({ at: DonatedAt, to: LowerCaseAddress, usdc: CountedUsdc }),
    ).meta({ description: "Donations that you gave, by day and receiver" }),
    received: z.array(z.object({ at: DonatedAt, usdc: CountedUsdc })).meta({
      description: "Donations that you received, by day",
    }),
  }).meta({
    description: "The donations that later ones are compared with",
  }),
}).meta({ id: "ProfileExport" });
/** The answer of `GET /profile/export`. */
export type ProfileExport = z.infer<typeof ProfileExport>;

/** The path parameters of a public profile. */
export const ProfilePath = z.object({
  addressOrSlug: z.string().openapi({
    param: { name: "addressOrSlug", in: "path" },
    description: "A C-Chain address or a slug",
    example: "ada",
  }),
});

/** The path parameters of a linked account. */
export const SocialPath = z.object({
  kind: SocialKind.openapi({ param: { name: "kind", in: "path" } }),
});

/** The answer that starts a sign-in at another service. */
export const SignInAnswer = z.object({
  url: z.url().meta({
    description: "Where to sign in; open it in the same browser",
    example: "https://github.com/login/oauth/authorize?client_id=id",
  }),
  expiresAt: Instant.meta({ description: "When the sign-in expires" }),
}).meta({ id: "SignIn" });
/** The answer that starts a sign-in at another service. */
export type SignInAnswer = z.infer<typeof SignInAnswer>;

/** The body of `POST /socials/domain` and of `POST /socials/domain/verify`. */
export const DomainBody = jsonObject({
  domain: z.string(DOMAIN).meta({
    description: "The registered domain to link",
    example: "example.com",
  }),
}).meta({ id: "DomainBody" });

/** The answer of `POST /socials/domain`: the DNS record to publish. */
export const DomainAnswer = z.object({
  domain: z.string().meta({
    description: "The domain to link",
    example: "example.com",
  }),
  record: z.object({
    type: z.literal("TXT").meta({ description: "Type of the record" }),
    name: z.string().meta({
      description: "Name of the record",
      example: "_firn.example.com",
    }),
    value: z.string().meta({
      description: "Exact text of the record",
      example: "firn-verification=c8LwyZ3jVb0mN4hQxkT2uA",
    }),
  }).meta({ description: "The DNS record to publish" }),
  expiresAt: Instant.meta({
    description: "When the record can no longer be verified",
  }),
}).meta({ id: "DomainClaim" });
/** The answer of `POST /socials/domain`. */
export type DomainAnswer = z.infer<typeof DomainAnswer>;

/** Minimum donation in base units: one cent. */
export const MIN_DONATION = 10_000n;

/** The body of `POST /donations`. */
export const DonationBody = jsonObject({
  to: Address.openapi({
    description: "Address of the profile that received the donation",
    example: "0x6813eb9362372eef6200f3b1dbc3f819671cba69",
  }),
  txHash: TxHash.meta({
    description: "Hash of the transaction that transferred the USDC",
  }),
}).meta({ id: "DonationBody" });
/** The body of `POST /donations`. */
export type DonationBody = z.infer<typeof DonationBody>;

/** The answer of `POST /donations` for a final transfer. */
export const DonationAnswer = z.object({
  status: z.literal("recorded").meta({
    description: "recorded: the donation is final",
  }),
  to: LowerCaseAddress.meta({
    description: "Address of the profile that received the donation",
    example: "0x6813eb9362372eef6200f3b1dbc3f819671cba69",
  }),
  txHash: z.string().meta({
    description: "Hash of the transaction, lower-case",
    example:
      "0xf52ad937a2917aa1833dbc43e7ab41a853d2885aef30739d258499c13e4400e0",
  }),
  usdc: Usdc.meta({ description: "Amount of the donation in USDC" }),
  countedUsdc: Usdc.meta({
    description:
      "Part of the amount that counts towards the score, in USDC; donations received within 30 days reduce it",
  }),
  at: Instant.meta({ description: "Time of the transaction's block" }),
}).meta({ id: "Donation" });
/** The answer of `POST /donations` for a final transfer. */
export type DonationAnswer = z.infer<typeof DonationAnswer>;
