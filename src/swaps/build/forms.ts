import { getProgramAuthority } from '../../protocol/venue/aggregator-program.ts';
import * as v1 from '../../market/aggregator/route-v1.ts';
import * as v2 from '../../market/aggregator/route-v2.ts';
import { type Address, toAddressBytes } from '../../solana/address.ts';
import type { Instruction } from '../../solana/messages/instruction.ts';
import { TOKEN_2022_PROGRAM, TOKEN_PROGRAM } from '../../solana/program-addresses.ts';
import type { InstructionVersion } from '../../market/aggregator/route-plan.ts';
import { type SwapFormInput, ROUTE_V2, type SwapForm } from './assembly.ts';

const PROGRAM_AUTHORITY_COUNT = 16;

/** The steps use the user's accounts. */
export const EXACT_IN_FORMS: Readonly<Record<InstructionVersion, SwapForm>> = {
  V1: { programAuthority: null, shareUnit: 100, instruction: routeV1 },
  V2: ROUTE_V2,
};

/** The forms that deliver an exact output. The slippage bounds their input. */
export const EXACT_OUT_FORMS: Readonly<Record<InstructionVersion, SwapForm>> = {
  V1: { programAuthority: null, shareUnit: 100, instruction: exactOutRouteV1 },
  V2: { programAuthority: null, shareUnit: 1, instruction: exactOutRouteV2 },
};

/** The forms of `createSharedAccountsForm` that deliver an exact output. */
export function createSharedExactOutForm(version: InstructionVersion, taker: Address): SwapForm {
  const id = computeAuthorityId(taker);
  const shareUnit = version === 'V1' ? 100 : 1;
  const instruction = (use: SwapFormInput) =>
    version === 'V1'
      ? v1.sharedAccountsExactOutRoute(exactOutTermsV1(use), sharedAddressesV1(use, id))
      : v2.sharedAccountsExactOutRouteV2(exactOutTermsV2(use), sharedAddressesV2(use, id));
  return { programAuthority: getProgramAuthority(id), shareUnit, instruction };
}

/** The steps use accounts of one of the aggregator's authorities, chosen by the taker's address alone. */
export function createSharedAccountsForm(version: InstructionVersion, taker: Address): SwapForm {
  const id = computeAuthorityId(taker);
  const authority = getProgramAuthority(id);
  return version === 'V1'
    ? { programAuthority: authority, shareUnit: 100, instruction: (use) => sharedRouteV1(use, id) }
    : { programAuthority: authority, shareUnit: 1, instruction: (use) => sharedRouteV2(use, id) };
}

/**
 * The instructions of `V1` that spend what has arrived in the taker's account since the ledger was set. `V2` has
 * none.
 * @param shared - Whether the steps use accounts of one of the aggregator's authorities.
 */
export function createTokenLedgerForm(ledger: Address, shared: boolean, taker: Address): SwapForm {
  if (!shared) {
    const instruction = (use: SwapFormInput) =>
      v1.routeWithTokenLedger(termsV1(use), ownAddressesV1(use), ledger);
    return { programAuthority: null, shareUnit: 100, instruction };
  }
  const authorityId = computeAuthorityId(taker);
  return {
    programAuthority: getProgramAuthority(authorityId),
    shareUnit: 100,
    instruction: (use) =>
      v1.sharedAccountsRouteWithTokenLedger(termsV1(use), sharedAddressesV1(use, authorityId), ledger),
  };
}

function computeAuthorityId(taker: Address): number {
  return (toAddressBytes(taker)[0] ?? 0) % PROGRAM_AUTHORITY_COUNT;
}

function routeV1(use: SwapFormInput): Instruction {
  return v1.route(termsV1(use), ownAddressesV1(use));
}

function ownAddressesV1(use: SwapFormInput): v1.RouteAccountsV1 {
  return {
    tokenProgram: TOKEN_PROGRAM,
    userTransferAuthority: use.terms.taker,
    userSourceTokenAccount: use.source,
    userDestinationTokenAccount: use.destination,
    destinationTokenAccount: use.handedOnTo,
    destinationMint: use.terms.outputMint,
  };
}

function sharedRouteV1(use: SwapFormInput, authorityId: number): Instruction {
  return v1.sharedAccountsRoute(termsV1(use), sharedAddressesV1(use, authorityId));
}

function sharedAddressesV1(use: SwapFormInput, authorityId: number): v1.SharedRouteAccountsV1 {
  return { tokenProgram: TOKEN_PROGRAM, authorityId, ...sharedAddresses(use) };
}

function sharedRouteV2(use: SwapFormInput, authorityId: number): Instruction {
  const { terms, quotedOut, slippageBps, fee, steps } = use;
  return v2.sharedAccountsRouteV2(
    {
      inAmount: terms.amount,
      quotedOutAmount: quotedOut,
      slippageBps,
      ...(fee === null ? {} : { platformFee: { bps: fee.bps, account: fee.account } }),
      steps,
    },
    sharedAddressesV2(use, authorityId),
  );
}

function sharedAddressesV2(use: SwapFormInput, authorityId: number): v2.SharedRouteAccounts {
  const { sourceTokenProgram, destinationTokenProgram } = use;
  return { authorityId, ...sharedAddresses(use), sourceTokenProgram, destinationTokenProgram };
}

function exactOutRouteV1(use: SwapFormInput): Instruction {
  const needs2022 = [use.sourceTokenProgram, use.destinationTokenProgram].includes(TOKEN_2022_PROGRAM);
  return v1.exactOutRoute(exactOutTermsV1(use), {
    ...ownAddressesV1(use),
    sourceMint: use.terms.inputMint,
    ...(needs2022 ? { token2022Program: TOKEN_2022_PROGRAM } : {}),
  });
}

function exactOutRouteV2(use: SwapFormInput): Instruction {
  return v2.exactOutRouteV2(exactOutTermsV2(use), {
    userTransferAuthority: use.terms.taker,
    userSourceTokenAccount: use.source,
    userDestinationTokenAccount: use.destination,
    destinationTokenAccount: use.handedOnTo,
    sourceMint: use.terms.inputMint,
    destinationMint: use.terms.outputMint,
    sourceTokenProgram: use.sourceTokenProgram,
    destinationTokenProgram: use.destinationTokenProgram,
  });
}

function exactOutTermsV1(use: SwapFormInput): v1.ExactOutTermsV1 {
  const { inAmount: _, quotedOutAmount: outAmount, ...rest } = termsV1(use);
  return { ...rest, outAmount, quotedInAmount: use.quotedIn };
}

function exactOutTermsV2({ quotedOut, quotedIn, slippageBps, fee, steps }: SwapFormInput): v2.ExactOutTerms {
  const platformFee = fee === null ? undefined : { bps: fee.bps, account: fee.account };
  return { outAmount: quotedOut, quotedInAmount: quotedIn, slippageBps, platformFee, steps };
}

function sharedAddresses(use: SwapFormInput) {
  return {
    userTransferAuthority: use.terms.taker,
    sourceTokenAccount: use.source,
    programSourceTokenAccount: use.stepSource,
    programDestinationTokenAccount: use.stepDestination,
    destinationTokenAccount: use.destination,
    sourceMint: use.terms.inputMint,
    destinationMint: use.terms.outputMint,
  };
}

function termsV1({ terms, quotedOut, slippageBps, fee, steps }: SwapFormInput): v1.ExactInTermsV1 {
  return {
    inAmount: terms.amount,
    quotedOutAmount: quotedOut,
    slippageBps,
    platformFeeBps: fee?.bps ?? 0,
    ...(fee === null ? {} : { platformFeeAccount: fee.account }),
    steps: steps.map(({ step, bps, inputIndex, outputIndex }) => ({
      step,
      inputIndex,
      outputIndex,
      percent: bps / 100,
    })),
  };
}
