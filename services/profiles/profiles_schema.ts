/** Profiles on the wire: what their owners write, and what anybody may read. */
import { z } from "@hono/zod-openapi";
import { Address } from "../accounts/access_schema.ts";
import { SOCIAL_KINDS } from "../scores/model/score_terms_schema.ts";
import { Instant, jsonObject } from "../platform/wire_schema.ts";

const NAME = "a display name, or null for none";
const SLUG = "a slug, or null for none";
const DOMAIN = "a registered domain such as example.com";
const TX_HASH = "a transaction hash: 0x and 64 hexadecimal digits";

/** The body of `PUT /profile`: the whole of what the owner writes. */
export const ProfileBody = jsonObject({
  displayName: z.string(NAME).nullable().meta({ example: "Ada" }),
  slug: z.string(SLUG).nullable().meta({
    description: "The profile's name in addresses; the one before it is freed",
    example: "ada",
  }),
  linksPublic: z.boolean("true or false").meta({
    description: "Whether anybody may see the handles of linked accounts",
  }),
}).meta({ id: "ProfileBody" });
/** The body of `PUT /profile`. */
export type ProfileBody = z.infer<typeof ProfileBody>;

const SocialKind = z.enum(SOCIAL_KINDS).meta({ example: "github" });
const AddressOut = z.string().meta({
  description: "A C-Chain address, lower-case",
  example: "0x52908400098527886e0f7030069857d2e4169ee7",
});
const Usdc = z.string().meta({
  description: "USDC with two or six decimals",
  example: "12.50",
});

const Count = z.int().nonnegative();

/** The path of a followed address. */
export const FollowPath = z.object({
  address: Address.openapi({
    param: { name: "address", in: "path" },
    example: "0x52908400098527886E0F7030069857D2E4169EE7",
  }),
});

/** The answer of `PUT` and `DELETE /follows/{address}`. */
export const FollowAnswer = z.object({
  address: AddressOut,
  since: Instant.nullable().meta({
    description: "Since when it is followed; null where it is not",
  }),
  mutual: z.boolean().meta({ description: "Whether it follows back" }),
}).meta({ id: "Follow" });
/** The answer of `PUT` and `DELETE /follows/{address}`. */
export type FollowAnswer = z.infer<typeof FollowAnswer>;

/** What a profile shows to everybody. */
const shown = {
  address: AddressOut,
  displayName: z.string().nullable().meta({ example: "Ada" }),
  slug: z.string().nullable().meta({ example: "ada" }),
  paidSlug: z.boolean().meta({ description: "Whether the slug was paid for" }),
  verifiedHuman: z.int().nullable().meta({
    description: "The permanent Verified Human number, null when none",
    example: 7,
  }),
  donatedUsdc: Usdc.meta({
    description:
      "Donations to other profiles; between two of them the largest of 30 days counts",
  }),
  followers: Count,
  following: Count,
};

/** The answer of `GET /profile`. */
export const OwnProfile = z.object({
  ...shown,
  claimedAt: Instant.nullable().meta({
    description: "Null until the profile is first written",
  }),
  linksPublic: z.boolean(),
  socials: z.array(z.object({
    kind: SocialKind,
    handle: z.string(),
    verifiedAt: Instant,
  })),
  premiumMonths: z.int().meta({ description: "Months of membership so far" }),
}).meta({ id: "OwnProfile" });
/** The answer of `GET /profile`. */
export type OwnProfile = z.infer<typeof OwnProfile>;

/** The answer of `GET /api/profiles/{addressOrSlug}`. */
export const PublicProfile = z.object({
  ...shown,
  claimedAt: Instant,
  socials: z.array(z.object({
    kind: SocialKind,
    handle: z.string().nullable().meta({
      description:
        "Null unless the owner made links public; of email always null",
    }),
    verifiedAt: Instant,
  })),
}).meta({ id: "Profile" });
/** The answer of `GET /api/profiles/{addressOrSlug}`. */
export type PublicProfile = z.infer<typeof PublicProfile>;

/** The path of a public profile. */
export const ProfilePath = z.object({
  addressOrSlug: z.string().openapi({
    param: { name: "addressOrSlug", in: "path" },
    description: "A C-Chain address in any case, or a slug",
    example: "ada",
  }),
});

/** The path of a linked account. */
export const SocialPath = z.object({
  kind: SocialKind.openapi({ param: { name: "kind", in: "path" } }),
});

/** The answer that sends somebody to sign in elsewhere. */
export const SignInAnswer = z.object({
  url: z.url().meta({ description: "To be opened in this very browser" }),
  expiresAt: Instant,
}).meta({ id: "SignIn" });
/** The answer that sends somebody to sign in elsewhere. */
export type SignInAnswer = z.infer<typeof SignInAnswer>;

/** The body of `POST /socials/domain` and of `POST /socials/domain/verify`. */
export const DomainBody = jsonObject({
  domain: z.string(DOMAIN).meta({ example: "example.com" }),
}).meta({ id: "DomainBody" });

/** The answer of `POST /socials/domain`: what the zone has to say. */
export const DomainAnswer = z.object({
  domain: z.string().meta({ example: "example.com" }),
  record: z.object({
    type: z.literal("TXT"),
    name: z.string().meta({ example: "_firn.example.com" }),
    value: z.string().meta({
      example: "firn-verification=c8LwyZ3jVb0mN4hQxkT2uA",
    }),
  }),
  expiresAt: Instant,
}).meta({ id: "DomainClaim" });
/** The answer of `POST /socials/domain`. */
export type DomainAnswer = z.infer<typeof DomainAnswer>;

/** The body of `POST /donations`. */
export const DonationBody = jsonObject({
  to: Address.openapi({ description: "The profile that was given to" }),
  txHash: z.string(TX_HASH).regex(/^0x[0-9a-fA-F]{64}$/, TX_HASH)
    .transform((hash) => hash.toLowerCase())
    .meta({ description: "The transaction that moved the USDC" }),
}).meta({ id: "DonationBody" });
/** The body of `POST /donations`. */
export type DonationBody = z.infer<typeof DonationBody>;

/** The answer of `POST /donations` about a transfer that is final. */
export const DonationAnswer = z.object({
  status: z.literal("recorded"),
  to: AddressOut,
  txHash: z.string(),
  usdc: Usdc,
  countedUsdc: Usdc.meta({ description: "How much of it counts" }),
  at: Instant.meta({ description: "The time of its block" }),
}).meta({ id: "Donation" });
/** The answer of `POST /donations` about a transfer that is final. */
export type DonationAnswer = z.infer<typeof DonationAnswer>;
