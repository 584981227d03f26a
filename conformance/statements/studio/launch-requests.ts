import type * as kit from '@solana/kit';
import { type Answer, shown } from '../../answer.ts';
import type { World } from '../../world.ts';
import { SOL } from '../mints.ts';
import { type Json, land } from '../send/invite-requests.ts';
import { signTransaction } from '../transactions.ts';

/** The terms of a launch for SOL, without fees that fall and without vesting. */
export const LAUNCH_TERMS = {
  buildCurveByMarketCapParam: {
    quoteMint: SOL,
    initialMarketCap: 80.5,
    migrationMarketCap: 345.25,
    tokenQuoteDecimal: 9,
    lockedVestingParam: {
      totalLockedVestingAmount: 0,
      cliffUnlockAmount: 0,
      numberOfVestingPeriod: 0,
      totalVestingDuration: 0,
      cliffDurationFromMigrationTime: 0,
    },
  },
  antiSniping: false,
  fee: { feeBps: 100 },
  isLpLocked: true,
  tokenName: 'Conformance',
  tokenSymbol: 'CONF',
  tokenImageContentType: 'image/png',
} as const;

/** A launch that has landed. */
export interface LandedLaunch {
  readonly mint: string;
  /** The bonding curve. */
  readonly pool: string;
  readonly creator: kit.KeyPairSigner;
}

export function postStudio(world: World, path: string, body: unknown): Promise<Answer> {
  return world.ask(`/studio/v1/${path}`, { method: 'POST', body });
}

/** Prepares a launch. The creator is the demo wallet unless another is given. */
export function prepareLaunch(world: World, changes: object = {}, creator = world.wallet): Promise<Answer> {
  return postStudio(world, 'dbc-pool/create-tx', { ...LAUNCH_TERMS, creator: creator.address, ...changes });
}

/** Prepares a launch, and lands it over the RPC, so that it has no page. */
export async function launchToken(
  world: World,
  changes: object = {},
  creator = world.wallet,
): Promise<LandedLaunch> {
  const prepared = await prepareLaunch(world, changes, creator);
  if (prepared.status !== 200) throw new Error(`no launch was prepared: ${shown(prepared)}`);
  await land(world, prepared.json.transaction, [creator]);
  const { mint } = prepared.json;
  const addresses = await askAddresses(world, mint);
  if (addresses.status !== 200) throw new Error(`the launch was not found: ${shown(addresses)}`);
  return { mint, pool: addresses.json.data.dbcPoolAddress, creator };
}

export function askAddresses(world: World, mint: string): Promise<Answer> {
  return world.ask(`/studio/v1/dbc-pool/addresses/${mint}`);
}

/**
 * Buys tokens of a launch for lamports of the demo wallet.
 *
 * @returns what the creator earns by it: of the fee of 1 %, the protocol has a fifth, and the creator half of the rest
 */
export async function buyLaunched(
  world: World,
  { mint, pool }: LandedLaunch,
  lamports: bigint,
): Promise<bigint> {
  const query = { inputMint: SOL, outputMint: mint, amount: `${lamports}`, taker: world.wallet.address };
  const order = await world.ask(`/swap/v2/order?${new URLSearchParams(query)}`);
  const { transaction, requestId } = order.json ?? {};
  if (!transaction) throw new Error(`no order was made: ${shown(order)}`);
  const signedTransaction = await signTransaction(transaction, world.wallet);
  const body = { signedTransaction, requestId };
  const executed = await world.ask('/swap/v2/execute', { method: 'POST', body });
  if (executed.json?.status !== 'Success') throw new Error(`the swap failed: ${shown(executed)}`);
  const legs: readonly Json[] = order.json.routePlan;
  const traded = BigInt(legs.find(({ swapInfo }) => swapInfo.ammKey === pool)?.swapInfo.inAmount ?? 0);
  return (traded * 4n) / 1_000n;
}

/** Returns the fees of a launch as numbers. */
export async function readFees(world: World, { pool }: Pick<LandedLaunch, 'pool'>) {
  const answer = await postStudio(world, 'dbc/fee', { poolAddress: pool });
  if (answer.status !== 200) throw new Error(`the fees were not read: ${shown(answer)}`);
  return { unclaimed: BigInt(answer.json.unclaimed), total: BigInt(answer.json.total) };
}

/** Asks for the claim of a launch's fees by its creator. */
export function craftClaimOfFees(
  world: World,
  { pool, creator }: Pick<LandedLaunch, 'pool' | 'creator'>,
  changes: object = {},
): Promise<Answer> {
  const body = { ownerWallet: creator.address, poolAddress: pool, ...changes };
  return postStudio(world, 'dbc/fee/create-tx', body);
}
