import type { Account } from '../../../chain/accounts.ts';
import type { BorrowLendElement, Yield } from '../../../protocol/positions/element.ts';
import {
  type FoundAccount,
  type PositionFetcher,
  readEach,
  type Unreadable,
  type WalletMint,
  type WalletReader,
} from '../../../protocol/positions/fetcher.ts';
import { selectMintsToFind } from '../../../protocol/positions/mint-accounts.ts';
import type { Address } from '../../../solana/address.ts';
import { LayoutInvalid } from '../../../solana/codec/byte-reader.ts';
import { type AccountLayout, decodeOwned } from '../lending-base/account-layout.ts';
import { WHOLE, toAtoms } from '../lending-base/amounts.ts';
import { deriveReserveAddress } from '../liquidity/addresses.ts';
import { computeExchangePricesAt } from '../liquidity/exchange-prices.ts';
import { RESERVE, type Reserve } from '../liquidity/layouts.ts';
import { computeSupplyRate } from '../liquidity/rates.ts';
import { LIQUIDITY_PROGRAM, VAULTS_PROGRAM } from '../lending-base/programs.ts';
import {
  deriveBranchAddress,
  deriveTickAddress,
  deriveTickIdLiquidationAddress,
  deriveVaultConfigAddress,
  deriveVaultStateAddress,
} from './state/addresses.ts';
import { computeVaultPricesAt } from './model/exchange-prices.ts';
import {
  BRANCH,
  POSITION,
  POSITION_MINT_OFFSET,
  type VaultPosition,
  TICK,
  TICK_ID_LIQUIDATION,
  VAULT_CONFIG,
  VAULT_STATE,
  type VaultConfig,
  type VaultState,
} from './state/layouts.ts';
import { NO_TICK, toTokenAtoms } from './state/limits.ts';
import { type PositionState, computePositionState, VaultAccountMissing } from './state/position-state.ts';
import { JUPITER_EXCHANGE_PLATFORM } from '../../jupiter-exchange/platform.ts';

const PLATFORM = JUPITER_EXCHANGE_PLATFORM.id;
const DAYS_PER_YEAR = 365;
/** A threshold of 100 percent. */
const THRESHOLD_ONE = 1_000;
/**
 * The maximum number of rounds of reads. A liquidated position follows branches one after another, with a read for
 * each.
 */
const MAX_ROUNDS = 64;

type HeldVaultPosition = VaultPosition & { readonly address: Address };

interface VaultConfigAndState {
  readonly config: VaultConfig;
  readonly state: VaultState;
}

/** Finds the vault positions whose token is in the wallet. Each is one element, including liquidated ones. */
export const vaultPositions: PositionFetcher = {
  id: `${PLATFORM}-lend-vaults`,
  platformId: PLATFORM,
  claims: async (wallet) => {
    const { positions } = await heldPositions(wallet);
    return new Set(positions.map(({ positionMint }) => positionMint));
  },
  fetch: async (wallet) => {
    const { positions, unreadable } = await heldPositions(wallet);
    const read = await Promise.all(positions.map((position) => readPosition(wallet, position)));
    const elements = read.flatMap((each) => ('element' in each ? [each.element] : []));
    const failed = read.flatMap((each) => ('reason' in each ? [each] : []));
    return { elements, unreadable: [...unreadable, ...failed] };
  },
};

async function heldPositions(wallet: WalletReader) {
  const held = await wallet.singleTokens();
  const fits = ({ decimals, supply }: WalletMint) => decimals === 0 && supply === 1n;
  const field = { offset: POSITION_MINT_OFFSET, dataSize: POSITION.size, startsWith: POSITION.tag };
  const candidates = await selectMintsToFind(wallet, held, { program: VAULTS_PROGRAM, field }, fits);
  const [found, mints] = await Promise.all([
    wallet.findAccounts(VAULTS_PROGRAM, field, candidates),
    wallet.mints(candidates),
  ]);
  return readEach(found, ({ address, account }: FoundAccount): HeldVaultPosition | null => {
    const position = { address, ...POSITION.decode(account.data) };
    const mint = mints.get(position.positionMint);
    return mint !== undefined && fits(mint) ? position : null;
  });
}

async function readPosition(
  wallet: WalletReader,
  position: HeldVaultPosition,
): Promise<{ readonly element: BorrowLendElement } | Unreadable> {
  try {
    const [vault, state, { unixTimestamp }] = await Promise.all([
      readVault(wallet, position.vaultId),
      readState(wallet, position),
      wallet.clock(),
    ]);
    const { supplyToken, borrowToken } = vault.config;
    const [reserves, mints] = await Promise.all([
      wallet.accounts([supplyToken, borrowToken].map(deriveReserveAddress)),
      wallet.mints([supplyToken, borrowToken]),
    ]);
    const decimals = [supplyToken, borrowToken].map((mint) => mints.get(mint)?.decimals);
    const [supply, borrow] = reserves.map((account) => decodeOwned(account, LIQUIDITY_PROGRAM, RESERVE));
    if (supply == null || borrow == null || decimals[0] === undefined || decimals[1] === undefined) {
      return {
        address: position.address,
        reason: `the reserves of vault ${position.vaultId} cannot be read`,
      };
    }
    const terms = { supply, borrow, decimals: [decimals[0], decimals[1]] as const, now: unixTimestamp };
    return { element: createVaultElement(position, state, vault, terms) };
  } catch (error) {
    if (!(error instanceof LayoutInvalid || error instanceof VaultAccountMissing)) throw error;
    return { address: position.address, reason: error.message };
  }
}

async function readVault(wallet: WalletReader, vaultId: number): Promise<VaultConfigAndState> {
  const accounts = await wallet.accounts([
    deriveVaultConfigAddress(vaultId).address,
    deriveVaultStateAddress(vaultId).address,
  ]);
  const config = decodeOwned(accounts[0], VAULTS_PROGRAM, VAULT_CONFIG);
  const state = decodeOwned(accounts[1], VAULTS_PROGRAM, VAULT_STATE);
  if (config === null || state === null) throw new LayoutInvalid(`vault ${vaultId} cannot be read`);
  return { config, state };
}

/** Computes the position's state from the known accounts. When some are missing, reads them and starts again. */
async function readState(wallet: WalletReader, position: VaultPosition): Promise<PositionState> {
  const known = new Map<Address, Account | null>();
  const { vaultId, tick: debtTick } = position;
  // A position with debt always needs its tick, so it is read before the first attempt.
  let unread =
    position.isSupplyOnly || debtTick === NO_TICK ? [] : [deriveTickAddress(vaultId, debtTick).address];
  for (let round = 0; round < MAX_ROUNDS; round++) {
    const accounts = await wallet.accounts(unread);
    for (const [index, address] of unread.entries()) known.set(address, accounts[index] ?? null);
    const missing = new Set<Address>();
    const get = <Values>(address: Address, layout: AccountLayout<Values>): Values | null => {
      if (!known.has(address)) missing.add(address);
      return decodeOwned(known.get(address), VAULTS_PROGRAM, layout);
    };
    const attempt = attempted(() =>
      computePositionState(position, {
        tick: (tick) => get(deriveTickAddress(vaultId, tick).address, TICK),
        tickIdLiquidation: (tick, id) =>
          get(deriveTickIdLiquidationAddress(vaultId, tick, id).address, TICK_ID_LIQUIDATION),
        branch: (id) => get(deriveBranchAddress(vaultId, id).address, BRANCH),
      }),
    );
    if (missing.size === 0) {
      if (attempt instanceof VaultAccountMissing) throw attempt;
      return attempt;
    }
    unread = [...missing];
  }
  throw new LayoutInvalid(`it fell through more than ${MAX_ROUNDS} branches`);
}

function attempted(compute: () => PositionState): PositionState | VaultAccountMissing {
  try {
    return compute();
  } catch (error) {
    if (error instanceof VaultAccountMissing) return error;
    throw error;
  }
}

interface VaultTerms {
  readonly supply: Reserve;
  readonly borrow: Reserve;
  readonly decimals: readonly [supply: number, borrow: number];
  /** Unix seconds. */
  readonly now: bigint;
}

/** Returns the element of a position. Collateral and debt are both rounded down, as in the public SDK. */
function createVaultElement(
  { address, nftId, vaultId }: HeldVaultPosition,
  position: PositionState,
  { config, state }: VaultConfigAndState,
  { supply, borrow, decimals, now }: VaultTerms,
): BorrowLendElement {
  const [supplyPrices, borrowPrices] = [
    computeExchangePricesAt(supply, now),
    computeExchangePricesAt(borrow, now),
  ];
  const liquidity = { supply: supplyPrices.supply, borrow: borrowPrices.borrow };
  const prices = computeVaultPricesAt(config, state, liquidity, now);
  if (prices === null) throw new LayoutInvalid(`the prices of vault ${vaultId} fell`);
  const collateral = toTokenAtoms(toAtoms(position.collateral, prices.supply), decimals[0]);
  const debt = toTokenAtoms(toAtoms(position.debt, prices.borrow), decimals[1]);
  const supplyRate = Number(computeSupplyRate(supply, supplyPrices)) + config.supplyRateMagnifier;
  const borrowRate = Number(borrow.borrowRate) + config.borrowRateMagnifier;
  const isOwing = debt > 0n;
  return {
    type: 'borrowlend',
    label: 'Lending',
    name: `Vault ${vaultId} #${nftId}`,
    ...(position.isLiquidated ? { tags: ['Liquidated'] } : {}),
    suppliedAssets: [{ type: 'token', mint: config.supplyToken, amount: collateral }],
    borrowedAssets: isOwing ? [{ type: 'token', mint: config.borrowToken, amount: debt }] : [],
    rewardAssets: [],
    suppliedYields: [[toVaultYield(supplyRate)]],
    borrowedYields: isOwing ? [[toVaultYield(-borrowRate)]] : [],
    liquidationThresholds: [config.liquidationThreshold / THRESHOLD_ONE],
    contract: VAULTS_PROGRAM,
    ref: address,
    sourceRefs: [{ address: deriveVaultConfigAddress(vaultId).address, name: 'Vault' }],
    link: `https://jup.ag/lend/borrow/${vaultId}/nfts/${nftId}`,
  };
}

/** @param rate - The yearly rate in basis points; negative for a cost. */
function toVaultYield(rate: number): Yield {
  const apr = rate / Number(WHOLE);
  return { apr, apy: (1 + apr / DAYS_PER_YEAR) ** DAYS_PER_YEAR - 1 };
}
