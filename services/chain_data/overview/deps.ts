/** What all of chain data uses. */
import type { CChain } from "../blocks/c_chain_client.ts";
import type { SecondSourceDeps } from "../checks/deps.ts";
import type { PlatformChain } from "../validators/platform_chain_client.ts";

/** What all of chain data uses. */
export interface ChainDataDeps extends SecondSourceDeps {
  readonly upstream: SecondSourceDeps["upstream"] & {
    readonly cChain: CChain;
    readonly platformChain: PlatformChain;
  };
}
