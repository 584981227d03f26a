import type { Address } from '../../../solana/address.ts';

/** What the faucet has given. */
export interface FaucetGift {
  readonly signatures: readonly string[];
  readonly lamports: bigint;
  readonly tokenAmounts: readonly { readonly mint: Address; readonly amount: bigint }[];
}

/** The embedded network as the pages of the portal use it. */
export interface PortalNetwork {
  /**
   * Answers the text of a JSON-RPC call.
   *
   * @throws RequestInvalid if the answer is larger than a page can show; Unavailable if there is none
   */
  readonly callRpc: (text: string) => Promise<Buffer>;
  /**
   * Gives SOL and USDC to a wallet. Resolves when both are confirmed, so that products see them.
   *
   * @throws NetworkRefused if the faucet has not enough; Unavailable if the gift is not confirmed in time
   */
  readonly fundWallet: (wallet: Address) => Promise<FaucetGift>;
  /** Unix milliseconds. */
  readonly now: () => number;
}
