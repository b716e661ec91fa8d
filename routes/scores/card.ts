/** Pictures that previews of links show: a title, one figure, a few words. */
import { html } from "hono/html";
import {
  TIER_IDS,
  type TierId,
  TIERS,
} from "../../services/model/score_terms_schema.ts";
import type { BadgeScore } from "../../services/scores/public_scores.ts";
import { NO_CHANGE } from "../../services/chain_data/overview/overview_schema.ts";
import {
  drawableName,
  PICTURE_SIZE,
  printable,
} from "../pages/drawable_names.ts";
import { formatPct, formatValue } from "../charts/chart_words.ts";
import { sparkPath } from "../chain_data/sparkline.ts";
import { drawFace } from "../pages/face.ts";
import { type Html, simulatedWords } from "../pages/layout.ts";
import { COLORS as BADGE_COLORS } from "./badge.ts";
import { amongWords } from "./score_words.ts";
import type { ChainMetrics } from "../../services/chain_data/overview/overview.ts";

const { width: WIDTH, height: HEIGHT } = PICTURE_SIZE;

/** Characters that fit, of mean width in the font of the pictures. */
const MAX_TITLE = 28;
const MAX_WORDS = 70;

/** What a picture shows. Texts may come from people. */
interface Card {
  readonly eyebrow: string;
  readonly title: string;
  readonly figure: string;
  readonly caption: string;
  readonly words: string;
  /** Which colour of the look the figure has. */
  readonly color: "accent" | "soft" | TierId;
  /** Whose face stands beside the title. */
  readonly address?: string;
  /** What speaks for it. */
  readonly evidence?: readonly string[];
  /** After the figure. */
  readonly unit?: string;
  /** A line of days, null for a day that is missing; or the tier that is reached. */
  readonly below?: readonly (number | null)[] | TierId;
}

/** The colours of a picture, as in static/styles/firn/tokens.css. */
const LOOKS = {
  light: {
    ground: "#ffffff",
    ink: "#13202a",
    soft: "#586874",
    accent: "#0a6c96",
    track: "#dde5ea",
    tiers: BADGE_COLORS as Readonly<Record<TierId, string>>,
  },
  dark: {
    ground: "#121b22",
    ink: "#e4ecf1",
    soft: "#8d9eaa",
    accent: "#6fc4e8",
    track: "#22303a",
    tiers: {
      starter: "#a3b3be",
      newcomer: "#9db9e6",
      rising: "#5fcabb",
      established: "#6fc4e8",
      elite: "#c1a0f2",
      legendary: "#e6bb55",
    },
  },
} as const;

type Look = keyof typeof LOOKS;

const TIER_GAP = 12;
/** Side of a face in pixels. */
const FACE = 147;

/** Draws the picture of a chain. */
export function chainCard(
  { chain, metrics }: ChainMetrics,
  look: Look = "light",
): Html {
  const { day, value, changePct, noChange, recent } = metrics
    .find(({ metric }) => metric === "txCount")!;
  return card({
    eyebrow: `Avalanche, chain ${chain.chainId}`,
    title: drawableName(chain.chainName, `Chain ${chain.chainId}`),
    figure: value === null ? "No complete day" : formatValue(value),
    caption: day === null ? "" : `transactions on ${day}`,
    words: value === null
      ? "The source has published no complete day of this chain."
      : `7-day change: ${
        changePct === null ? NO_CHANGE[noChange!] : formatPct(changePct)
      }`,
    color: "accent",
    below: recent,
  }, look);
}

/** Draws the picture of a score. */
export function scoreCard(
  address: string,
  facts: BadgeScore,
  look: Look = "light",
): Html {
  return card({
    eyebrow: "Wallet score on Avalanche",
    title: shortened(address),
    address,
    words: facts.composite === null ? address : amongWords(facts.composite),
    ...scoreOf(facts),
  }, look);
}

/** Draws the picture of a profile. */
export function profileCard(
  { address, displayName, followers, facts }: {
    readonly address: string;
    readonly displayName: string | null;
    readonly followers: number;
    readonly facts: BadgeScore;
  },
  look: Look = "light",
): Html {
  const people = followers === 1 ? "1 follower" : `${followers} followers`;
  return card({
    eyebrow: "Profile on Avalanche",
    title: drawableName(displayName ?? "", shortened(address)),
    address,
    words: `${shortened(address)} · ${people}`,
    ...scoreOf(facts),
  }, look);
}

function scoreOf(
  { headline, strengths }: BadgeScore,
): Pick<
  Card,
  "below" | "caption" | "color" | "evidence" | "figure" | "unit"
> {
  if (headline === null) {
    return { figure: "Unrated", caption: "", color: "soft" };
  }
  const { score, tier, tierLabel } = headline;
  return {
    figure: String(score),
    unit: "of 100",
    caption: tierLabel,
    color: tier,
    below: tier,
    evidence: strengths,
  };
}

function shortened(address: string): string {
  return `${address.slice(0, 8)}…${address.slice(-6)}`;
}

function card(
  {
    eyebrow,
    title,
    address,
    figure,
    unit = "",
    caption,
    words,
    color: named,
    ...more
  }: Card,
  look: Look,
): Html {
  const { tiers, ...colors } = LOOKS[look];
  const color = { ...colors, ...tiers }[named];
  const { below = [], evidence = [] } = more;
  const origin = simulatedWords() === "" ? "" : " · simulated";
  return html`
    <svg xmlns="http://www.w3.org/2000/svg" width="${WIDTH}" height="${HEIGHT}"
      viewBox="0 0 ${WIDTH} ${HEIGHT}" font-family="sans-serif">
      <rect width="${WIDTH}" height="${HEIGHT}" fill="${colors.ground}" />
      <rect width="${WIDTH}" height="14" fill="${color}" />
      <text x="70" y="100" font-size="30" fill="${colors
        .soft}">${eyebrow}${origin}</text>
      <text x="70" y="175" font-size="56" font-weight="bold"
        fill="${colors.ink}">${cut(title, MAX_TITLE)}</text>
      <text x="70" y="290" font-size="76" font-weight="bold"
        fill="${color}">${figure}${unit && html`
          <tspan font-size="32" font-weight="normal"
            fill="${colors.soft}">${unit}</tspan>
        `}</text>
      <text x="70" y="345" font-size="32" fill="${colors
        .soft}">${caption}</text>
      ${typeof below === "string"
        ? tierLadder(below, color, colors)
        : lineOf(below, color)}
      ${address === undefined ? "" : html`
        <g transform="translate(${WIDTH - 70 - FACE} 70) scale(${FACE /
          7})">${drawFace(address)}</g>
      `}
      ${evidence.length === 0 ? "" : html`
        <text x="70" y="535" font-size="26" fill="${colors.ink}">${fitting(
          evidence,
        )}</text>
      `}
      <text x="70" y="580" font-size="26" fill="${colors.soft}">${cut(
        words,
        MAX_WORDS,
      )}</text>
      <text x="${WIDTH - 70}" y="580" font-size="30" font-weight="bold"
        text-anchor="end"
        fill="${colors.accent}">Firn</text>
    </svg>
  `;
}

/** Width of what stands below the figure. */
const BELOW_WIDTH = WIDTH - 140;

function lineOf(values: readonly (number | null)[], color: string): Html {
  const path = sparkPath({
    values,
    width: BELOW_WIDTH,
    height: 170,
    fromZero: true,
  });
  return html`
    <path transform="translate(70 370)" d="${path}" fill="none"
      stroke="${color}" stroke-width="4"
      stroke-linejoin="round" stroke-linecap="round" />
  `;
}

/** Draws the tiers as steps of equal width, as the score page does. */
function tierLadder(
  reached: TierId,
  color: string,
  colors: { readonly track: string; readonly soft: string },
): Html {
  const step = (BELOW_WIDTH + TIER_GAP) / TIER_IDS.length;
  return html`${
    TIER_IDS.map((tier, nth) => {
      const { index, label } = TIERS[tier];
      const isReached = index <= TIERS[reached].index;
      const isCurrent = tier === reached;
      return html`
        <g transform="translate(${70 + nth * step} 370)">
          <rect y="60" width="${step - TIER_GAP}" height="10" rx="5"
            fill="${isReached ? color : colors.track}" />
          <text y="106" font-size="24"
            font-weight="${isCurrent ? "bold" : "normal"}"
            fill="${isCurrent ? color : colors.soft}">${label}</text>
        </g>
      `;
    })
  }`;
}

/** Returns the first titles that fit in one line. */
function fitting(titles: readonly string[]): string {
  return titles.reduce((line, title) => {
    const longer = line === "" ? title : `${line} · ${title}`;
    return longer.length <= MAX_WORDS ? longer : line;
  }, "");
}

/** Removes marks that change the reading order, and shortens a text. */
function cut(text: string, most: number): string {
  const letters = [...printable(text)];
  return letters.length <= most
    ? letters.join("")
    : `${letters.slice(0, most - 1).join("")}…`;
}
