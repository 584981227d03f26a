import type { Address } from '../../solana/address.ts';
import type { AccountMeta, Instruction } from '../../solana/instruction.ts';
import {
  EVENT_ACCOUNTS,
  optionalReadonly,
  optionalWritable,
  readonly,
  signer,
  writable,
} from './fixed-accounts.ts';
import { AGGREGATOR_PROGRAM, DISCRIMINATOR, programAuthority } from './program.ts';
import { amount, encodeRoutePlanV1, integer, type RoutePlanStepV1, U8_MAX, U16_MAX } from './route-plan.ts';

/** What the v1 forms have in common besides the amounts. */
export interface RouteTermsV1 {
  readonly slippageBps: number;
  /** Share of the input or the output, by the mint of `platformFeeAccount`; at most 255. */
  readonly platformFeeBps: number;
  readonly platformFeeAccount?: Address;
  readonly steps: readonly RoutePlanStepV1[];
}

/** The input is what arrived in the source account since the ledger was set. */
export interface LedgerTermsV1 extends RouteTermsV1 {
  readonly quotedOutAmount: bigint;
}

export interface ExactInTermsV1 extends LedgerTermsV1 {
  readonly inAmount: bigint;
}

export interface ExactOutTermsV1 extends RouteTermsV1 {
  readonly outAmount: bigint;
  readonly quotedInAmount: bigint;
}

export interface RouteAccountsV1 {
  readonly tokenProgram: Address;
  readonly userTransferAuthority: Address;
  readonly userSourceTokenAccount: Address;
  readonly userDestinationTokenAccount: Address;
  /** When given, the route's net output is passed on to it from the user's destination account. */
  readonly destinationTokenAccount?: Address;
  readonly destinationMint: Address;
}

export interface ExactOutAccountsV1 extends RouteAccountsV1 {
  readonly sourceMint: Address;
  readonly token2022Program?: Address;
}

export interface SharedRouteAccountsV1 {
  readonly tokenProgram: Address;
  /** Names the program authority that owns the two program accounts and signs the steps. */
  readonly authorityId: number;
  readonly userTransferAuthority: Address;
  readonly sourceTokenAccount: Address;
  readonly programSourceTokenAccount: Address;
  readonly programDestinationTokenAccount: Address;
  readonly destinationTokenAccount: Address;
  readonly sourceMint: Address;
  readonly destinationMint: Address;
  /** Needed when either mint is a Token-2022 mint. */
  readonly token2022Program?: Address;
}

/** @throws RangeError when a number does not fit its field; so do all functions of this file. */
export function route(terms: ExactInTermsV1, accounts: RouteAccountsV1): Instruction {
  return instruction(DISCRIMINATOR.route, null, exactIn(terms), terms, [
    ...routeHead(accounts),
    readonly(accounts.destinationMint),
    optionalWritable(terms.platformFeeAccount),
  ]);
}

export function routeWithTokenLedger(
  terms: LedgerTermsV1,
  accounts: RouteAccountsV1,
  ledger: Address,
): Instruction {
  const amounts = [amount('quotedOutAmount', terms.quotedOutAmount)];
  return instruction(DISCRIMINATOR.routeWithTokenLedger, null, amounts, terms, [
    ...routeHead(accounts),
    readonly(accounts.destinationMint),
    optionalWritable(terms.platformFeeAccount),
    readonly(ledger),
  ]);
}

export function exactOutRoute(terms: ExactOutTermsV1, accounts: ExactOutAccountsV1): Instruction {
  return instruction(DISCRIMINATOR.exactOutRoute, null, exactOut(terms), terms, [
    ...routeHead(accounts),
    readonly(accounts.sourceMint),
    readonly(accounts.destinationMint),
    optionalWritable(terms.platformFeeAccount),
    optionalReadonly(accounts.token2022Program),
  ]);
}

export function sharedAccountsRoute(terms: ExactInTermsV1, accounts: SharedRouteAccountsV1): Instruction {
  const head = sharedRouteHead(terms, accounts);
  return instruction(DISCRIMINATOR.sharedAccountsRoute, accounts.authorityId, exactIn(terms), terms, head);
}

export function sharedAccountsRouteWithTokenLedger(
  terms: LedgerTermsV1,
  accounts: SharedRouteAccountsV1,
  ledger: Address,
): Instruction {
  const amounts = [amount('quotedOutAmount', terms.quotedOutAmount)];
  const head = [...sharedRouteHead(terms, accounts), readonly(ledger)];
  const { authorityId } = accounts;
  return instruction(DISCRIMINATOR.sharedAccountsRouteWithTokenLedger, authorityId, amounts, terms, head);
}

export function sharedAccountsExactOutRoute(
  terms: ExactOutTermsV1,
  accounts: SharedRouteAccountsV1,
): Instruction {
  const { authorityId } = accounts;
  const head = sharedRouteHead(terms, accounts);
  return instruction(DISCRIMINATOR.sharedAccountsExactOutRoute, authorityId, exactOut(terms), terms, head);
}

function exactIn(terms: ExactInTermsV1): readonly bigint[] {
  return [amount('inAmount', terms.inAmount), amount('quotedOutAmount', terms.quotedOutAmount)];
}

function exactOut(terms: ExactOutTermsV1): readonly bigint[] {
  return [amount('outAmount', terms.outAmount), amount('quotedInAmount', terms.quotedInAmount)];
}

function instruction(
  discriminator: Uint8Array,
  authorityId: number | null,
  amounts: readonly bigint[],
  terms: RouteTermsV1,
  head: readonly AccountMeta[],
): Instruction {
  return {
    programAddress: AGGREGATOR_PROGRAM,
    accounts: [...head, ...EVENT_ACCOUNTS, ...terms.steps.flatMap((each) => each.step.accounts)],
    data: encode(discriminator, authorityId, amounts, terms),
  };
}

/** The v1 forms write the route plan before the amounts. */
function encode(
  discriminator: Uint8Array,
  authorityId: number | null,
  amounts: readonly bigint[],
  terms: RouteTermsV1,
): Uint8Array {
  const plan = encodeRoutePlanV1(terms.steps);
  const start = authorityId === null ? 8 : 9;
  const data = new Uint8Array(start + plan.length + amounts.length * 8 + 3);
  const view = new DataView(data.buffer);
  data.set(discriminator);
  if (authorityId !== null) view.setUint8(8, integer('authorityId', authorityId, U8_MAX));
  data.set(plan, start);
  let at = start + plan.length;
  for (const each of amounts) {
    view.setBigUint64(at, each, true);
    at += 8;
  }
  view.setUint16(at, integer('slippageBps', terms.slippageBps, U16_MAX), true);
  view.setUint8(at + 2, integer('platformFeeBps', terms.platformFeeBps, U8_MAX));
  return data;
}

function routeHead(accounts: RouteAccountsV1): AccountMeta[] {
  return [
    readonly(accounts.tokenProgram),
    signer(accounts.userTransferAuthority),
    writable(accounts.userSourceTokenAccount),
    writable(accounts.userDestinationTokenAccount),
    optionalWritable(accounts.destinationTokenAccount),
  ];
}

function sharedRouteHead(terms: RouteTermsV1, accounts: SharedRouteAccountsV1): AccountMeta[] {
  return [
    readonly(accounts.tokenProgram),
    readonly(programAuthority(accounts.authorityId)),
    signer(accounts.userTransferAuthority),
    writable(accounts.sourceTokenAccount),
    writable(accounts.programSourceTokenAccount),
    writable(accounts.programDestinationTokenAccount),
    writable(accounts.destinationTokenAccount),
    readonly(accounts.sourceMint),
    readonly(accounts.destinationMint),
    optionalWritable(terms.platformFeeAccount),
    optionalReadonly(accounts.token2022Program),
  ];
}
