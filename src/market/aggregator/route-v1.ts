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
import {
  EVENT_ACCOUNTS,
  optionalReadonly,
  optionalWritable,
  type RoutePlanStepV1,
  writeRoutePlanV1,
} from './route-plan.ts';

/** The terms that all v1 forms share, without the amounts. */
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
  /** If given, the route's net output is transferred to it from the user's destination account. */
  readonly destinationTokenAccount?: Address | undefined;
  readonly destinationMint: Address;
}

export interface ExactOutAccountsV1 extends RouteAccountsV1 {
  readonly sourceMint: Address;
  readonly token2022Program?: Address;
}

export interface SharedRouteAccountsV1 {
  readonly tokenProgram: Address;
  /** The id of the program authority that owns the two program accounts and signs the steps. */
  readonly authorityId: number;
  readonly userTransferAuthority: Address;
  readonly sourceTokenAccount: Address;
  readonly programSourceTokenAccount: Address;
  readonly programDestinationTokenAccount: Address;
  readonly destinationTokenAccount: Address;
  readonly sourceMint: Address;
  readonly destinationMint: Address;
  /** Required if either mint belongs to Token-2022. */
  readonly token2022Program?: Address;
}

/** @throws RangeError when a number does not fit its field, as do all functions of this file */
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
  const amounts = [terms.quotedOutAmount];
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
  const amounts = [terms.quotedOutAmount];
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
  return [terms.inAmount, terms.quotedOutAmount];
}

function exactOut(terms: ExactOutTermsV1): readonly bigint[] {
  return [terms.outAmount, terms.quotedInAmount];
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
  const to = new ByteWriter(256).bytes(discriminator);
  if (authorityId !== null) to.u8(authorityId);
  writeRoutePlanV1(to, terms.steps);
  for (const each of amounts) to.u64(each);
  return to.u16(terms.slippageBps).u8(terms.platformFeeBps).finish();
}

function routeHead(accounts: RouteAccountsV1): AccountMeta[] {
  return [
    readonly(accounts.tokenProgram),
    readonlySigner(accounts.userTransferAuthority),
    writable(accounts.userSourceTokenAccount),
    writable(accounts.userDestinationTokenAccount),
    optionalWritable(accounts.destinationTokenAccount),
  ];
}

function sharedRouteHead(terms: RouteTermsV1, accounts: SharedRouteAccountsV1): AccountMeta[] {
  return [
    readonly(accounts.tokenProgram),
    readonly(getProgramAuthority(accounts.authorityId)),
    readonlySigner(accounts.userTransferAuthority),
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
