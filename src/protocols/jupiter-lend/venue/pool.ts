import type { Account } from '../../../chain/accounts.ts';
import type { AccountLayout } from '../lending-base/account-layout.ts';
import { LENDING } from '../lending/layouts.ts';
import { REWARDS } from '../lending-reward-rate-model/layouts.ts';
import type { EarnState } from '../lending/shares.ts';
import { LIQUIDITY, deriveRateModelAddress, deriveReserveVaultAddress } from '../liquidity/addresses.ts';
import {
  LIQUIDITY_ACCOUNT,
  PositionStatus,
  RATE_MODEL,
  RESERVE,
  SUPPLY_POSITION,
  type SupplyPosition,
} from '../liquidity/layouts.ts';
import { LENDING_PROGRAM, LIQUIDITY_PROGRAM, REWARDS_PROGRAM } from '../lending-base/programs.ts';
import type { Address } from '../../../solana/address.ts';
import { TOKEN_2022_PROGRAM, TOKEN_PROGRAM } from '../../../solana/program-addresses.ts';
import { decodeTokenAccount } from '../../../solana/programs/token/account.ts';
import { decodeMint } from '../../../solana/programs/token/mint.ts';
import type { AccountReader, PoolState, Unusable } from '../../../protocol/venue/venue.ts';
import { cachePerAccount } from '../../../protocol/venue/once-per-account.ts';
import { readPoolMint } from '../../../protocol/venue/pool-mint.ts';
import { PoolUnusable, decodeOrUnusable } from '../../../protocol/venue/unusable-pool.ts';
import type { LendingAddresses } from './instructions.ts';

/** The lending of one token. `mints` are the token that is lent and the receipt token. */
export interface LendingPool extends PoolState, LendingAddresses {
  /** What deposits and withdrawals are predicted from. */
  readonly earn: EarnState;
}

export function isPool({ owner, data }: Account): boolean {
  return owner === LENDING_PROGRAM && LENDING.matches(data);
}

/**
 * The token program of the mint is not known before the mint is read, so the vaults that the reserve would have under
 * either program are named. One of them never exists.
 */
export function listLendingDependencies(account: Account): readonly Address[] {
  const { mint, fTokenMint, tokenReservesLiquidity, supplyPositionOnLiquidity, rewardsRateModel } =
    readLending(account);
  return [
    mint,
    fTokenMint,
    tokenReservesLiquidity,
    supplyPositionOnLiquidity,
    rewardsRateModel,
    deriveRateModelAddress(mint),
    LIQUIDITY.address,
    deriveReserveVaultAddress(mint, TOKEN_PROGRAM),
    deriveReserveVaultAddress(mint, TOKEN_2022_PROGRAM),
  ];
}

/** Returns `Unusable` if every deposit and withdrawal would be refused until an account changes. */
export function decodePoolState(address: Address, read: AccountReader): LendingPool | Unusable {
  return decodeOrUnusable(() => readPool(address, read));
}

function readPool(address: Address, read: AccountReader): LendingPool {
  const account = read(address);
  if (account === null || !isPool(account)) throw new PoolUnusable(`${address} is no lending`);
  const lending = readLending(account);
  const { mint, fTokenMint: receiptMint } = lending;
  const { tokenProgram, transferFee } = readPoolMint(mint, read);
  if (transferFee !== null) throw new PoolUnusable(`mint ${mint} takes a fee from transfers`);
  if (readLiquidity(known(read, LIQUIDITY.address)).locked)
    throw new PoolUnusable('the liquidity program is locked');
  const reserve = readReserve(known(read, lending.tokenReservesLiquidity));
  const supply = readSupplyPosition(known(read, lending.supplyPositionOnLiquidity));
  checkPosition(supply);
  if (lending.tokenExchangePrice === 0n || reserve.supplyExchangePrice === 0n) {
    throw new PoolUnusable('it has an exchange price of zero');
  }
  return {
    address,
    mints: [mint, receiptMint],
    mint,
    receiptMint,
    tokenProgram,
    reserve: lending.tokenReservesLiquidity,
    supplyPosition: lending.supplyPositionOnLiquidity,
    rateModel: deriveRateModelAddress(mint),
    vault: reserve.vault,
    rewards: lending.rewardsRateModel,
    earn: {
      lending,
      rewards: readRewards(known(read, lending.rewardsRateModel)),
      shares: readMintSupply(known(read, receiptMint)),
      liquidity: {
        reserve,
        rateModel: readRateModel(known(read, deriveRateModelAddress(mint))),
        supply,
        borrow: null,
        held: heldBy(known(read, reserve.vault)),
      },
    },
  };
}

function known(read: AccountReader, address: Address): Account {
  const account = read(address);
  if (account === null) throw new PoolUnusable(`account ${address} does not exist`);
  return account;
}

function checkPosition({ status, withdrawalLimit, expandDuration }: SupplyPosition): void {
  if (status !== PositionStatus.ACTIVE) {
    throw new PoolUnusable('its position at the liquidity program is paused or was never configured');
  }
  // The program divides by the duration.
  if (withdrawalLimit !== 0n && expandDuration === 0) {
    throw new PoolUnusable('its withdrawal limit has no duration in which it expands');
  }
}

/** Reads an account once for as long as it does not change. */
function reader<Values>(program: Address, layout: AccountLayout<Values>): (account: Account) => Values {
  return cachePerAccount(({ owner, data }) => {
    if (owner !== program)
      throw new PoolUnusable(`an account of its program is owned by ${owner}, not ${program}`);
    return layout.decode(data);
  });
}

const readLending = reader(LENDING_PROGRAM, LENDING);
const readRewards = reader(REWARDS_PROGRAM, REWARDS);
const readLiquidity = reader(LIQUIDITY_PROGRAM, LIQUIDITY_ACCOUNT);
const readReserve = reader(LIQUIDITY_PROGRAM, RESERVE);
const readSupplyPosition = reader(LIQUIDITY_PROGRAM, SUPPLY_POSITION);
const readRateModel = reader(LIQUIDITY_PROGRAM, RATE_MODEL);
const readMintSupply = cachePerAccount(({ data }) => decodeMint(data).supply);
const heldBy = cachePerAccount(({ data }) => {
  const { amount, state } = decodeTokenAccount(data);
  if (state !== 'initialized') throw new PoolUnusable(`the vault of its reserve is ${state}`);
  return amount;
});
