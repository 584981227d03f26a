import { BYTES_PER_UNIT, visitInTurns, mapInTurns, type Work } from '../../../common/work/work.ts';
import type { Account } from '../../../chain/accounts.ts';
import type { Chain } from '../../../chain/chain.ts';
import type { Address } from '../../../solana/address.ts';
import type { Instruction } from '../../../solana/messages/instruction.ts';
import { deriveAssociatedTokenAddress } from '../../../solana/pda.ts';
import { TOKEN_2022_PROGRAM, TOKEN_PROGRAM } from '../../../solana/program-addresses.ts';
import { burn, closeAccount } from '../../../solana/programs/token/instructions.ts';
import { harvestWithheldFees } from '../../../solana/programs/token/transfer-fee.ts';
import { type Obstacle, findClosingObstacle, getWithheldFees } from '../holdings/closable.ts';
import { decodeIfTokenAccount } from '../holdings/holdings.ts';
import { findClaimedMints, type KeepReason, type WorthDependencies, findKeepReason } from './worth.ts';

/** An account that is closed, with what has to happen before. */
export interface ReclaimClosing {
  readonly mint: Address;
  readonly address: Address;
  readonly program: Address;
  /** What the owner gets back. */
  readonly lamports: bigint;
  /** Atoms that are burned, which is the whole balance; 0 for an empty account. */
  readonly burned: bigint;
  /** Whether withheld transfer fees are moved to the mint. They never belonged to the owner. */
  readonly harvests: boolean;
}

export type SkipReason =
  | Obstacle
  | KeepReason
  /** The wallet has no associated account of the mint. */
  | 'not-found'
  /** A program refuses to close it. */
  | 'refused';

export interface Skipped {
  readonly mint: Address;
  readonly reason: SkipReason;
}

export interface ReclaimRequest {
  readonly owner: Address;
  readonly mints: readonly Address[];
  /** Whether balances that are worthless are burned. Otherwise no account with a balance is closed. */
  readonly burnsWorthless: boolean;
}

/** The accounts to close, and the mints of which none is. */
export interface Closings {
  readonly closings: readonly ReclaimClosing[];
  readonly skipped: readonly Skipped[];
}

/**
 * Reads the associated accounts of a wallet for some mints, and decides which are closed.
 *
 * @throws ChainUnavailable when the network does not answer
 */
export async function findClosings(
  dependencies: WorthDependencies & { readonly chain: Pick<Chain, 'getAccounts'> },
  { owner, mints, burnsWorthless }: ReclaimRequest,
  work: Work,
): Promise<Closings> {
  const programs = [TOKEN_PROGRAM, TOKEN_2022_PROGRAM];
  const derived = await mapInTurns(
    work,
    mints,
    (mint) => ({
      mint,
      associated: programs.map((program) => ({
        program,
        address: deriveAssociatedTokenAddress(owner, mint, program),
      })),
    }),
    () => programs.length * BYTES_PER_UNIT,
  );
  const addresses = derived.flatMap(({ mint, associated }) => [
    mint,
    ...associated.map(({ address }) => address),
  ]);
  const read = await dependencies.chain.getAccounts(addresses, 'confirmed');
  const accounts = new Map(read.map(({ address, account }) => [address, account]));
  const claimed = burnsWorthless ? await findClaimedMints(dependencies, owner, work) : null;
  const closings: ReclaimClosing[] = [];
  const skipped: Skipped[] = [];
  await visitInTurns(work, derived, ({ mint, associated }) => {
    const held = associated.flatMap(({ program, address }) => {
      const account = accounts.get(address) ?? null;
      return account?.owner === program ? [{ address, account }] : [];
    });
    if (held.length === 0) skipped.push(skip(mint, 'not-found'));
    for (const { address, account } of held) {
      const keeps = (atoms: bigint): SkipReason | null => {
        if (dependencies.tokens.isVerified(mint)) return 'verified';
        if (!burnsWorthless) return 'balance';
        return findKeepReason(dependencies, mint, atoms, accounts.get(mint) ?? null, claimed);
      };
      const judged = judge({ owner, mint, address, account }, keeps);
      if ('reason' in judged) skipped.push(judged);
      else closings.push(judged);
    }
  });
  return { closings, skipped };
}

/** @param keeps - Returns why a balance is kept; null if it is burned. */
function judge(
  { owner, mint, address, account }: { owner: Address; mint: Address; address: Address; account: Account },
  keeps: (atoms: bigint) => SkipReason | null,
): ReclaimClosing | Skipped {
  const token = decodeIfTokenAccount(address, account.data);
  // An associated account can be given to another owner, who alone may close it then.
  if (token === null || token.owner !== owner) return skip(mint, 'not-found');
  const obstacle = findClosingObstacle(token, owner);
  const reason = obstacle === 'balance' ? keeps(token.amount) : obstacle;
  if (reason !== null) return skip(mint, reason);
  return {
    mint,
    address,
    program: account.owner,
    lamports: account.lamports,
    burned: token.amount,
    harvests: getWithheldFees(token) > 0n,
  };
}

export function skip(mint: Address, reason: SkipReason): Skipped {
  return { mint, reason };
}

/** Returns the instructions that close an account in favour of its owner, or fail if it holds more by then. */
export function createAccountClosingInstructions(
  { mint, address, program, burned, harvests }: ReclaimClosing,
  owner: Address,
): readonly Instruction[] {
  const instructions: Instruction[] = [];
  if (burned > 0n)
    instructions.push(burn(program, { mint, account: address, authority: owner, amount: burned }));
  if (harvests) instructions.push(harvestWithheldFees(mint, [address]));
  instructions.push(closeAccount(program, { account: address, destination: owner, authority: owner }));
  return instructions;
}
