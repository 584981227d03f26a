import type { AccountUpdate } from '../../chain/accounts.ts';
import type { Address } from '../../solana/address.ts';
import { deriveOutcomeTokens } from '../../protocols/bisonfi-forecast/forecast-program.ts';
import { TOKEN_2022_PROGRAM } from '../../solana/program-addresses.ts';
import { ordinaryTokenAccount } from '../token-account.ts';

/** Creates an update of an owner's token account of outcome tokens; null tells that the account is gone. */
export function createOutcomeUpdate(
  tokens: { readonly owner: Address; readonly mint: Address; readonly amount: bigint } | null,
  { address, slot = 1n }: { readonly address?: Address; readonly slot?: bigint } = {},
): AccountUpdate {
  if (tokens === null) {
    if (address === undefined) throw new Error('an account that is gone needs an address');
    return { address, slot, account: null };
  }
  return {
    address: address ?? deriveOutcomeTokens(tokens.owner, tokens.mint),
    slot,
    account: {
      lamports: 1n,
      owner: TOKEN_2022_PROGRAM,
      executable: false,
      rentEpoch: 0n,
      data: ordinaryTokenAccount(tokens),
    },
  };
}
