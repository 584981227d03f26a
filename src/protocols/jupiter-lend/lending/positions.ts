import type { LiquidityPosition, Yield } from '../../../protocol/positions/element.ts';
import {
  type PositionFetcher,
  readEach,
  type WalletMint,
  type WalletReader,
} from '../../../protocol/positions/fetcher.ts';
import { selectMintsToFind } from '../../../protocol/positions/mint-accounts.ts';
import type { Address } from '../../../solana/address.ts';
import { LayoutInvalid } from '../../../solana/codec/byte-reader.ts';
import { decodeOwned } from '../lending-base/account-layout.ts';
import { WHOLE, toAtoms } from '../lending-base/amounts.ts';
import { RESERVE, type Reserve } from '../liquidity/layouts.ts';
import { computeExchangePricesAt } from '../liquidity/exchange-prices.ts';
import { computeSupplyRate } from '../liquidity/rates.ts';
import { LENDING_PROGRAM, LIQUIDITY_PROGRAM, REWARDS_PROGRAM } from '../lending-base/programs.ts';
import { LENDING_ADMIN } from './addresses.ts';
import { LENDING, type Lending } from './layouts.ts';
import { REWARDS, type Rewards } from '../lending-reward-rate-model/layouts.ts';
import { computeRewardsRateAt } from '../lending-reward-rate-model/rewards.ts';
import { computeLendingPricesAt } from './token-price.ts';
import { JUPITER_EXCHANGE_PLATFORM } from '../../jupiter-exchange/platform.ts';

const PLATFORM = JUPITER_EXCHANGE_PLATFORM.id;
const DAYS_PER_YEAR = 365;
/** The field of a lending with the mint of its receipt tokens. */
const RECEIPT_MINT = { offset: 40, dataSize: LENDING.size, startsWith: LENDING.tag };

interface ReceiptHolding {
  readonly address: Address;
  readonly lending: Lending;
  readonly receipt: WalletMint;
  readonly shares: bigint;
}

/** Finds receipt tokens of the earn product. Each is one element, with the tokens that redeeming it would pay. */
export const earnReceipts: PositionFetcher = {
  id: `${PLATFORM}-lend-earn`,
  platformId: PLATFORM,
  claims: async (wallet) =>
    new Set((await findReceiptHoldings(wallet)).map(({ receipt }) => receipt.address)),
  fetch: async (wallet) => {
    const holdings = await findReceiptHoldings(wallet);
    const addresses = holdings.flatMap(({ lending }) => [
      lending.tokenReservesLiquidity,
      lending.rewardsRateModel,
    ]);
    const [accounts, { unixTimestamp }] = await Promise.all([wallet.accounts(addresses), wallet.clock()]);
    const found = holdings.map((holding, index) => ({
      ...holding,
      reserve: accounts[2 * index] ?? null,
      rewards: accounts[2 * index + 1] ?? null,
    }));
    const { positions, unreadable } = readEach(found, (holding) => {
      const { lending } = holding;
      const reserve = decodeOwned(holding.reserve, LIQUIDITY_PROGRAM, RESERVE);
      const rewards = decodeOwned(holding.rewards, REWARDS_PROGRAM, REWARDS);
      if (reserve === null || rewards === null) {
        throw new LayoutInvalid(
          `its reserve ${lending.tokenReservesLiquidity} or its rewards cannot be read`,
        );
      }
      return createEarnPosition(holding, reserve, rewards, unixTimestamp);
    });
    const elements = positions.map((position) => ({
      type: 'liquidity' as const,
      label: 'Vault' as const,
      name: 'Earn',
      liquidities: [position],
    }));
    return { elements, unreadable };
  },
};

async function findReceiptHoldings(wallet: WalletReader): Promise<readonly ReceiptHolding[]> {
  const held = await wallet.heldTokens();
  const isReceipt = ({ mintAuthority }: WalletMint) => mintAuthority === LENDING_ADMIN.address;
  const candidates = await selectMintsToFind(
    wallet,
    held,
    { program: LENDING_PROGRAM, field: RECEIPT_MINT },
    isReceipt,
  );
  const [found, mints] = await Promise.all([
    wallet.findAccounts(LENDING_PROGRAM, RECEIPT_MINT, candidates),
    wallet.mints(held.map(({ mint }) => mint)),
  ]);
  const shares = new Map<Address, bigint>();
  for (const { mint, amount } of held) {
    const info = mints.get(mint);
    if (info !== undefined && isReceipt(info)) shares.set(mint, (shares.get(mint) ?? 0n) + amount);
  }
  const { positions } = readEach(found, ({ address, account }) => {
    const lending = LENDING.decode(account.data);
    const receipt = mints.get(lending.fTokenMint);
    const amount = receipt === undefined ? undefined : shares.get(receipt.address);
    return receipt === undefined || amount === undefined
      ? null
      : { address, lending, receipt, shares: amount };
  });
  return positions;
}

/** Values receipt tokens at the current price, or at that of the last update when the program could not update it now. */
function createEarnPosition(
  { address, lending, receipt, shares }: ReceiptHolding,
  reserve: Reserve,
  rewards: Rewards,
  now: bigint,
): LiquidityPosition {
  const sources = { lending, reserve, rewards, shares: receipt.supply };
  const price = computeLendingPricesAt(sources, now)?.token ?? lending.tokenExchangePrice;
  const supplyRate = computeSupplyRate(reserve, computeExchangePricesAt(reserve, now));
  const rewardsRate = computeRewardsRateAt(rewards, toAtoms(receipt.supply, price), now);
  return {
    assets: [{ type: 'token', mint: lending.mint, amount: toAtoms(shares, price) }],
    rewardAssets: [],
    lp: { mint: receipt.address, amount: shares },
    yields: [toEarnYield(supplyRate + rewardsRate)],
    contract: LENDING_PROGRAM,
    ref: address,
    sourceRefs: [{ address, name: 'Vault' }],
    link: `https://jup.ag/lend/earn?action=deposit&mint=${lending.mint}`,
  };
}

/** @param rate - The yearly rate in basis points. */
function toEarnYield(rate: bigint): Yield {
  const apr = Number(rate) / Number(WHOLE);
  return { apr, apy: (1 + apr / DAYS_PER_YEAR) ** DAYS_PER_YEAR - 1 };
}
