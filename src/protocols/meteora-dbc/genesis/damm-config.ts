import type { AccountLedger } from '../../../protocol/genesis/account-ledger.ts';
import { encodeDammConfig } from '../../meteora-damm-v2/program/layout-config.ts';
import { METEORA_DAMM_V2_PROGRAM } from '../../meteora-damm-v2/program/program.ts';
import { ActivationType, type BaseFee, CollectFeeMode } from '../../meteora-damm-v2/program/layout.ts';
import {
  DBC_MIGRATION_CONFIGS,
  MAX_DBC_SQRT_PRICE,
  METEORA_DBC_AUTHORITY,
  MIN_DBC_SQRT_PRICE,
} from '../program/program.ts';

/** The fees of the pools that curves become, in basis points, by migration fee option. The last option has its own terms. */
const FEES_BPS = [25, 30, 100, 200, 400, 600] as const;

/** Returns the base fee of the pools under a fixed option: it never falls. */
export function createMigratedBaseFee(option: number): BaseFee {
  const cliff = BigInt(FEES_BPS[option] ?? 0) * 100_000n;
  return { cliff, mode: 0, periods: 0, middle: 0n, last: 0n };
}

/** Writes the configs of DAMM v2 that migrations need, under which only the curves' authority creates pools. */
export function addMigrationConfigs(ledger: AccountLedger): void {
  for (const [option, address] of DBC_MIGRATION_CONFIGS.entries()) {
    ledger.addData(address, METEORA_DAMM_V2_PROGRAM, encodeMigrationConfig(option));
  }
}

function encodeMigrationConfig(option: number): Uint8Array {
  const isDynamic = option >= FEES_BPS.length;
  const terms = {
    baseFee: createMigratedBaseFee(option),
    protocolFeePercent: 20,
    referralFeePercent: 20,
    compoundingBps: 0,
    dynamicFee: null,
    sqrtMinPrice: MIN_DBC_SQRT_PRICE,
    sqrtMaxPrice: MAX_DBC_SQRT_PRICE,
    activationType: ActivationType.TIMESTAMP,
    collectFeeMode: CollectFeeMode.TOKEN_B,
  };
  return encodeDammConfig({
    index: BigInt(option),
    creatorAuthority: METEORA_DBC_AUTHORITY,
    terms: isDynamic ? null : terms,
  });
}
