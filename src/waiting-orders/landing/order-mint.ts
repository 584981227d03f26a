import type { Account } from '../../chain/accounts.ts';
import { decodeFromChain } from '../../chain/chain.ts';
import type { Address } from '../../solana/address.ts';
import { isTokenProgram } from '../../solana/program-addresses.ts';
import { decodeMint, isMint, type Mint } from '../../solana/programs/token/mint.ts';

/** A mint, and the program that owns it. */
export interface OrderMint {
  readonly mint: Address;
  readonly tokenProgram: Address;
  readonly facts: Pick<Mint, 'decimals' | 'extensions'>;
}

/**
 * Reads what an account says about a mint.
 *
 * Returns null if the account is no mint of a token program.
 * @throws ChainUnavailable when the mint has an extension that cannot be decoded
 */
export function readOrderMint(mint: Address, account: Account | null): OrderMint | null {
  if (account === null || !isTokenProgram(account.owner) || !isMint(account.data)) return null;
  const facts = decodeFromChain(mint, () => decodeMint(account.data));
  return { mint, tokenProgram: account.owner, facts };
}
