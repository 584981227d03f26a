import { U128_MAX, divideUp } from '../../../solana/units.ts';
import {
  deriveDammCustomPoolAddress,
  deriveDammPositionAddress,
  deriveDammPositionTokenAddress,
  deriveDammVaultAddress,
} from '../program/addresses.ts';
import { computeDammReserves } from '../program/curve.ts';
import {
  ActivationType,
  CollectFeeMode,
  type DynamicFeeTerms,
  encodePool,
  type DammSides,
} from '../program/layout.ts';
import { encodePosition } from '../program/layout-position.ts';
import {
  MAX_SQRT_PRICE,
  METEORA_DAMM_V2_AUTHORITY,
  METEORA_DAMM_V2_EVENT_AUTHORITY,
  METEORA_DAMM_V2_PROGRAM,
  MIN_SQRT_PRICE,
} from '../program/program.ts';
import { type Address, toAddressBytes } from '../../../solana/address.ts';
import { ByteWriter } from '../../../solana/codec/byte-writer.ts';
import { findProgramAddress } from '../../../solana/pda.ts';
import { SYSTEM_PROGRAM, TOKEN_2022_PROGRAM } from '../../../solana/program-addresses.ts';
import { type Extension, ExtensionType } from '../../../solana/programs/token/extensions.ts';
import { encodeMint } from '../../../solana/programs/token/mint.ts';
import type { AccountLedger } from '../../../protocol/genesis/account-ledger.ts';
import { computeIntegerSquareRoot } from '../../../common/integer-square-root.ts';
import type { GenesisKeys } from '../../../protocol/genesis/keys.ts';
import { PLANNED_METEORA_POOLS, type PlannedMeteoraPool } from './plan.ts';
import { toLedgerMint } from '../../../protocol/genesis/mints.ts';
import type { VenueGenesis } from '../../../protocol/genesis/venue-genesis.ts';
import { computeAtomsWorth } from '../../../protocol/genesis/prices.ts';
import { type TokenInfo, getGenesisToken } from '../../../solana/known-tokens.ts';

/** A DAMM v2 pool with one position, which the pool creator holds and which has all of the liquidity. */
export interface GenesisMeteoraPool {
  readonly address: Address;
  /** Token A, token B. */
  readonly mints: DammSides<Address>;
  readonly vaults: DammSides<Address>;
  /** The mint of the position's one token. */
  readonly positionMint: Address;
}

/** The terms of the pool's trading. */
interface GenesisLiquidity {
  readonly liquidity: bigint;
  readonly sqrtPrice: bigint;
  readonly sqrtMinPrice: bigint;
  readonly sqrtMaxPrice: bigint;
  readonly amounts: DammSides<bigint>;
  /** The position's part of the liquidity. */
  readonly held: bigint;
}

/** The price is computed from this many dollars of both tokens, so that it has enough digits. */
const PRICE_PROBE_USD = 1_000_000_000n;
/** The part of a compounding pool's liquidity that has no owner. */
const DEAD_LIQUIDITY = 100n << 64n;

/** As the program's authors suggest for a base fee of about 0.25%: at most a fifth of it on top. */
const DYNAMIC_FEE: DynamicFeeTerms = {
  maxAccumulator: 14_460_000,
  control: 240,
  binStep: 1,
  binStepQ64: 1_844_674_407_370_955n,
  filterPeriod: 10,
  decayPeriod: 120,
  reductionBps: 5_000,
};

/** The pools of `PLANNED_METEORA_POOLS`, as `initialize_customizable_pool` leaves them. */
export const meteoraDammV2Genesis: VenueGenesis<GenesisMeteoraPool> = {
  sharedAccounts: [METEORA_DAMM_V2_PROGRAM, METEORA_DAMM_V2_AUTHORITY, METEORA_DAMM_V2_EVENT_AUTHORITY],
  addPools: addMeteoraPools,
  poolAccounts: ({ address, vaults }) => [address, ...vaults],
};

function addMeteoraPools(ledger: AccountLedger, keys: GenesisKeys): GenesisMeteoraPool[] {
  return PLANNED_METEORA_POOLS.map((plan) => addPool(ledger, keys, plan));
}

function addPool(
  ledger: AccountLedger,
  { poolCreator }: GenesisKeys,
  plan: PlannedMeteoraPool,
): GenesisMeteoraPool {
  const tokens = [getGenesisToken(plan.pair[0]), getGenesisToken(plan.pair[1])] as const;
  const mints: DammSides<Address> = [tokens[0].mint, tokens[1].mint];
  const address = deriveDammCustomPoolAddress(...mints);
  const vaults: DammSides<Address> = [
    deriveDammVaultAddress(address, mints[0]),
    deriveDammVaultAddress(address, mints[1]),
  ];
  const { held, ...market } = computeGenesisLiquidity(plan, tokens);
  const data = encodePool({
    ...market,
    baseFee: plan.baseFee,
    protocolFeePercent: 20,
    referralFeePercent: 20,
    compoundingBps: plan.compoundingBps,
    dynamicFee: plan.dynamic ? DYNAMIC_FEE : null,
    volatility: { lastUpdate: 0n, referencePrice: 0n, accumulator: 0n, reference: 0n },
    initSqrtPrice: market.sqrtPrice,
    mints,
    vaults,
    whitelistedVault: SYSTEM_PROGRAM,
    activationPoint: 0n,
    activationType: ActivationType.TIMESTAMP,
    status: 0,
    tokenFlags: [toTokenProgramFlag(tokens[0]), toTokenProgramFlag(tokens[1])],
    collectFeeMode: plan.collectFeeMode,
    kind: 1,
    feeVersion: 1,
    layoutVersion: 1,
    protocolFees: [0n, 0n],
    creator: poolCreator.address,
    positions: 1n,
  });
  ledger.addData(address, METEORA_DAMM_V2_PROGRAM, data);
  for (const side of [0, 1] as const) {
    const holding = { owner: METEORA_DAMM_V2_AUTHORITY, amount: market.amounts[side] };
    ledger.addTokens(vaults[side], toLedgerMint(tokens[side]), holding);
  }
  const positionMint = addPosition(ledger, { pool: address, liquidity: held, owner: poolCreator.address });
  return { address, mints, vaults, positionMint };
}

/** The liquidity that the plan's dollars make, and the reserves that it is worth. */
function computeGenesisLiquidity(plan: PlannedMeteoraPool, tokens: DammSides<TokenInfo>): GenesisLiquidity {
  const [probeA, probeB] = tokens.map((token) => computeAtomsWorth(PRICE_PROBE_USD, token)) as [
    bigint,
    bigint,
  ];
  const [depthA, depthB] = tokens.map((token) => computeAtomsWorth(plan.depth, token)) as [bigint, bigint];
  const sqrtPrice = computeIntegerSquareRoot((probeB << 128n) / probeA);
  const whole = computeIntegerSquareRoot(depthA * depthB) << 64n;
  const { collectFeeMode, sqrtReach } = plan;
  if (collectFeeMode === CollectFeeMode.COMPOUNDING) {
    const amounts = [divideUp(whole, sqrtPrice), divideUp(whole * sqrtPrice, 1n << 128n)] as const;
    const price = computeIntegerSquareRoot((amounts[1] << 128n) / amounts[0]);
    const range = { sqrtPrice: price, sqrtMinPrice: 0n, sqrtMaxPrice: U128_MAX };
    return { liquidity: whole, ...range, amounts, held: whole - DEAD_LIQUIDITY };
  }
  const range =
    sqrtReach === null
      ? { sqrtMinPrice: MIN_SQRT_PRICE, sqrtMaxPrice: MAX_SQRT_PRICE }
      : { sqrtMinPrice: sqrtPrice / sqrtReach, sqrtMaxPrice: sqrtPrice * sqrtReach };
  // In a range from 1/r to r times the root of the price, the same tokens make r / (r − 1) times the liquidity.
  const liquidity = sqrtReach === null ? whole : (whole * sqrtReach) / (sqrtReach - 1n);
  const amounts = computeDammReserves({ collectFeeMode, liquidity, sqrtPrice, ...range, amounts: [0n, 0n] });
  return { liquidity, sqrtPrice, ...range, amounts, held: liquidity };
}

function addPosition(
  ledger: AccountLedger,
  { pool, liquidity, owner }: { readonly pool: Address; readonly liquidity: bigint; readonly owner: Address },
): Address {
  const seeds = [Buffer.from('position mint'), toAddressBytes(pool)];
  // Replaces the address that a fresh key would give. Nobody can have a key for it.
  const mint = findProgramAddress(METEORA_DAMM_V2_PROGRAM, seeds).address;
  ledger.addData(
    deriveDammPositionAddress(mint),
    METEORA_DAMM_V2_PROGRAM,
    encodePosition({ pool, mint, liquidity }),
  );
  addPositionToken(ledger, { mint, pool, owner });
  return mint;
}

/** Writes the mint that a position of a pool belongs to, and the owner's account with its one token. */
export function addPositionToken(
  ledger: AccountLedger,
  { mint, pool, owner }: { readonly mint: Address; readonly pool: Address; readonly owner: Address },
): void {
  const token = { mint, tokenProgram: TOKEN_2022_PROGRAM, accountExtensions: [] };
  ledger.addTokens(deriveDammPositionTokenAddress(mint), token, { owner, amount: 1n });
  const base = { mintAuthority: METEORA_DAMM_V2_AUTHORITY, supply: 1n, decimals: 0, freezeAuthority: pool };
  const data = encodeMint({ ...base, extensions: positionExtensions(mint) });
  ledger.addData(mint, TOKEN_2022_PROGRAM, data);
}

/** What a position's mint has: its metadata within itself, and the program's right to close it. */
function positionExtensions(mint: Address): Extension[] {
  const authority = toAddressBytes(METEORA_DAMM_V2_AUTHORITY);
  const texts = [
    'Meteora Position NFT',
    'MPN',
    'https://raw.githubusercontent.com/MeteoraAg/token-metadata/main/meteora_position_nft.png',
  ];
  const metadata = new ByteWriter(256).bytes(authority).address(mint);
  for (const text of texts) metadata.u32(text.length).bytes(Buffer.from(text));
  return [
    { type: ExtensionType.METADATA_POINTER, data: Buffer.concat([authority, toAddressBytes(mint)]) },
    { type: ExtensionType.MINT_CLOSE_AUTHORITY, data: authority },
    { type: ExtensionType.TOKEN_METADATA, data: metadata.u32(0).finish() },
  ];
}

function toTokenProgramFlag({ program }: TokenInfo): number {
  return program === 'token' ? 0 : 1;
}
