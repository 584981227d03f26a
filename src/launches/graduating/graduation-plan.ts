import type { Chain } from '../../chain/chain.ts';
import { deriveVestingEscrow } from '../../protocols/jupiter-lock/layout.ts';
import {
  type DbcPoolKeys,
  deriveDbcLockerBaseAddress,
  deriveDbcPoolKeys,
} from '../../protocols/meteora-dbc/program/addresses.ts';
import {
  createDbcLocker,
  migrateDbcToDammV2,
} from '../../protocols/meteora-dbc/program/instructions-migration.ts';
import type { Instruction } from '../../solana/messages/instruction.ts';
import { encodeUnsigned } from '../../solana/messages/transaction.ts';
import { TransactionInvalid } from '../../solana/messages/transaction-invalid.ts';
import type { Keypair } from '../../solana/keypair.ts';
import { createAssociatedTokenIdempotent } from '../../solana/programs/associated-token.ts';
import { buildTransaction } from '../../transactions/build/build-transaction.ts';
import type { AccountStates } from '../../transactions/build/costs.ts';
import { listWritableAccounts } from '../../transactions/build/transaction-message.ts';
import type { DescribeFailure } from '../../transactions/transaction-failure.ts';
import type { GraduatingLaunch } from './graduation-states.ts';
import type { GraduationStep } from './graduation-step.ts';

/** Why the next step of a graduation is not taken now. */
export type GraduationWait =
  /** The wallet that pays for it holds too little, or has spent its budget. */
  | 'gas'
  /** It would cost more than a step may. */
  | 'cost'
  /** A program refuses it. */
  | 'refused'
  /** The launch goes to another program, or by rules of a newer version of its program. */
  | 'unsupported'
  /** The transaction was not seen to land. */
  | 'not-landed'
  /** The network or the store does not answer. */
  | 'unavailable';

/** A transaction that takes the next step of a graduation, or why there is none. */
export type GraduationPlan =
  | {
      readonly kind: 'planned';
      readonly messageBytes: Uint8Array;
      readonly lastValidBlockHeight: bigint;
      /** All keys that sign: the gas wallet first. */
      readonly signers: readonly Keypair[];
      /** The most that it costs the gas wallet, rents included. */
      readonly lamports: bigint;
    }
  | { readonly kind: 'waits'; readonly reason: GraduationWait }
  /** Nothing is left to do. */
  | { readonly kind: 'ended' };

export interface GraduationDependencies {
  readonly chain: Pick<Chain, 'recentBlockhash' | 'recentPriorityFees' | 'simulate'>;
  readonly describeFailure: DescribeFailure;
  /** Pays fees and rents. */
  readonly gasWallet: Keypair;
  /**
   * Creates a key that nobody has seen. Nobody can have used its address before, and none of two transactions that create the same
   * pool makes the other one fail for its positions.
   */
  readonly createFreshKey: () => Keypair;
}

/** A step that costs more is not taken: the rents of a migration and its fees are some 0.03 SOL. */
export const MAX_STEP_LAMPORTS = 60_000_000n;

/**
 * Plans the next step of a graduation, which is simulated so that nothing is paid for what fails.
 *
 * @param states - The account of the gas wallet.
 * @param serial - Distinguishes transactions that are otherwise alike.
 * @throws ChainUnavailable when the network does not answer
 */
export async function planGraduation(
  dependencies: GraduationDependencies,
  launch: GraduatingLaunch,
  step: GraduationStep,
  states: AccountStates,
  serial: number,
): Promise<GraduationPlan> {
  if (step.kind === 'done' || step.kind === 'trades') return { kind: 'ended' };
  if (step.kind === 'unsupported') return { kind: 'waits', reason: 'unsupported' };
  const { chain, describeFailure, gasWallet } = dependencies;
  // What it lacks for the rents would look like a refusal of the program.
  if ((states.get(gasWallet.address)?.lamports ?? 0n) < MAX_STEP_LAMPORTS)
    return { kind: 'waits', reason: 'gas' };
  const { instructions, positionMints } = craftStep(launch, step, dependencies);
  const build = await buildTransaction(
    { chain, describeFailure },
    {
      feePayer: gasWallet.address,
      instructions: () => instructions,
      lookupTables: null,
      creations: [],
      spends: [],
      tip: 0n,
      priority: {
        asked: null,
        competesFor: instructions.flatMap(listWritableAccounts),
        isSponsored: true,
      },
      serial,
    },
    states,
  ).catch((error: unknown) => {
    // It would be too large, or its accounts make no message. Nothing that is tried again would change that.
    if (error instanceof TransactionInvalid) return null;
    throw error;
  });
  if (build === null || build.kind === 'refused') return { kind: 'waits', reason: 'refused' };
  if (build.kind === 'lacking') return { kind: 'waits', reason: 'gas' };
  const { messageBytes, lastValidBlockHeight } = build;
  const lamports = await simulateStepCost(chain, messageBytes);
  if (lamports === null) return { kind: 'waits', reason: 'refused' };
  if (lamports > MAX_STEP_LAMPORTS) return { kind: 'waits', reason: 'cost' };
  const signers = [gasWallet, ...positionMints];
  return { kind: 'planned', messageBytes, lastValidBlockHeight, signers, lamports };
}

/**
 * Simulates what a step takes from its fee payer, without a signature: nobody sees one before the step is charged for. Nodes that
 * do not state it leave the most that a step may cost. Returns null if the step fails.
 */
async function simulateStepCost(
  chain: GraduationDependencies['chain'],
  messageBytes: Uint8Array,
): Promise<bigint | null> {
  const { error, feePayer } = await chain.simulate(encodeUnsigned(messageBytes), { verifySignatures: false });
  if (error !== null) return null;
  if (feePayer === null) return MAX_STEP_LAMPORTS;
  const cost = feePayer.before - feePayer.after;
  return cost > 0n ? cost : 0n;
}

interface CraftedStep {
  readonly instructions: readonly Instruction[];
  readonly positionMints: readonly Keypair[];
}

function craftStep(
  { address, pool, config, tokenBaseProgram, tokenQuoteProgram }: GraduatingLaunch,
  step: Extract<GraduationStep, { kind: 'lock-vesting' | 'create-pool' }>,
  { gasWallet: { address: payer }, createFreshKey }: GraduationDependencies,
): CraftedStep {
  const keys: DbcPoolKeys = {
    ...deriveDbcPoolKeys({
      config: pool.config,
      baseMint: pool.baseMint,
      quoteMint: config.quoteMint,
      tokenBaseProgram,
      tokenQuoteProgram,
    }),
    pool: address,
    baseVault: pool.baseVault,
    quoteVault: pool.quoteVault,
  };
  if (step.kind === 'lock-vesting') {
    const owner = deriveVestingEscrow(deriveDbcLockerBaseAddress(address)).address;
    // The program moves tokens into this account, and does not open it.
    const opening = { payer, owner, mint: pool.baseMint, tokenProgram: tokenBaseProgram };
    const locking = createDbcLocker(keys, { creator: pool.creator, payer });
    return { instructions: [createAssociatedTokenIdempotent(opening), locking], positionMints: [] };
  }
  // Where the partner or the creator gets nothing, rounding can leave a little liquidity for a second position all the same.
  const [first, second] = [createFreshKey(), createFreshKey()];
  const migration = migrateDbcToDammV2(keys, {
    payer,
    dammConfig: step.dammConfig,
    firstPositionMint: first.address,
    secondPositionMint: second.address,
  });
  return { instructions: [migration], positionMints: [first, second] };
}
