import { programAuthority } from '../../../market/aggregator/program.ts';
import * as v1 from '../../../market/aggregator/route-v1.ts';
import { sharedAccountsRouteV2 } from '../../../market/aggregator/route-v2.ts';
import { type Address, addressBytes } from '../../../solana/address.ts';
import type { Instruction } from '../../../solana/messages/instruction.ts';
import { TOKEN_PROGRAM } from '../../../solana/program-addresses.ts';
import { type FormUse, ROUTE_V2, type SwapForm } from './assembly.ts';

export const INSTRUCTION_VERSIONS = ['V1', 'V2'] as const;
/** Generation of the aggregator's instructions. */
export type InstructionVersion = (typeof INSTRUCTION_VERSIONS)[number];

/** The field of the fee has one byte in `V1`. */
export const MAX_FEE_BPS: Readonly<Record<InstructionVersion, number>> = { V1: 255, V2: 10_000 };

const PROGRAM_AUTHORITY_COUNT = 16;

/** The user's accounts carry the steps. */
export const OWN_ACCOUNTS: Readonly<Record<InstructionVersion, SwapForm>> = {
  V1: { programAuthority: null, shareUnit: 100, instruction: routeV1 },
  V2: ROUTE_V2,
};

/** Accounts of one of the aggregator's authorities carry the steps: which one depends on the taker alone. */
export function sharedAccounts(version: InstructionVersion, taker: Address): SwapForm {
  const id = (addressBytes(taker)[0] ?? 0) % PROGRAM_AUTHORITY_COUNT;
  const authority = programAuthority(id);
  return version === 'V1'
    ? { programAuthority: authority, shareUnit: 100, instruction: (use) => sharedRouteV1(use, id) }
    : { programAuthority: authority, shareUnit: 1, instruction: (use) => sharedRouteV2(use, id) };
}

function routeV1(use: FormUse): Instruction {
  return v1.route(termsV1(use), {
    tokenProgram: TOKEN_PROGRAM,
    userTransferAuthority: use.terms.taker,
    userSourceTokenAccount: use.source,
    userDestinationTokenAccount: use.destination,
    ...(use.handedOnTo === undefined ? {} : { destinationTokenAccount: use.handedOnTo }),
    destinationMint: use.terms.outputMint,
  });
}

function sharedRouteV1(use: FormUse, authorityId: number): Instruction {
  return v1.sharedAccountsRoute(termsV1(use), {
    tokenProgram: TOKEN_PROGRAM,
    authorityId,
    ...sharedAddresses(use),
  });
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
