import { programAuthority } from '../../../market/aggregator/program.ts';
import * as v1 from '../../../market/aggregator/route-v1.ts';
import { sharedAccountsRouteV2 } from '../../../market/aggregator/route-v2.ts';
import { type Address, addressBytes } from '../../../solana/address.ts';
import type { Instruction } from '../../../solana/messages/instruction.ts';
import { TOKEN_PROGRAM } from '../../../solana/program-addresses.ts';
import type { InstructionVersion } from '../parameter-bounds.ts';
import { type FormUse, ROUTE_V2, type SwapForm } from './assembly.ts';

const PROGRAM_AUTHORITY_COUNT = 16;

/** The steps use the user's accounts. */
export const OWN_ACCOUNTS: Readonly<Record<InstructionVersion, SwapForm>> = {
  V1: { programAuthority: null, shareUnit: 100, instruction: routeV1 },
  V2: ROUTE_V2,
};

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
  return sharedAccountsRouteV2(
    {
      inAmount: terms.amount,
      quotedOutAmount: quotedOut,
      slippageBps,
      ...(fee === null ? {} : { platformFee: { bps: fee.bps, account: fee.account } }),
      steps,
    },
    {
      authorityId,
      ...sharedAddresses(use),
      sourceTokenProgram: use.sourceTokenProgram,
      destinationTokenProgram: use.destinationTokenProgram,
    },
  );
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
