import type { Account } from '../../../chain/accounts.ts';
import type { Chain } from '../../../chain/chain.ts';
import { PRICE_ONE } from '../../../protocols/jupiter-lend/lending-base/amounts.ts';
import { type Lending, LENDING } from '../../../protocols/jupiter-lend/lending/layouts.ts';
import { REWARDS, type Rewards } from '../../../protocols/jupiter-lend/lending-reward-rate-model/layouts.ts';
import {
  RATE_MODEL,
  RESERVE,
  type RateModel,
  type Reserve,
  SUPPLY_POSITION,
  type SupplyPosition,
} from '../../../protocols/jupiter-lend/liquidity/layouts.ts';
import { deriveRateModelAddress } from '../../../protocols/jupiter-lend/liquidity/addresses.ts';
import {
  LENDING_PROGRAM,
  LIQUIDITY_PROGRAM,
  REWARDS_PROGRAM,
} from '../../../protocols/jupiter-lend/lending-base/programs.ts';
import type { Address } from '../../../solana/address.ts';
import { readTokenAccountAmount } from '../../../solana/programs/token/account.ts';
import { decodeMint } from '../../../solana/programs/token/mint.ts';
import { KeptAccounts } from '../../assets/kept-accounts.ts';

/** An earn token with all accounts that it is computed from. */
export interface EarnMarket {
  readonly lending: Lending;
  readonly rewards: Rewards;
  readonly reserve: Reserve;
  readonly rateModel: RateModel;
  readonly supply: SupplyPosition;
  /** The account of the mint of the token. */
  readonly mint: Account;
  /** The program that owns it. */
  readonly tokenProgram: Address;
  /** The supply of the receipt token, in atoms. */
  readonly shares: bigint;
  /** The balance of the reserve's vault, in atoms. */
  readonly held: bigint;
}

/** A lending without a rewards account has no rewards. */
const NO_REWARDS: Omit<Rewards, 'mint'> = {
  startTvl: 0n,
  duration: 0n,
  startTime: 0n,
  yearlyReward: 0n,
  nextDuration: 0n,
  nextRewardAmount: 0n,
  bump: 0,
};

/** All earn tokens of the network, kept current. */
export class EarnMarkets {
  readonly #kept: KeptAccounts;
  #listed: readonly EarnMarket[] = [];
  #byMint: ReadonlyMap<Address, EarnMarket> = new Map();
  #version = -1;

  private constructor(kept: KeptAccounts) {
    this.#kept = kept;
  }

  /** @throws ChainUnavailable when the network does not answer */
  static async open(chain: Chain, onDefect: (where: string, error: unknown) => void): Promise<EarnMarkets> {
    const kept = await KeptAccounts.open(chain, [
      { program: LENDING_PROGRAM, filter: LENDING.filter },
      { program: REWARDS_PROGRAM, filter: REWARDS.filter },
      { program: LIQUIDITY_PROGRAM, filter: RESERVE.filter },
      { program: LIQUIDITY_PROGRAM, filter: RATE_MODEL.filter },
      { program: LIQUIDITY_PROGRAM, filter: SUPPLY_POSITION.filter },
    ]);
    await keepDependencies(kept);
    // A lending that is created later refers to a mint and a vault that are not watched yet.
    kept.onChange(() => {
      keepDependencies(kept).catch((error: unknown) => onDefect('the accounts of earn tokens', error));
    });
    return new EarnMarkets(kept);
  }

  /** By lending id. */
  list(): readonly EarnMarket[] {
    this.#refresh();
    return this.#listed;
  }

  /** Returns the earn token of which `mint` is the underlying or the receipt token; null if there is none. */
  of(mint: Address): EarnMarket | null {
    this.#refresh();
    return this.#byMint.get(mint) ?? null;
  }

  /** @param listener - Called with the addresses of the lendings that changed. */
  onLendingChange(listener: (lendings: readonly Address[]) => void): () => void {
    return this.#kept.onChange((changed) => {
      const lendings = changed.filter((address) => this.#kept.read(address)?.owner === LENDING_PROGRAM);
      if (lendings.length > 0) listener(lendings);
    });
  }

  close(): void {
    this.#kept.close();
  }

  #refresh(): void {
    if (this.#version === this.#kept.version) return;
    this.#version = this.#kept.version;
    this.#listed = listLendings(this.#kept)
      .flatMap((lending) => findMarket(this.#kept, lending) ?? [])
      .sort((one, other) => one.lending.lendingId - other.lending.lendingId);
    this.#byMint = new Map(
      this.#listed.flatMap((market) => [
        [market.lending.fTokenMint, market],
        [market.lending.mint, market],
      ]),
    );
  }
}

function listLendings(kept: KeptAccounts): readonly Lending[] {
  const lendings: Lending[] = [];
  for (const [address, account] of kept.accounts()) {
    const lending = account.owner === LENDING_PROGRAM ? kept.decoded(address, LENDING.decode) : null;
    if (lending !== null) lendings.push(lending);
  }
  return lendings;
}

async function keepDependencies(kept: KeptAccounts): Promise<void> {
  const wanted = listLendings(kept).flatMap(({ mint, fTokenMint, tokenReservesLiquidity }) => {
    const reserve = kept.decoded(tokenReservesLiquidity, RESERVE.decode);
    return reserve === null ? [] : [mint, fTokenMint, reserve.vault];
  });
  await kept.keep(wanted);
}

/** Returns null while one of the accounts is missing or invalid. */
function findMarket(kept: KeptAccounts, lending: Lending): EarnMarket | null {
  const reserve = kept.decoded(lending.tokenReservesLiquidity, RESERVE.decode);
  const supply = kept.decoded(lending.supplyPositionOnLiquidity, SUPPLY_POSITION.decode);
  const rateModel = kept.decoded(deriveRateModelAddress(lending.mint), RATE_MODEL.decode);
  const receipt = kept.decoded(lending.fTokenMint, decodeMint);
  const mint = kept.read(lending.mint);
  if (reserve === null || supply === null || rateModel === null || receipt === null || mint === null) {
    return null;
  }
  if (lending.liquidityExchangePrice < PRICE_ONE || lending.tokenExchangePrice === 0n) return null;
  const rewards = kept.decoded(lending.rewardsRateModel, REWARDS.decode);
  const held = kept.decoded(reserve.vault, readTokenAccountAmount);
  if (held === null) return null;
  return {
    lending,
    reserve,
    rateModel,
    supply,
    rewards: rewards ?? { ...NO_REWARDS, mint: lending.mint },
    mint,
    tokenProgram: mint.owner,
    shares: receipt.supply,
    held,
  };
}
