import { deriveFeeTierAddress, deriveWhirlpoolOracleAddress } from '../program/addresses.ts';
import { encodeFeeTier, encodeWhirlpoolsConfig, type WhirlpoolSides } from '../program/layout.ts';
import { WHIRLPOOL_PROGRAM } from '../program/program.ts';
import { deriveTickArrayAddresses, computeTickWindow } from '../program/tick-window.ts';
import type { Address } from '../../../solana/address.ts';
import type { AccountLedger } from '../../../protocol/genesis/account-ledger.ts';
import type { GenesisKeys } from '../../../protocol/genesis/keys.ts';
import type { VenueGenesis } from '../../../protocol/genesis/venue-genesis.ts';
import {
  PLANNED_WHIRLPOOLS,
  type PlannedWhirlpool,
  WHIRLPOOL_FEE_TIERS,
  WHIRLPOOL_PROTOCOL_FEE_RATE,
  WHIRLPOOLS_CONFIG,
} from './plan.ts';
import { createPoolDraft, type GenesisPosition, createGenesisPosition } from './draft.ts';
import { addOracle, addPool, addPosition, addTickArrays } from './write-pool.ts';

export interface GenesisWhirlpool {
  readonly address: Address;
  /** In the order of their bytes: token A, token B. */
  readonly mints: WhirlpoolSides<Address>;
  readonly vaults: WhirlpoolSides<Address>;
  readonly tickSpacing: number;
  readonly positions: readonly GenesisPosition[];
  /** The pool's own accounts that a swap at the genesis price names. */
  readonly swapAccounts: readonly Address[];
}

/** The configuration and fee tiers of mainnet, and the pools of `PLANNED_WHIRLPOOLS` with their positions. */
export const whirlpoolGenesis: VenueGenesis<GenesisWhirlpool> = {
  sharedAccounts: [WHIRLPOOL_PROGRAM],
  addPools: addWhirlpools,
  poolAccounts: ({ swapAccounts }) => swapAccounts,
};

function addWhirlpools(ledger: AccountLedger, keys: GenesisKeys): GenesisWhirlpool[] {
  const authority = keys.feeOwner.address;
  const config = encodeWhirlpoolsConfig({
    feeAuthority: authority,
    collectProtocolFeesAuthority: authority,
    rewardEmissionsSuperAuthority: authority,
    defaultProtocolFeeRate: WHIRLPOOL_PROTOCOL_FEE_RATE,
    featureFlags: 0,
  });
  ledger.addData(WHIRLPOOLS_CONFIG, WHIRLPOOL_PROGRAM, config);
  for (const [tickSpacing, defaultFeeRate] of WHIRLPOOL_FEE_TIERS) {
    const tier = encodeFeeTier({ config: WHIRLPOOLS_CONFIG, tickSpacing, defaultFeeRate });
    ledger.addData(deriveFeeTierAddress(WHIRLPOOLS_CONFIG, tickSpacing), WHIRLPOOL_PROGRAM, tier);
  }
  return PLANNED_WHIRLPOOLS.map((plan) => addWhirlpool(ledger, keys, plan));
}

/** Writes a pool as `initialize_pool_v2` and the positions' `open_position` and `increase_liquidity` leave it. */
function addWhirlpool(ledger: AccountLedger, keys: GenesisKeys, plan: PlannedWhirlpool): GenesisWhirlpool {
  const market = createPoolDraft(plan);
  const positions = plan.ranges.map((range, index) => createGenesisPosition(market, range, index));
  addPool(ledger, market, positions, keys.feeOwner.address);
  addTickArrays(ledger, market, positions);
  if (market.adaptiveFee !== null) addOracle(ledger, market, market.adaptiveFee);
  for (const position of positions) addPosition(ledger, market, position, keys.poolCreator.address);
  const { down, up } = computeTickWindow(market.tick, market.tickSpacing);
  const arrays = deriveTickArrayAddresses(market.address, [...new Set([...down, ...up])]);
  return {
    address: market.address,
    mints: [market.tokens[0].mint, market.tokens[1].mint],
    vaults: market.vaults,
    tickSpacing: market.tickSpacing,
    positions,
    swapAccounts: [market.address, ...market.vaults, deriveWhirlpoolOracleAddress(market.address), ...arrays],
  };
}
