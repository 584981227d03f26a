import type { Address } from '../../solana/address.ts';
import { ByteWriter } from '../../solana/codec/byte-writer.ts';
import {
  type AccountMeta,
  type Instruction,
  readonly,
  readonlySigner,
  writable,
} from '../../solana/messages/instruction.ts';
import {
  AGGREGATOR_PROGRAM,
  DISCRIMINATOR,
  getProgramAuthority,
} from '../../protocol/venue/aggregator-program.ts';
import { EVENT_ACCOUNTS, optionalWritable, type RoutePlanStep, writeRoutePlan } from './route-plan.ts';

/** A share of the route in basis points, and the token account that it is paid to. */
export interface FeeShare {
  readonly bps: number;
  readonly account: Address;
}

/** The terms that all v2 forms share, without the amounts. A share of 0 bps is omitted together with its account. */
export interface RouteTerms {
  readonly slippageBps: number;
  /** Paid in the mint of its account: the route's input or output mint. */
  readonly platformFee?: FeeShare | undefined;
  /** Taken from what the route pays above the quote. Its account holds the output mint. */
  readonly positiveSlippage?: FeeShare;
  readonly steps: readonly RoutePlanStep[];
}

/** `quotedOutAmount` excludes the platform fee: the program demands it, less the slippage. */
export interface ExactInTerms extends RouteTerms {
  readonly inAmount: bigint;
  readonly quotedOutAmount: bigint;
}

export interface ExactOutTerms extends RouteTerms {
  readonly outAmount: bigint;
  readonly quotedInAmount: bigint;
}

interface MintAccounts {
  readonly sourceMint: Address;
  readonly destinationMint: Address;
  readonly sourceTokenProgram: Address;
  readonly destinationTokenProgram: Address;
}

export interface RouteAccounts extends MintAccounts {
  readonly userTransferAuthority: Address;
  readonly userSourceTokenAccount: Address;
  readonly userDestinationTokenAccount: Address;
  /** If given, the route's net output is transferred to it from the user's destination account. */
  readonly destinationTokenAccount?: Address | undefined;
}

export interface SharedRouteAccounts extends MintAccounts {
  /** The id of the program authority that owns the two program accounts and signs the steps. */
  readonly authorityId: number;
  readonly userTransferAuthority: Address;
  readonly sourceTokenAccount: Address;
  readonly programSourceTokenAccount: Address;
  readonly programDestinationTokenAccount: Address;
  readonly destinationTokenAccount: Address;
}

/** @throws RangeError when a number does not fit its field, as do all functions of this file */
export function routeV2(terms: ExactInTerms, accounts: RouteAccounts): Instruction {
  return instruction(DISCRIMINATOR.routeV2, null, exactIn(terms), terms, routeHead(accounts));
}

export function sharedAccountsRouteV2(terms: ExactInTerms, accounts: SharedRouteAccounts): Instruction {
  const { authorityId } = accounts;
  const head = sharedRouteHead(accounts);
  return instruction(DISCRIMINATOR.sharedAccountsRouteV2, authorityId, exactIn(terms), terms, head);
}

export function exactOutRouteV2(terms: ExactOutTerms, accounts: RouteAccounts): Instruction {
  return instruction(DISCRIMINATOR.exactOutRouteV2, null, exactOut(terms), terms, routeHead(accounts));
}

export function sharedAccountsExactOutRouteV2(
  terms: ExactOutTerms,
  accounts: SharedRouteAccounts,
): Instruction {
  const { authorityId } = accounts;
  const head = sharedRouteHead(accounts);
  return instruction(DISCRIMINATOR.sharedAccountsExactOutRouteV2, authorityId, exactOut(terms), terms, head);
}

type RouteV2Amounts = readonly [first: bigint, second: bigint];

function exactIn(terms: ExactInTerms): RouteV2Amounts {
  return [terms.inAmount, terms.quotedOutAmount];
}

function exactOut(terms: ExactOutTerms): RouteV2Amounts {
  return [terms.outAmount, terms.quotedInAmount];
}

function instruction(
  discriminator: Uint8Array,
  authorityId: number | null,
  amounts: RouteV2Amounts,
  terms: RouteTerms,
  head: readonly AccountMeta[],
): Instruction {
  const accounts = [...head];
  for (const share of [terms.platformFee, terms.positiveSlippage]) {
    // The program expects the account only if the share is above zero.
    if (share !== undefined && share.bps !== 0) accounts.push(writable(share.account));
  }
  for (const { step } of terms.steps) accounts.push(...step.accounts);
  const data = encode(discriminator, authorityId, amounts, terms);
  return { programAddress: AGGREGATOR_PROGRAM, accounts, data };
}

function encode(
  discriminator: Uint8Array,
  authorityId: number | null,
  amounts: RouteV2Amounts,
  terms: RouteTerms,
): Uint8Array {
  const to = new ByteWriter().bytes(discriminator);
  if (authorityId !== null) to.u8(authorityId);
  for (const each of amounts) to.u64(each);
  to.u16(terms.slippageBps)
    .u16(terms.platformFee?.bps ?? 0)
    .u16(terms.positiveSlippage?.bps ?? 0);
  writeRoutePlan(to, terms.steps);
  return to.finish();
}

function routeHead(accounts: RouteAccounts): AccountMeta[] {
  return [
    readonlySigner(accounts.userTransferAuthority),
    writable(accounts.userSourceTokenAccount),
    writable(accounts.userDestinationTokenAccount),
    ...mintHead(accounts),
    optionalWritable(accounts.destinationTokenAccount),
    ...EVENT_ACCOUNTS,
  ];
}

function sharedRouteHead(accounts: SharedRouteAccounts): AccountMeta[] {
  return [
    readonly(getProgramAuthority(accounts.authorityId)),
    readonlySigner(accounts.userTransferAuthority),
    writable(accounts.sourceTokenAccount),
    writable(accounts.programSourceTokenAccount),
    writable(accounts.programDestinationTokenAccount),
    writable(accounts.destinationTokenAccount),
    ...mintHead(accounts),
    ...EVENT_ACCOUNTS,
  ];
}

function mintHead(accounts: MintAccounts): AccountMeta[] {
  return [
    readonly(accounts.sourceMint),
    readonly(accounts.destinationMint),
    readonly(accounts.sourceTokenProgram),
    readonly(accounts.destinationTokenProgram),
  ];
}
