import type { TokenInfo } from '../../../solana/known-tokens.ts';
import type { Address } from '../../../solana/address.ts';
import { SYSTEM_PROGRAM } from '../../../solana/program-addresses.ts';
import { tokenProgramOf } from '../../../protocol/genesis/mints.ts';
import { PRICE_ONE, YEAR } from '../lending-base/amounts.ts';
import { deriveLendingAddress, deriveReceiptMintAddress } from '../lending/addresses.ts';
import { deriveRewardsAddress } from '../lending-reward-rate-model/addresses.ts';
import type { Lending } from '../lending/layouts.ts';
import type { Rewards } from '../lending-reward-rate-model/layouts.ts';
import { depositAssets } from '../lending/shares.ts';
import {
  deriveReserveAddress,
  deriveReserveVaultAddress,
  deriveSupplyPositionAddress,
} from '../liquidity/addresses.ts';
import { computeExchangePricesAt } from '../liquidity/exchange-prices.ts';
import {
  type BorrowPosition,
  PositionStatus,
  type RateModel,
  type Reserve,
  type SupplyPosition,
} from '../liquidity/layouts.ts';
import {
  type LiquidityState,
  operate,
  type LiquidityOperateAmounts,
} from '../liquidity/operate-liquidity.ts';
import type { BorrowTerms, LendingSetup, ReserveTerms, RewardTerms, SupplyTerms } from './setup.ts';

/** The positions of a protocol in one token. */
interface ReservePositions {
  readonly supply: SupplyPosition;
  readonly borrow: BorrowPosition;
}

/** An earn token, and how many receipt tokens each owner has. */
export interface BookedLending {
  readonly lending: Lending;
  readonly rewards: Rewards;
  readonly shares: ReadonlyMap<Address, bigint>;
}

/** The reserve of one token, with its lending and the positions of protocols. */
export interface BookedReserve {
  readonly token: TokenInfo;
  readonly reserve: Reserve;
  readonly rateModel: RateModel;
  /** The balance of the reserve's vault in atoms. */
  readonly held: bigint;
  readonly positions: ReadonlyMap<Address, ReservePositions>;
  /** The atoms that were paid out, by the owner of the associated token account. */
  readonly paid: ReadonlyMap<Address, bigint>;
  readonly lending: BookedLending | null;
}

/**
 * The accounts of the liquidity program and the earn tokens while the genesis creates them. Each step changes them as the
 * programs would, and throws if they would refuse it.
 */
export class LendingBook implements LendingSetup {
  readonly #reserves = new Map<Address, BookedReserve>();

  /** In the order in which they were added. */
  reserves(): readonly BookedReserve[] {
    return [...this.#reserves.values()];
  }

  addReserve(token: TokenInfo, terms: ReserveTerms, at: bigint): void {
    const { rates } = terms;
    const rateModel: RateModel = {
      mint: token.mint,
      version: 2,
      rateAtZero: rates.atZero,
      kink1Utilization: rates.kink1,
      rateAtKink1: rates.atKink1,
      rateAtMax: rates.atMax,
      kink2Utilization: rates.kink2,
      rateAtKink2: rates.atKink2,
    };
    const reserve = { ...emptyReserve(token, at), borrowRate: rates.atZero };
    const { feeOnInterest, maxUtilization } = terms;
    this.#reserves.set(token.mint, {
      token,
      rateModel,
      reserve: { ...reserve, feeOnInterest, maxUtilization },
      held: 0n,
      positions: new Map(),
      paid: new Map(),
      lending: null,
    });
  }

  admit(
    protocol: Address,
    token: TokenInfo,
    supply: SupplyTerms,
    borrow: BorrowTerms | null,
    at: bigint,
  ): void {
    const booked = this.#of(token);
    if (booked.positions.has(protocol)) throw new Error(`${protocol} may use ${token.symbol} already`);
    const positions = new Map(booked.positions).set(protocol, {
      supply: { ...emptySupply(protocol, token, at), ...supply },
      borrow:
        borrow === null
          ? emptyBorrow(protocol, token, at)
          : {
              ...emptyBorrow(protocol, token, at),
              ...borrow,
              withInterest: true,
              status: PositionStatus.ACTIVE,
            },
    });
    this.#reserves.set(token.mint, { ...booked, positions });
  }

  addLending(token: TokenInfo, at: bigint): void {
    const booked = this.#of(token);
    const { address, bump } = deriveLendingAddress(token.mint);
    const lending: Lending = {
      mint: token.mint,
      fTokenMint: deriveReceiptMintAddress(token.mint),
      lendingId: this.reserves().filter((each) => each.lending !== null).length + 1,
      decimals: token.decimals,
      rewardsRateModel: deriveRewardsAddress(token.mint).address,
      liquidityExchangePrice: computeExchangePricesAt(booked.reserve, at).supply,
      tokenExchangePrice: PRICE_ONE,
      lastUpdateTimestamp: at,
      tokenReservesLiquidity: deriveReserveAddress(token.mint),
      supplyPositionOnLiquidity: deriveSupplyPositionAddress(token.mint, address),
      bump,
    };
    const rewards: Rewards = {
      mint: token.mint,
      startTvl: 0n,
      duration: 0n,
      startTime: 0n,
      yearlyReward: 0n,
      nextDuration: 0n,
      nextRewardAmount: 0n,
      bump: deriveRewardsAddress(token.mint).bump,
    };
    this.#reserves.set(token.mint, { ...booked, lending: { lending, rewards, shares: new Map() } });
  }

  startRewards(token: TokenInfo, { amount, duration, startTvl }: RewardTerms, at: bigint): void {
    const [booked, earn] = this.#lendingOf(token);
    if (earn.rewards.startTime !== 0n) throw new Error(`${token.symbol} has rewards already`);
    const yearlyReward = (amount * YEAR) / duration;
    const rewards = { ...earn.rewards, startTvl, duration, startTime: at, yearlyReward };
    this.#reserves.set(token.mint, { ...booked, lending: { ...earn, rewards } });
  }

  deposit(owner: Address, token: TokenInfo, assets: bigint, at: bigint): void {
    const [booked, earn] = this.#lendingOf(token);
    const protocol = deriveLendingAddress(token.mint).address;
    const shares = [...earn.shares.values()].reduce((sum, each) => sum + each, 0n);
    const before = {
      lending: earn.lending,
      rewards: earn.rewards,
      shares,
      liquidity: { ...this.#stateOf(booked, protocol), borrow: null },
    };
    const result = depositAssets(before, assets, at);
    if (!result.ok) throw new Error(`a deposit of ${assets} ${token.symbol} fails with ${result.error}`);
    const { supply, borrow } = this.#positionsOf(booked, protocol);
    const { liquidity, lending } = result.state;
    this.#reserves.set(token.mint, {
      ...this.#withState(booked, protocol, { ...liquidity, supply: liquidity.supply ?? supply, borrow }),
      lending: {
        ...earn,
        lending,
        shares: new Map(earn.shares).set(owner, (earn.shares.get(owner) ?? 0n) + result.shares),
      },
    });
  }

  borrow(protocol: Address, token: TokenInfo, amount: bigint, at: bigint): void {
    this.operate(protocol, token, { supply: 0n, borrow: amount }, at);
  }

  /**
   * Supplies and borrows for a protocol, such as a vault.
   *
   * @param payee - The owner of the associated token account that receives the payout. With null, the caller writes it.
   * @throws Error when the liquidity program would refuse it.
   */
  operate(
    protocol: Address,
    token: TokenInfo,
    amounts: LiquidityOperateAmounts,
    at: bigint,
    payee: Address | null = protocol,
  ): void {
    const booked = this.#of(token);
    const result = operate(this.#stateOf(booked, protocol), amounts, at);
    if (!result.ok) {
      throw new Error(
        `${protocol} cannot supply ${amounts.supply} and borrow ${amounts.borrow} ${token.symbol}: ${result.error}`,
      );
    }
    const leaving = amounts.borrow - (amounts.supply < 0n ? amounts.supply : 0n);
    const paid = new Map(booked.paid);
    if (leaving > 0n && payee !== null) paid.set(payee, (paid.get(payee) ?? 0n) + leaving);
    this.#reserves.set(token.mint, { ...this.#withState(booked, protocol, result.state), paid });
  }

  #of(token: TokenInfo): BookedReserve {
    const booked = this.#reserves.get(token.mint);
    if (booked === undefined) throw new Error(`the genesis lends no ${token.symbol}`);
    return booked;
  }

  #lendingOf(token: TokenInfo): readonly [BookedReserve, BookedLending] {
    const booked = this.#of(token);
    if (booked.lending === null) throw new Error(`${token.symbol} is no earn token of the genesis`);
    return [booked, booked.lending];
  }

  #positionsOf(booked: BookedReserve, protocol: Address): ReservePositions {
    const positions = booked.positions.get(protocol);
    if (positions === undefined) throw new Error(`${protocol} may not use ${booked.token.symbol}`);
    return positions;
  }

  #stateOf(booked: BookedReserve, protocol: Address): LiquidityState {
    const { reserve, rateModel, held } = booked;
    return { reserve, rateModel, held, ...this.#positionsOf(booked, protocol) };
  }

  #withState(booked: BookedReserve, protocol: Address, state: LiquidityState): BookedReserve {
    const { supply, borrow } = state;
    if (supply === null || borrow === null) throw new Error(`${protocol} has lost a position`);
    const positions = new Map(booked.positions).set(protocol, { supply, borrow });
    return { ...booked, reserve: state.reserve, held: state.held, positions };
  }
}

function emptyReserve(token: TokenInfo, at: bigint): Reserve {
  return {
    mint: token.mint,
    vault: deriveReserveVaultAddress(token.mint, tokenProgramOf(token)),
    borrowRate: 0,
    feeOnInterest: 0,
    lastUtilization: 0,
    lastUpdateTimestamp: at,
    supplyExchangePrice: PRICE_ONE,
    borrowExchangePrice: PRICE_ONE,
    maxUtilization: 0,
    totalSupplyWithInterest: 0n,
    totalSupplyInterestFree: 0n,
    totalBorrowWithInterest: 0n,
    totalBorrowInterestFree: 0n,
    totalClaimAmount: 0n,
    interactingProtocol: SYSTEM_PROGRAM,
    interactingTimestamp: 0n,
    interactingBalance: 0n,
  };
}

function emptySupply(protocol: Address, token: TokenInfo, at: bigint): SupplyPosition {
  return {
    protocol,
    mint: token.mint,
    withInterest: true,
    amount: 0n,
    withdrawalLimit: 0n,
    decayAmount: 0n,
    lastUpdate: at,
    expandPercent: 0,
    expandDuration: 0,
    decayDuration: 0,
    baseWithdrawalLimit: 0n,
    status: PositionStatus.ACTIVE,
  };
}

/** Returns a borrow position that was never configured. */
function emptyBorrow(protocol: Address, token: TokenInfo, at: bigint): BorrowPosition {
  return {
    protocol,
    mint: token.mint,
    withInterest: false,
    amount: 0n,
    debtCeiling: 0n,
    lastUpdate: at,
    expandPercent: 0,
    expandDuration: 0,
    baseDebtCeiling: 0n,
    maxDebtCeiling: 0n,
    status: PositionStatus.NOT_CONFIGURED,
  };
}
