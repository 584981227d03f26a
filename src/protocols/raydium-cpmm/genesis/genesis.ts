import { deriveRaydiumConfigAddress, type PoolAddresses, derivePoolAddresses } from '../program/addresses.ts';
import {
  CreatorFeeOn,
  encodeAmmConfig,
  encodeObservationState,
  encodePool,
  type RaydiumSides,
} from '../program/layout.ts';
import {
  RAYDIUM_CPMM_AUTHORITY,
  RAYDIUM_CPMM_AUTHORITY_BUMP,
  RAYDIUM_CPMM_POOL_FEE_RECEIVER,
  RAYDIUM_CPMM_PROGRAM,
  RAYDIUM_CPMM_SEEDS,
} from '../program/program.ts';
import type { Address } from '../../../solana/address.ts';
import { findProgramAddress } from '../../../solana/pda.ts';
import { TOKEN_PROGRAM } from '../../../solana/program-addresses.ts';
import { encodeMint } from '../../../solana/programs/token/mint.ts';
import type { AccountLedger } from '../../../protocol/genesis/account-ledger.ts';
import { computeIntegerSquareRoot } from '../../../common/integer-square-root.ts';
import type { GenesisKeys } from '../../../protocol/genesis/keys.ts';
import {
  CREATE_POOL_FEE,
  CREATOR_FEE_RATE,
  FEE_TIERS,
  FUND_FEE_RATE,
  PLANNED_POOLS,
  type PlannedPool,
  PROTOCOL_FEE_RATE,
} from './plan.ts';
import { addMintPermit } from './mint-permit.ts';
import { toLedgerMint, tokenProgramOf } from '../../../protocol/genesis/mints.ts';
import type { VenueGenesis } from '../../../protocol/genesis/venue-genesis.ts';
import { computeAtomsWorth } from '../../../protocol/genesis/prices.ts';
import { NATIVE_SYMBOL, type TokenInfo, getGenesisToken } from '../../../solana/known-tokens.ts';

const LP_DECIMALS = 9;
/** LP atoms that the program counts as supply but never mints, so that a pool is never empty. */
const LOCKED_LP = 100n;

/** The fee tiers of mainnet, and the pools of `PLANNED_POOLS`. */
export const raydiumCpmmGenesis: VenueGenesis<PoolAddresses> = {
  sharedAccounts: [
    RAYDIUM_CPMM_PROGRAM,
    RAYDIUM_CPMM_AUTHORITY,
    ...FEE_TIERS.map(({ index }) => deriveRaydiumConfigAddress(index)),
  ],
  addPools,
  poolAccounts: ({ address, vaults, observation }) => [address, ...vaults, observation],
};

function addPools(ledger: AccountLedger, keys: GenesisKeys): PoolAddresses[] {
  addFeeTiers(ledger, keys);
  const native = getGenesisToken(NATIVE_SYMBOL);
  ledger.addTokens(RAYDIUM_CPMM_POOL_FEE_RECEIVER, toLedgerMint(native), {
    owner: keys.feeOwner.address,
    amount: 0n,
  });
  addMintPermit(ledger, getGenesisToken('PYUSD').mint);
  return PLANNED_POOLS.map((plan) => addPool(ledger, keys, plan));
}

function addFeeTiers(ledger: AccountLedger, { feeOwner }: GenesisKeys): void {
  for (const { index, tradeFeeRate } of FEE_TIERS) {
    const seeds = [Buffer.from(RAYDIUM_CPMM_SEEDS.config), Uint8Array.of(index >> 8, index & 0xff)];
    const { address, bump } = findProgramAddress(RAYDIUM_CPMM_PROGRAM, seeds);
    const data = encodeAmmConfig({
      bump,
      disableCreatePool: false,
      index,
      tradeFeeRate,
      protocolFeeRate: PROTOCOL_FEE_RATE,
      fundFeeRate: FUND_FEE_RATE,
      createPoolFee: CREATE_POOL_FEE,
      protocolOwner: feeOwner.address,
      fundOwner: feeOwner.address,
      creatorFeeRate: CREATOR_FEE_RATE,
      creatorFeeShareRate: 0n,
    });
    ledger.addData(address, RAYDIUM_CPMM_PROGRAM, data);
  }
}

/** Writes a pool as `initialize` leaves it. */
function addPool(ledger: AccountLedger, { poolCreator }: GenesisKeys, plan: PlannedPool): PoolAddresses {
  const pair = [getGenesisToken(plan.pair[0]), getGenesisToken(plan.pair[1])] as const;
  const pool = derivePoolAddresses(deriveRaydiumConfigAddress(plan.tier), [
    poolToken(pair[0]),
    poolToken(pair[1]),
  ]);
  const tokens: RaydiumSides<TokenInfo> = pair[0].mint === pool.mints[0] ? pair : [pair[1], pair[0]];
  const amounts: RaydiumSides<bigint> = [
    computeAtomsWorth(plan.depth, tokens[0]),
    computeAtomsWorth(plan.depth, tokens[1]),
  ];
  const lpSupply = computeIntegerSquareRoot(amounts[0] * amounts[1]);
  const creator = poolCreator.address;

  const data = encodePool({
    ...pool,
    creator,
    authorityBump: RAYDIUM_CPMM_AUTHORITY_BUMP,
    status: 0,
    lpDecimals: LP_DECIMALS,
    decimals: [tokens[0].decimals, tokens[1].decimals],
    lpSupply,
    protocolFees: [0n, 0n],
    fundFees: [0n, 0n],
    openTime: 0n,
    recentEpoch: 0n,
    creatorFeeOn: CreatorFeeOn.INPUT,
    creatorFeeEnabled: false,
    creatorFees: [0n, 0n],
  });
  ledger.addData(pool.address, RAYDIUM_CPMM_PROGRAM, data);
  for (const side of [0, 1] as const) {
    const holding = { owner: RAYDIUM_CPMM_AUTHORITY, amount: amounts[side] };
    ledger.addTokens(pool.vaults[side], toLedgerMint(tokens[side]), holding);
  }
  addObservation(ledger, pool);
  addLpMint(ledger, pool, { owner: creator, amount: lpSupply - LOCKED_LP });
  return pool;
}

function addObservation(ledger: AccountLedger, { address, observation }: PoolAddresses): void {
  const empty = { initialized: false, index: 0, pool: address, observations: [], lastUpdateTimestamp: 0n };
  ledger.addData(observation, RAYDIUM_CPMM_PROGRAM, encodeObservationState(empty));
}

function addLpMint(
  ledger: AccountLedger,
  { lpMint }: PoolAddresses,
  holding: { readonly owner: Address; readonly amount: bigint },
): void {
  const mint = { mint: lpMint, tokenProgram: TOKEN_PROGRAM, accountExtensions: [] };
  ledger.addAssociatedTokens(mint, holding);
  const data = encodeMint({
    mintAuthority: RAYDIUM_CPMM_AUTHORITY,
    supply: ledger.supplyOf(lpMint),
    decimals: LP_DECIMALS,
    freezeAuthority: null,
    extensions: [],
  });
  ledger.addData(lpMint, TOKEN_PROGRAM, data);
}

function poolToken(token: TokenInfo) {
  return { mint: token.mint, tokenProgram: tokenProgramOf(token) };
}
