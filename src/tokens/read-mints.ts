import type { Account } from '../chain/accounts.ts';
import type { Chain } from '../chain/chain.ts';
import type { Address } from '../solana/address.ts';
import { decodeMint } from '../solana/programs/token/mint.ts';
import {
  type DisplayMetadata,
  readMetadataAccount,
  readMintMetadata,
} from '../solana/programs/token-metadata/display.ts';
import { deriveMetadataAddress } from '../solana/programs/token-metadata/program.ts';
import { type MintFacts, decodeMintFacts } from '../market/mint-facts.ts';
import type { TokenText } from './facts/token.ts';

/** RPC nodes answer at most this many accounts at once. */
export const MAX_READ = 100;

/** A mint as the chain has it. */
export interface ReadMint {
  readonly mint: Address;
  readonly account: Account;
  readonly facts: MintFacts;
  /** Null if it has no metadata of either kind. */
  readonly text: TokenText | null;
}

/**
 * Reads mints and their metadata, by two calls of the chain at most.
 *
 * @param mints - At most 100.
 * @param known - Returns an account that is known to be current, so that it need not be read.
 * @returns those that are mints of a token program
 * @throws ChainUnavailable if the chain does not answer
 */
export async function readMints(
  chain: Pick<Chain, 'getAccounts'>,
  mints: readonly Address[],
  known: (mint: Address) => Account | null = () => null,
): Promise<readonly ReadMint[]> {
  const accounts = new Map<Address, Account>();
  const unknown: Address[] = [];
  for (const mint of mints) {
    const account = known(mint);
    if (account === null) unknown.push(mint);
    else accounts.set(mint, account);
  }
  const updates = unknown.length === 0 ? [] : await chain.getAccounts(unknown, 'processed');
  for (const { address, account } of updates) if (account !== null) accounts.set(address, account);
  const found: ReadMint[] = [];
  const withoutText: ReadMint[] = [];
  for (const [mint, account] of accounts) {
    const facts = decodeMintFacts(account);
    if (facts === null) continue;
    const text = ownText(mint, account);
    (text === null ? withoutText : found).push({ mint, account, facts, text });
  }
  if (withoutText.length === 0) return found;
  const metadata = await chain.getAccounts(
    withoutText.map(({ mint }) => deriveMetadataAddress(mint)),
    'processed',
  );
  for (const [index, each] of withoutText.entries()) {
    found.push({ ...each, text: toTokenText(readMetadataAccount(metadata[index]?.account ?? null)) });
  }
  return found;
}

/** The metadata within a Token-2022 mint, or null. */
function ownText(mint: Address, { data }: Account): TokenText | null {
  return toTokenText(readMintMetadata(mint, decodeMint(data).extensions));
}

function toTokenText(metadata: DisplayMetadata | null): TokenText | null {
  return metadata === null ? null : { name: metadata.name, symbol: metadata.symbol };
}
