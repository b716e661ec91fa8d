/** A network of addresses in a request or a setting. */
import { z } from "zod";

const EXPECTED =
  "an IPv4 or IPv6 network such as 203.0.113.0/24, or one address";

const AnyNetwork = z.union([z.ipv4(), z.ipv6(), z.cidrv4(), z.cidrv6()]);

/** A network in CIDR notation, or one address. */
export const Network = z.string(EXPECTED).refine(
  (text) => AnyNetwork.safeParse(text).success,
  EXPECTED,
);
