import { type Chain, ChainUnavailable, decodeFromChain } from '../../chain/chain.ts';
import { type Timers, wait } from '../../common/ports/timers.ts';
import type { Address } from '../../solana/address.ts';
import { decodeTokenAccount, isTokenAccount } from '../../solana/programs/token/account.ts';
import { isTokenProgram } from '../../solana/program-addresses.ts';
import { minimum } from '../../solana/units.ts';

/** How an account of a vault stands. */
export type VaultAccount =
  /** It is a token account of the vault. `amount` is in atoms. */
  | { readonly kind: 'held'; readonly amount: bigint }
  /** It does not exist, is no token account, or is another's. */
  | { readonly kind: 'gone' }
  /** The nodes do not answer, are behind, or contradict each other. */
  | { readonly kind: 'unknown' };

/** How many answers have to agree. Nodes behind one address do not all know the same. */
const MIN_ANSWERS = 3;
const MAX_QUESTIONS = 12;
const PAUSE_MS = 400;
const UNKNOWN = { kind: 'unknown' } as const;

/**
 * Finds out how an account of a vault stands, where that decides how a transaction ended that the nodes deny. An answer counts that
 * knows all blocks which are confirmed now, and several have to agree, because some ends of an order cannot be taken back.
 *
 * Of several amounts, it returns the least: strangers may add to an account.
 */
export async function readAgreedVaultAccount(
  { chain, timers }: { readonly chain: Chain; readonly timers: Timers },
  account: Address,
  vault: Address,
): Promise<VaultAccount> {
  const since = chain.slot('confirmed');
  let agreed: VaultAccount | null = null;
  for (let questions = 1, answers = 0; questions <= MAX_QUESTIONS; questions++) {
    if (questions > 1) await wait(PAUSE_MS, timers);
    const answer = await readVaultAccount(chain, { account, vault, since });
    if (answer.kind === 'unknown') continue;
    agreed = agreed === null ? answer : agree(agreed, answer);
    if (agreed.kind === 'unknown' || ++answers === MIN_ANSWERS) return agreed;
  }
  return UNKNOWN;
}

function agree(one: VaultAccount, other: VaultAccount): VaultAccount {
  if (one.kind === 'held' && other.kind === 'held') {
    return { kind: 'held', amount: minimum(one.amount, other.amount) };
  }
  return one.kind === other.kind ? one : UNKNOWN;
}

interface VaultQuestion {
  readonly account: Address;
  readonly vault: Address;
  /** A slot that the node must know. */
  readonly since: bigint;
}

async function readVaultAccount(
  chain: Chain,
  { account, vault, since }: VaultQuestion,
): Promise<VaultAccount> {
  try {
    const [read] = await chain.getAccounts([account], 'confirmed');
    if (read === undefined || read.slot < since) return UNKNOWN;
    // Anybody can send lamports to the address of a closed account.
    const found = read.account;
    if (found === null || !isTokenProgram(found.owner) || !isTokenAccount(found.data))
      return { kind: 'gone' };
    const { owner, amount } = decodeFromChain(account, () => decodeTokenAccount(found.data));
    return owner === vault ? { kind: 'held', amount } : { kind: 'gone' };
  } catch (error) {
    if (error instanceof ChainUnavailable) return UNKNOWN;
    throw error;
  }
}
