import { programAuthority } from '../../protocol/venue/aggregator-program.ts';
import * as v1 from '../../market/aggregator/route-v1.ts';
import * as v2 from '../../market/aggregator/route-v2.ts';
import { type Address, addressBytes } from '../../solana/address.ts';
import type { Instruction } from '../../solana/messages/instruction.ts';
import { TOKEN_2022_PROGRAM, TOKEN_PROGRAM } from '../../solana/program-addresses.ts';
import type { InstructionVersion } from '../../market/aggregator/instruction-version.ts';
import { type FormUse, ROUTE_V2, type SwapForm } from './assembly.ts';

const PROGRAM_AUTHORITY_COUNT = 16;

/** The steps use the user's accounts. */
export const OWN_ACCOUNTS: Readonly<Record<InstructionVersion, SwapForm>> = {
  V1: { programAuthority: null, shareUnit: 100, instruction: routeV1 },
  V2: ROUTE_V2,
};

/** The forms that deliver an exact output. The slippage bounds their input. */
export const DELIVERING: Readonly<Record<InstructionVersion, SwapForm>> = {
  V1: { programAuthority: null, shareUnit: 100, instruction: exactOutRouteV1 },
  V2: { programAuthority: null, shareUnit: 1, instruction: exactOutRouteV2 },
};

/** The forms of `sharedAccounts` that deliver an exact output. */
export function sharedAccountsDelivering(version: InstructionVersion, taker: Address): SwapForm {
  const id = authorityIdOf(taker);
  const shareUnit = version === 'V1' ? 100 : 1;
  const instruction = (use: FormUse) =>
    version === 'V1'
      ? v1.sharedAccountsExactOutRoute(exactOutTermsV1(use), sharedAddressesV1(use, id))
      : v2.sharedAccountsExactOutRouteV2(exactOutTermsV2(use), sharedAddressesV2(use, id));
  return { programAuthority: programAuthority(id), shareUnit, instruction };
}

/** The steps use accounts of one of the aggregator's authorities, chosen by the taker's address alone. */
export function sharedAccounts(version: InstructionVersion, taker: Address): SwapForm {
  const id = authorityIdOf(taker);
  const authority = programAuthority(id);
  return version === 'V1'
    ? { programAuthority: authority, shareUnit: 100, instruction: (use) => sharedRouteV1(use, id) }
    : { programAuthority: authority, shareUnit: 1, instruction: (use) => sharedRouteV2(use, id) };
}

/**
 * The instructions of `V1` that spend what has arrived in the taker's account since the ledger was set. `V2` has
 * none.
 * @param shared - Whether the steps use accounts of one of the aggregator's authorities.
 */
export function spendingArrivals(ledger: Address, shared: boolean, taker: Address): SwapForm {
  if (!shared) {
    const instruction = (use: FormUse) => v1.routeWithTokenLedger(termsV1(use), ownAddressesV1(use), ledger);
    return { programAuthority: null, shareUnit: 100, instruction };
  }
  const authorityId = authorityIdOf(taker);
  return {
    programAuthority: programAuthority(authorityId),
    shareUnit: 100,
    instruction: (use) =>
      v1.sharedAccountsRouteWithTokenLedger(termsV1(use), sharedAddressesV1(use, authorityId), ledger),
  };
}

function authorityIdOf(taker: Address): number {
  return (addressBytes(taker)[0] ?? 0) % PROGRAM_AUTHORITY_COUNT;
}

function routeV1(use: FormUse): Instruction {
  return v1.route(termsV1(use), ownAddressesV1(use));
}

function ownAddressesV1(use: FormUse): v1.RouteAccountsV1 {
  return {
    tokenProgram: TOKEN_PROGRAM,
    userTransferAuthority: use.terms.taker,
    userSourceTokenAccount: use.source,
    userDestinationTokenAccount: use.destination,
    destinationTokenAccount: use.handedOnTo,
    destinationMint: use.terms.outputMint,
  };
}

function sharedRouteV1(use: FormUse, authorityId: number): Instruction {
  return v1.sharedAccountsRoute(termsV1(use), sharedAddressesV1(use, authorityId));
}

function sharedAddressesV1(use: FormUse, authorityId: number): v1.SharedRouteAccountsV1 {
  return { tokenProgram: TOKEN_PROGRAM, authorityId, ...sharedAddresses(use) };
}

function sharedRouteV2(use: FormUse, authorityId: number): Instruction {
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

function sharedAddressesV2(use: FormUse, authorityId: number): v2.SharedRouteAccounts {
  const { sourceTokenProgram, destinationTokenProgram } = use;
  return { authorityId, ...sharedAddresses(use), sourceTokenProgram, destinationTokenProgram };
}

function exactOutRouteV1(use: FormUse): Instruction {
  const needs2022 = [use.sourceTokenProgram, use.destinationTokenProgram].includes(TOKEN_2022_PROGRAM);
  return v1.exactOutRoute(exactOutTermsV1(use), {
    ...ownAddressesV1(use),
    sourceMint: use.terms.inputMint,
    ...(needs2022 ? { token2022Program: TOKEN_2022_PROGRAM } : {}),
  });
}

function exactOutRouteV2(use: FormUse): Instruction {
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

function exactOutTermsV1(use: FormUse): v1.ExactOutTermsV1 {
  const { inAmount: _, quotedOutAmount: outAmount, ...rest } = termsV1(use);
  return { ...rest, outAmount, quotedInAmount: use.quotedIn };
}

function exactOutTermsV2({ quotedOut, quotedIn, slippageBps, fee, steps }: FormUse): v2.ExactOutTerms {
  const platformFee = fee === null ? undefined : { bps: fee.bps, account: fee.account };
  return { outAmount: quotedOut, quotedInAmount: quotedIn, slippageBps, platformFee, steps };
}

function sharedAddresses(use: FormUse) {
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

function termsV1({ terms, quotedOut, slippageBps, fee, steps }: FormUse): v1.ExactInTermsV1 {
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
