import { callRpc } from '../api/network.ts';

const TOKEN_PROGRAM = 'TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA';

/** What a wallet has, in smallest units. */
export interface WalletBalances {
  readonly lamports: bigint;
  /** By mint: of the first token program, and all accounts of a mint together. */
  readonly tokens: ReadonlyMap<string, bigint>;
}

interface ParsedTokenAccount {
  readonly account: {
    readonly data: {
      readonly parsed: {
        readonly info: { readonly mint: string; readonly tokenAmount: { readonly amount: string } };
      };
    };
  };
}

/** Reads what a wallet has, from the embedded network. @throws Error if it cannot be read */
export async function fetchBalances(address: string): Promise<WalletBalances> {
  const commitment = { commitment: 'confirmed' };
  const [balance, accounts] = await Promise.all([
    callRpc<{ readonly value: number }>('getBalance', [address, commitment]),
    callRpc<{ readonly value: readonly ParsedTokenAccount[] }>('getTokenAccountsByOwner', [
      address,
      { programId: TOKEN_PROGRAM },
      { ...commitment, encoding: 'jsonParsed' },
    ]),
  ]);
  const tokens = new Map<string, bigint>();
  for (const { account } of accounts.value) {
    const { mint, tokenAmount } = account.data.parsed.info;
    tokens.set(mint, (tokens.get(mint) ?? 0n) + BigInt(tokenAmount.amount));
  }
  return { lamports: BigInt(balance.value), tokens };
}
