import type { Address } from '../../solana/address.ts';
import { isTokenProgram } from '../../solana/program-addresses.ts';
import { decodeMint } from '../../solana/programs/token/mint.ts';
import { type TransferFeeConfig, findTransferFeeConfig } from '../../solana/programs/token/transfer-fee.ts';
import type { AccountReader } from './venue.ts';
import { cachePerAccount } from './once-per-account.ts';
import { findTransferObstacle } from './untransferable.ts';
import { PoolUnusable } from './unusable-pool.ts';

/** The facts about a mint that a quote needs. */
export interface PoolMint {
  readonly tokenProgram: Address;
  readonly transferFee: TransferFeeConfig | null;
}

/**
 * @throws PoolUnusable if a swap could not move the mint's tokens
 * @throws LayoutInvalid if the account is not a mint
 */
export function readPoolMint(address: Address, read: AccountReader): PoolMint {
  const account = read(address);
  if (account === null) throw new PoolUnusable(`mint ${address} does not exist`);
  if (!isTokenProgram(account.owner)) {
    throw new PoolUnusable(`mint ${address} is owned by ${account.owner}, which is no token program`);
  }
  const { reason, transferFee } = readMintTerms(account);
  if (reason !== null) throw new PoolUnusable(`mint ${address} has ${reason}`);
  return { tokenProgram: account.owner, transferFee };
}

/** The transfer fee of a mint, and the reason why its tokens cannot be transferred; null if they can. */
export const readMintTerms = cachePerAccount(({ data }) => {
  const mint = decodeMint(data);
  return { reason: findTransferObstacle(mint), transferFee: findTransferFeeConfig(mint.extensions) };
});
