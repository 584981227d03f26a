import type { AccountLedger } from '../../../protocol/genesis/account-ledger.ts';
import { ByteWriter } from '../../../solana/codec/byte-writer.ts';
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

const CONFIG_SIZE = 328;
const CONFIG_TAG = Uint8Array.of(155, 12, 170, 224, 30, 250, 204, 130);
/** The kinds of configs: with terms of its own, or for a pool's own terms. */
const [STATIC, DYNAMIC] = [0, 1] as const;

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
  const to = new ByteWriter(CONFIG_SIZE).bytes(CONFIG_TAG).zeros(32).address(METEORA_DBC_AUTHORITY);
  if (isDynamic) to.zeros(128);
  else {
    const { cliff } = createMigratedBaseFee(option);
    // The rest of the fee, the dynamic fee, the shares of protocol and referrer, and what is not used.
    to.u64(cliff).zeros(24 + 48).u8(20).zeros(1).u8(20).zeros(3 + 2 + 40);
  }
  to.u8(isDynamic ? 0 : ActivationType.TIMESTAMP).u8(isDynamic ? 0 : CollectFeeMode.TOKEN_B);
  to.u8(isDynamic ? DYNAMIC : STATIC).zeros(5).u64(BigInt(option));
  if (!isDynamic) to.u128(MIN_DBC_SQRT_PRICE).u128(MAX_DBC_SQRT_PRICE);
  return to.zeros(CONFIG_SIZE - to.length).finish();
}
