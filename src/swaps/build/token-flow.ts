import type { Account } from '../../chain/accounts.ts';
import { createTokenAccount } from '../../market/aggregator/token-accounts.ts';
import { AGGREGATOR_PROGRAM } from '../../protocol/venue/aggregator-program.ts';
import { type Address, toAddressBytes } from '../../solana/address.ts';
import { createAssociatedTokenIdempotent } from '../../solana/programs/associated-token.ts';
import { BoundedCache } from '../../common/collections/bounded-cache.ts';
import type { Instruction } from '../../solana/messages/instruction.ts';
import { deriveAssociatedTokenAddress, findProgramAddress } from '../../solana/pda.ts';
import {
  isPaidOutOnClosing,
  isTokenProgram,
  TOKEN_PROGRAM,
  WRAPPED_SOL_MINT,
} from '../../solana/program-addresses.ts';
import { transferLamports } from '../../solana/programs/system.ts';
import {
  Authority,
  closeAccount,
  setAuthority,
  syncNative,
  unwrapLamports,
} from '../../solana/programs/token/instructions.ts';
import { SwapRefused } from '../refusals.ts';
import {
  type ClosingInstructions,
  type ClosingParties,
  createClosingInstructions,
  TOKEN_ACCOUNT_RENT,
} from '../../transactions/build/closings.ts';
import { lendsRent, type SwapTerms } from './swap-terms.ts';

/** The user's accounts for input and output, and the instructions before and after the route. */
export interface TokenFlow {
  readonly source: Address;
  readonly destination: Address;
  /** Where the program transfers what the destination receives; undefined when it stays in the destination. */
  readonly handedOnTo: Address | undefined;
  readonly setup: readonly Instruction[];
  readonly cleanup: Instruction | null;
  readonly creations: readonly Creation[];
  readonly closings: readonly ClosingInstructions[];
  /** What keeps the payer's rent in an account that stays with the taker from the taker, by account. */
  readonly guards: ReadonlyMap<Address, Instruction>;
}

/** A token account that the setup creates unless it exists. */
export interface Creation {
  readonly account: Address;
  readonly mint: Address;
  /** Who pays the account's rent. */
  readonly paidBy: Address;
  /** Who receives the account's rent after the swap; null if the account stays open. */
  readonly rentGoesTo: Address | null;
}

/**
 * Whether a token account exists. Anybody can send lamports to its address; only an account that a token program owns
 * exists.
 */
export function isOpened(account: Account | null | undefined): boolean {
  return account !== null && account !== undefined && isTokenProgram(account.owner);
}

/**
 * A wallet's token account for `mint` that the tokens pass through, and the instruction that creates it unless it
 * exists.
 */
export interface IntermediateTokenAccount {
  readonly account: Address;
  readonly create: Instruction;
  readonly creation: Creation;
}

const TEMPORARY_SEED = new TextEncoder().encode('token_account');

/** By wallet, because a wallet mostly asks for the same few mints. */
const keptAccounts = new BoundedCache<Address, KeptAccount[]>(1 << 11);
const PER_WALLET = 8;

interface KeptAccount extends IntermediateTokenAccount {
  readonly payer: Address;
  readonly mint: Address;
  readonly tokenProgram: Address;
}

export function getIntermediateTokenAccount(
  owner: Address,
  payer: Address,
  mint: Address,
  tokenProgram: Address,
): IntermediateTokenAccount {
  let kept = keptAccounts.get(owner);
  if (kept === undefined) {
    kept = [];
    keptAccounts.set(owner, kept);
  }
  for (const each of kept) {
    if (each.mint === mint && each.payer === payer && each.tokenProgram === tokenProgram) return each;
  }
  const account = deriveAssociatedTokenAddress(owner, mint, tokenProgram);
  const create = createAssociatedTokenIdempotent({ payer, owner, mint, tokenProgram }, account);
  const found = {
    account,
    create,
    creation: { account, mint, paidBy: payer, rentGoesTo: null },
    payer,
    mint,
    tokenProgram,
  };
  if (kept.length === PER_WALLET) kept.shift();
  kept.push(found);
  return found;
}

/**
 * @param passesTaker - Whether the route has to pay an account of the taker, because the program takes a fee from it with the
 *   taker's signature, or because a step pays no other. What another wallet gets is then handed on.
 * @throws SwapRefused when the output cannot be handed on
 */
export function createTokenFlow(
  request: SwapTerms,
  inputProgram: Address,
  outputProgram: Address,
  passesTaker: boolean,
): TokenFlow {
  const input = createInputEnd(request, inputProgram);
  const output = passesTaker
    ? createPassingEnd(request, outputProgram)
    : createOutputEnd(request, outputProgram);
  return {
    source: input.account,
    destination: output.account,
    handedOnTo: output.handedOnTo,
    setup: [...input.setup, ...output.setup],
    // Input and output are never both wrapped SOL, because the two mints differ.
    cleanup: input.cleanup ?? output.cleanup,
    creations: [...input.creations, ...output.creations],
    closings: output.closings ?? [],
    guards: output.guards ?? new Map(),
  };
}

interface FlowEnd {
  readonly account: Address;
  readonly handedOnTo?: Address;
  readonly setup: readonly Instruction[];
  readonly cleanup: Instruction | null;
  readonly creations: readonly Creation[];
  readonly closings?: readonly ClosingInstructions[];
  readonly guards?: TokenFlow['guards'];
}

function createInputEnd(request: SwapTerms, tokenProgram: Address): FlowEnd {
  const { taker, payer, inputMint, amount, wrapAndUnwrapSol, inputArrives = false, source } = request;
  if (source !== undefined) {
    const { account, unsynced = 0n } = source;
    const setup = unsynced > 0n ? [syncNative(tokenProgram, account)] : [];
    return { account, setup, cleanup: null, creations: [] };
  }
  const { account, create, creation } = getIntermediateTokenAccount(taker, payer, inputMint, tokenProgram);
  if (inputMint !== WRAPPED_SOL_MINT || !wrapAndUnwrapSol || inputArrives) {
    return { account, setup: [], cleanup: null, creations: [] };
  }
  return {
    account,
    setup: [create, transferLamports(taker, account, amount), syncNative(TOKEN_PROGRAM, account)],
    cleanup: unwrapTo(taker, account, taker),
    creations: [{ ...creation, rentGoesTo: taker }],
  };
}

function createOutputEnd(request: SwapTerms, tokenProgram: Address): FlowEnd {
  const { taker, payer, outputMint, destination, wrapAndUnwrapSol } = request;
  if (destination.kind === 'token-account' || destination.kind === 'own-account') {
    return { account: destination.address, setup: [], cleanup: null, creations: [] };
  }
  if (destination.kind === 'native') return createTemporaryEnd(request, destination.address);
  if (destination.kind === 'unwrapped') return createUnwrappedEnd(request, destination.address);
  const owner = destination.kind === 'wallet' ? destination.address : taker;
  if (outputMint !== WRAPPED_SOL_MINT || !wrapAndUnwrapSol || owner !== taker) {
    return createStayingEnd(request, owner, tokenProgram);
  }
  const { account, create, creation } = getIntermediateTokenAccount(owner, payer, outputMint, tokenProgram);
  return {
    account,
    setup: [create],
    cleanup: unwrapTo(taker, account, taker),
    creations: [{ ...creation, rentGoesTo: taker }],
  };
}

/**
 * An output account that stays open. Whoever owns it could close it and keep the rent of a payer, with every swap again. So
 * the payer becomes the only one that may close the taker's account, which must be empty then. An account of another
 * wallet, which does not sign, and one that could be closed with what it holds, are at the taker's cost.
 */
function createStayingEnd(request: SwapTerms, owner: Address, tokenProgram: Address): FlowEnd {
  const { taker, payer, outputMint: mint } = request;
  const lends = lendsRent(request);
  const isGuarded = lends && owner === taker && !isPaidOutOnClosing(mint);
  const paidBy = lends && !isGuarded ? taker : payer;
  const { account, create, creation } = getIntermediateTokenAccount(owner, paidBy, mint, tokenProgram);
  const end = { account, setup: [create], cleanup: null, creations: [creation] };
  if (!isGuarded) return end;
  const guard = setAuthority(tokenProgram, {
    of: account,
    authority: Authority.CLOSE_ACCOUNT,
    current: taker,
    next: payer,
  });
  return { ...end, guards: new Map([[account, guard]]) };
}

/** Returns who has a part in closing the taker's accounts between the steps. */
export function toClosingParties({ taker, payer, source }: SwapTerms): ClosingParties {
  return { taker, payer, payerKeepsRest: source !== undefined };
}

/** An output account of the taker's. What another wallet receives is transferred from it after a fee is taken. */
function createPassingEnd(request: SwapTerms, tokenProgram: Address): FlowEnd {
  const { taker, payer, outputMint, destination } = request;
  const end = createOutputEnd(request, tokenProgram);
  const own = getIntermediateTokenAccount(taker, payer, outputMint, tokenProgram);
  const isElsewhere = destination.kind === 'wallet' || destination.kind === 'token-account';
  if (!isElsewhere || end.account === own.account) return end;
  if (tokenProgram !== TOKEN_PROGRAM) {
    throw new SwapRefused({ kind: 'fee-from-output-of-another', outputMint });
  }
  const handedOnTo = end.account;
  if (outputMint === WRAPPED_SOL_MINT) {
    const through = createTemporaryEnd(request, payer);
    return { ...through, handedOnTo, setup: [...end.setup, ...through.setup] };
  }
  return {
    account: own.account,
    handedOnTo,
    cleanup: null,
    setup: [own.create, ...end.setup],
    creations: [{ ...own.creation, rentGoesTo: payer }, ...end.creations],
    closings: [
      createClosingInstructions(toClosingParties(request), {
        account: own.account,
        mint: outputMint,
        tokenProgram,
      }),
    ],
  };
}

/**
 * Wrapped SOL for another wallet passes through an account of its own, so that none of the taker's wrapped SOL goes
 * with it.
 */
function createTemporaryEnd(request: SwapTerms, receiver: Address): FlowEnd {
  const { taker, payer } = request;
  // The receiver gets the rent, which a payer would lose with every swap.
  const paidBy = lendsRent(request) && receiver !== payer ? taker : payer;
  const { account, bump } = deriveTemporaryAccount(taker);
  const tokenProgram = TOKEN_PROGRAM;
  return {
    account,
    setup: [
      transferLamports(paidBy, account, TOKEN_ACCOUNT_RENT),
      createTokenAccount({ tokenAccount: account, bump, user: taker, mint: WRAPPED_SOL_MINT, tokenProgram }),
    ],
    cleanup: unwrapTo(receiver, account, taker),
    creations: [{ account, mint: WRAPPED_SOL_MINT, paidBy, rentGoesTo: receiver }],
  };
}

/** Wrapped SOL that is unwrapped into another wallet, while the payer gets back the rent of the account that it came through. */
function createUnwrappedEnd(request: SwapTerms, receiver: Address): FlowEnd {
  const { taker, payer } = request;
  const { account, setup, creations } = createTemporaryEnd(request, payer);
  return {
    account,
    setup,
    creations,
    cleanup: unwrapLamports(TOKEN_PROGRAM, { account, destination: receiver, owner: taker }),
    closings: [{ account, instructions: [unwrapTo(payer, account, taker)] }],
  };
}

/** Derives the address of the account that a taker's wrapped SOL passes through, and its bump. */
export function deriveTemporaryAccount(taker: Address): { readonly account: Address; readonly bump: number } {
  const seeds = [TEMPORARY_SEED, toAddressBytes(taker), toAddressBytes(WRAPPED_SOL_MINT)];
  const { address: account, bump } = findProgramAddress(AGGREGATOR_PROGRAM, seeds);
  return { account, bump };
}

/** Closing a wrapped-SOL account pays out all its lamports, tokens and rent together. */
function unwrapTo(destination: Address, account: Address, authority: Address): Instruction {
  return closeAccount(TOKEN_PROGRAM, { account, destination, authority });
}
