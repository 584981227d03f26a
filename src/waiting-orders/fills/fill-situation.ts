import type { Account, AccountUpdate } from '../../chain/accounts.ts';
import { cachePerAccount } from '../../protocol/venue/once-per-account.ts';
import type { Address } from '../../solana/address.ts';
import { WRAPPED_SOL_MINT } from '../../solana/program-addresses.ts';
import { computeAssociatedAccountSize } from '../../solana/programs/token/associated-size.ts';
import { decodeMint } from '../../solana/programs/token/mint.ts';
import { computeRentExemptMinimum } from '../../solana/rent.ts';
import type { SwapMarket } from '../../swaps/build/swap-market.ts';
import { getIntermediateTokenAccount } from '../../swaps/build/token-flow.ts';
import type { PlatformFee } from '../../swaps/fees/platform-fee.ts';
import type { AccountStates } from '../../transactions/build/costs.ts';
import type { OrderSale } from '../order-sale.ts';
import {
  checkOutputAccount,
  checkPaidWallet,
  checkVaultOutput,
  type HeldInput,
  readHeldInput,
} from './fill-accounts.ts';
import { type FillFeeDependencies, findFillFee } from './fill-fee.ts';
import { FillPutOff, type PlannedFill } from './fill-plan.ts';

/** What a fill depends on beside its route. */
export interface FillSituation {
  readonly states: AccountStates;
  readonly held: HeldInput;
  readonly fee: PlatformFee | null;
  readonly created: PlannedFill['created'];
  /** Rent that the gas wallet has to pay for the account that the wallet is paid into, and that the wallet keeps. */
  readonly outputRent: bigint;
}

/** What is read for a fill, and who pays for it. */
export interface FillReadDependencies extends Pick<FillFeeDependencies, 'gasWallet' | 'feeBps'> {
  readonly market: SwapMarket;
}

/**
 * Reads the order's account, the wallet and the account that the output goes to, in one call. SOL goes to the wallet itself.
 * @throws FillPutOff when they do not allow a fill
 * @throws ChainUnavailable when the network does not answer
 */
export async function readFillSituation(
  { market, gasWallet, feeBps }: FillReadDependencies,
  order: OrderSale,
): Promise<FillSituation> {
  const { account, wallet, inputMint, outputMint, outputAccount } = order;
  const { pools, chain, tokenAccountMints } = market;
  const mint = findTradedMint(market, outputMint);
  const isUnwrapped = outputAccount === null && outputMint === WRAPPED_SOL_MINT;
  const output = isUnwrapped
    ? null
    : (outputAccount ?? getIntermediateTokenAccount(wallet, gasWallet, outputMint, mint.owner).account);
  const asked = [gasWallet, account, wallet, ...(output === null ? [] : [output])];
  const since = chain.slot('confirmed');
  const read = await chain.getAccounts(asked);
  requireNewest(read, account, since);
  const states: AccountStates = new Map(read.map(({ address, account: state }) => [address, state]));
  const stateOf = (address: Address) => states.get(address) ?? null;
  const held = readHeldInput(order, stateOf(account), findTradedMint(market, inputMint).owner);
  checkPaidWallet(order, gasWallet, stateOf(wallet));
  const fee = await findFillFee({ pools, tokenAccountMints, gasWallet, feeBps }, order);
  const situation = { states, held, fee, created: null, outputRent: 0n };
  if (output === null) return situation;
  if (outputAccount !== null) {
    checkVaultOutput(order, outputAccount, stateOf(outputAccount));
    return situation;
  }
  if (checkOutputAccount(order, output, stateOf(output))) return situation;
  const size = computeNewAccountSize(mint);
  return { ...situation, created: { account: output, size }, outputRent: computeRentExemptMinimum(size) };
}

/**
 * A node that is behind shows what an earlier fill has sold already. If a fill that was planned by that does not land, its order could
 * not be given free: the account would never hold again what it seemed to hold.
 * @throws FillPutOff when the answer does not know a slot that is confirmed
 */
function requireNewest(read: readonly AccountUpdate[], account: Address, since: bigint): void {
  const slot = read.find(({ address }) => address === account)?.slot ?? 0n;
  if (slot >= since) return;
  throw new FillPutOff(
    'unavailable',
    `the network shows the order's account ${account} as of slot ${slot}, and ${since} is confirmed`,
  );
}

/**
 * The gas wallet lends rent only against rent that comes back with the same fill. Otherwise, orders could be filled for the
 * sake of the rent.
 */
export function createRentPutOff(
  { wallet, outputMint }: OrderSale,
  { outputRent, returned }: Pick<FillSituation, 'outputRent'> & { readonly returned: bigint },
): FillPutOff {
  return new FillPutOff(
    'refused',
    `the account of ${wallet} for ${outputMint} does not exist and needs ${outputRent} lamports of rent, and the fill returns ${returned}: the wallet has to create it`,
  );
}

/** @throws FillPutOff when no pool trades the mint */
export function findTradedMint({ pools }: Pick<SwapMarket, 'pools'>, mint: Address): Account {
  const account = pools.account(mint);
  if (account === null) throw new FillPutOff('route', `no pool trades ${mint}`);
  return account;
}

/** A mint is decoded once after each of its changes. */
export const readMintDecimals = cachePerAccount(({ data }) => decodeMint(data).decimals);
const computeNewAccountSize = cachePerAccount(({ owner, data }) =>
  computeAssociatedAccountSize(owner, decodeMint(data)),
);
