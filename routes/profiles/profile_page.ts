/** The public page of a profile, by address or slug. */
import { html } from "hono/html";
import type { SocialKind } from "../../services/model/score_terms_schema.ts";
import {
  FOLLOW_LISTS,
  type FollowList,
  type ListedProfile,
  type ProfilePage,
  readProfilePage,
} from "../../services/scores/profile_page.ts";
import type { ReasonKind } from "../../services/model/reasons_schema.ts";
import type { Reason, ScoreRead } from "../../services/model/scores_schema.ts";
import { dayTime, shortAddress, showUsdc } from "../pages/dates.ts";
import type { Html, Page } from "../pages/layout.ts";
import { face } from "../pages/face.ts";
import { unbroken } from "../pages/unbroken.ts";
import {
  DIMENSION_WORDS,
  evidenceWords,
  SOCIAL_WORDS,
} from "../scores/score_words.ts";
import { nameNotice } from "../scores/score_page_view.ts";
import { heroCard } from "../scores/score_parts.ts";
import {
  FOLLOW_ASSETS,
  followBar,
  type FollowSettings,
  readVisitor,
} from "../scores/follow_bar.ts";
import { z } from "@hono/zod-openapi";
import { routePath } from "hono/route";
import { Address } from "../../services/platform/address_schema.ts";
import { waitOutside } from "../../services/platform/cache.ts";
import { query } from "../../services/platform/wire_schema.ts";
import {
  readName,
  resolveName,
} from "../../services/profiles/avax_names_client.ts";
import type { AppDeps } from "../http/deps.ts";
import { answerPage } from "../pages/page.ts";
import { pageContent } from "../pages/page_content.ts";
import type { ResponseCache } from "../http/response_cache.ts";
import type { RenderQueue } from "../http/render_queue.ts";
import { newRouter } from "../http/router.ts";
import { checkQuery } from "../http/validation_errors.ts";
import { networkOfClient } from "../http/client_address.ts";

const PageQuery = query({
  list: z.enum(FOLLOW_LISTS).default("followers"),
  after: Address.optional(),
});

/** The page of a visitor without a session is rendered again after this time. */
const KEEP = { forMs: 15_000, isPersonal: true };

/** The profile has another path now. */
class MovedProfile extends Error {
  constructor(readonly path: string) {
    super(`The profile is at ${path}`);
  }
}

/** Serves the pages under `/profiles`. */
export function profilePages(
  deps: AppDeps,
  pages: ResponseCache,
  renders: RenderQueue,
) {
  const { publicUrl, securityContact } = deps;

  return newRouter().get("/:addressOrSlug", async (c) => {
    const given = c.req.param("addressOrSlug");
    const checked = Address.safeParse(given);
    const name = readName(deps, given);
    const { list, after = null } = checkQuery(c, PageQuery);
    const { settings, headers } = await readVisitor(deps, c);
    const viewer = settings.wallet;
    const render = async (client: string | undefined) => {
      const addressOrSlug = name === null
        ? checked.data ?? given
        : await waitOutside(() => resolveName(deps, name, client));
      const order = { addressOrSlug, list, after, viewer };
      const page = await readProfilePage(deps, order);
      const path = page.profile?.slug ?? page.address;
      if (name === null && path !== given) throw new MovedProfile(path);
      return profilePage(page, {
        settings,
        publicUrl,
        securityContact,
        name,
      });
    };
    try {
      if (viewer === null) {
        return await pages.send(
          c,
          { list, after },
          async ({ client }) =>
            pageContent(await render(client), deps.now(), KEEP),
        );
      }
      const client = networkOfClient(deps, c);
      const page = await renders.run(client, () => render(client), {
        route: routePath(c),
      });
      return await answerPage(c, page, { headers });
    } catch (error) {
      if (!(error instanceof MovedProfile)) throw error;
      const { search } = new URL(c.req.url);
      return c.redirect(`/profiles/${error.path}${search}`, 302);
    }
  });
}

/** Where a linked account can be visited; kinds that are left out have no page. */
const PLACES: Partial<Record<SocialKind, (handle: string) => string>> = {
  github: (handle) => `https://github.com/${handle}`,
  domain: (handle) => `https://${handle}`,
};

/** Names of the kinds of linked accounts. */
const KINDS: Readonly<Record<SocialKind, string>> = {
  ...SOCIAL_WORDS,
  domain: "domain",
  email: "e-mail address",
};

const LISTS: Readonly<Record<FollowList, { label: string; none: string }>> = {
  followers: { label: "Followers", none: "Nobody follows this address yet." },
  following: { label: "Following", none: "This address follows nobody yet." },
};

/** Renders the page of a claimed or unclaimed address. */
export function profilePage(
  page: ProfilePage,
  { settings, publicUrl, securityContact, name: given = null }: {
    readonly settings: FollowSettings;
    readonly publicUrl: string;
    /** Where a visitor writes to about the profile. Null if nowhere. */
    readonly securityContact: string | null;
    /** The name that the visitor asked for, which leads to the address; null for an address or a slug. */
    readonly name?: string | null;
  },
): Page {
  const { address, profile, read } = page;
  const name = profile?.displayName ?? shortAddress(address);
  const path = profile?.slug ?? address;
  return {
    title: `${name}: profile`,
    description:
      `${name} on Firn: score, linked accounts and followers of the Avalanche C-Chain address ${address}.`,
    nav: "score",
    url: `${publicUrl}/profiles/${path}`,
    picture: `${publicUrl}/card/profile/${path}.png`,
    isIndexed: profile !== null && !profile.hidden,
    styles: ["score.css", ...FOLLOW_ASSETS.styles],
    modules: FOLLOW_ASSETS.modules,
    body: html`<div class="stack stack-large">
<header class="stack">
<div class="with-face">${face(address, 72)}
<div class="stack stack-small">
<p class="eyebrow">Profile</p>
<h1 class="${profile?.displayName ? "" : "address mono"}">${
      profile?.displayName ?? address
    }</h1>
${resemblance(page)}
${
      profile?.displayName
        ? html`<p class="mono break-anywhere">${address}</p>`
        : ""
    }
</div></div>
${given === null ? "" : nameNotice(given, `/profiles/${path}`)}
${followBar(page, { settings, more: giveLink(page, settings) })}
</header>
${profile === null ? claimCard(address, settings) : aboutCard(profile)}
<div class="stack">${
      read
        ? html`${heroCard(read)}${evidenceCard(read)}`
        : html`<p class="card">No score yet.</p>`
    }
<p><a class="button" href="/tools/score/${address}">Open the score page</a></p></div>
${followSection(page, path)}
${
      profile === null || securityContact === null ||
        settings.wallet === address
        ? ""
        : html`
          <p
            class="small muted"><a href="${securityContact}">Write to the operator about this profile</a></p>
        `
    }
</div>`,
  };
}

function resemblance({ profile }: ProfilePage): Html | "" {
  return profile?.resembles
    ? html`<p><span class="badge badge-warn">Chosen name</span> It looks like “${profile.resembles}”. Nobody has verified that it belongs there.</p>`
    : "";
}

function giveLink(
  { address, profile }: ProfilePage,
  { wallet }: FollowSettings,
): Html | "" {
  if (profile === null || wallet === address) return "";
  const to = profile.slug ?? address;
  return html`
    <a class="button"
      href="/dashboard/profile?donate=${to}#donations">Donate</a>
  `;
}

function claimCard(address: string, { wallet }: FollowSettings): Html {
  return html`
    <section class="card stack stack-small" aria-labelledby="claim">
      <h2 id="claim">Is this yours? Claim it</h2>
      <p>Nobody has claimed ${unbroken(
        shortAddress(address),
      )}. Sign in with its wallet to give it a name and link accounts.${wallet ===
          null
        ? ""
        : " You are signed in with another wallet."}</p>
      <p><a class="button button-primary" href="/dashboard/profile">Claim it</a></p>
    </section>
  `;
}

/** Renders what speaks for the address and what against it; its score page has the figures. */
function evidenceCard(
  { explanation: { reasons, confidence } }: ScoreRead,
): Html {
  const of = (wanted: ReasonKind) =>
    reasons.filter(({ kind }) => kind === wanted);
  const titles = (some: readonly Reason[], badge: string) =>
    html`<ul class="grid is-even listed">${
      some.map(({ title, dimension }) =>
        html`<li><span class="badge ${badge}">${title}</span> <span class="small muted">${
          DIMENSION_WORDS[dimension].label
        }</span></li>`
      )
    }</ul>`;
  const [good, bad] = [of("positive"), of("risk")];
  return html`
    <section class="card stack stack-small" aria-labelledby="evidence">
      <h2 id="evidence">Evidence</h2>
      ${good.length === 0
        ? html`<p class="muted">No evidence in its favour yet.</p>`
        : titles(good, "badge-good")}
      ${bad.length === 0 ? "" : titles(bad, "badge-warn")}
      <p class="small muted">${confidence.label}. ${confidence.detail}</p>
    </section>
  `;
}

function aboutCard(
  profile: NonNullable<ProfilePage["profile"]>,
): Html {
  const { claimedAt, paidSlug, slug, donatedUsdc, socials, hidden } = profile;
  const { verifiedHuman, verifiedHumanEvidence: evidence } = profile;
  return html`
    <section class="card stack stack-small" aria-labelledby="about">
      <h2 id="about">About</h2>
      ${hidden
        ? html`
          <p
            class="notice">The operator hid the names and links of this profile after a report.</p>
        `
        : ""}
      <dl class="facts">
    ${slug === null
      ? ""
      : fact("Name", html`${slug}${paidSlug ? " (bought)" : ""}`)}
    ${fact(
      "Verified Human",
      verifiedHuman === null
        ? "no"
        : `#${verifiedHuman}. ${
          evidence === null ? "" : evidenceWords(evidence)
        }`,
    )}
    ${fact("Donated", showUsdc(Number(donatedUsdc)))}
    ${fact(
      "Claimed",
      dayTime(claimedAt),
    )}
    ${hidden ? "" : fact(
      "Linked accounts",
      socials.length === 0
        ? "none"
        : html`${
          socials.map(({ kind, handle }, nth) =>
            html`${nth > 0 ? ", " : ""}${unbroken(KINDS[kind])}${
              handle === null ? "" : html`: ${socialLink(kind, handle)}`
            }`
          )
        }`,
    )}
      </dl>
    </section>
  `;
}

const fact = (term: string, value: string | Html): Html =>
  html`
    <dt>${term}</dt>
    <dd>${value}</dd>
  `;

function socialLink(kind: SocialKind, handle: string): Html {
  const place = PLACES[kind];
  return place === undefined
    ? html`${handle}`
    : html`<a href="${place(handle)}" rel="nofollow ugc">${handle}</a>`;
}

function followSection(page: ProfilePage, path: string): Html {
  const { list, listed, next, counts } = page;
  return html`<section class="stack" aria-labelledby="follows">
<h2 id="follows">Follows</h2>
<nav class="segments" aria-label="Lists">${
    Object.entries(LISTS).map(([id, { label }]) => {
      const text = `${label} (${counts[id as FollowList]})`;
      const href = `/profiles/${path}?list=${id}#follows`;
      return id === list
        ? html`<a href="${href}" aria-current="page">${text}</a>`
        : html`<a href="${href}">${text}</a>`;
    })
  }</nav>
${
    listed.length === 0 ? html`<p class="muted">${LISTS[list].none}</p>` : html`
      <div class="card">
        <ul class="grid is-even listed">${listed.map(listedItem)}</ul>
      </div>
    `
  }
${
    next === null
      ? ""
      : html`<p><a class="button" href="/profiles/${path}?list=${list}&after=${next}#follows">Next page</a></p>`
  }
</section>`;
}

function listedItem({ address, displayName, slug }: ListedProfile): Html {
  return html`<li><a href="/profiles/${slug ?? address}">${face(address, 20)} ${
    displayName === null
      ? html`<span class="mono">${shortAddress(address)}</span>`
      : html`<bdi>${displayName}</bdi>`
  }</a>${
    displayName === null ? "" : html`
      <span class="mono muted small">${shortAddress(address)}</span>
    `
  }</li>`;
}
