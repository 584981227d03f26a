import { toDbcPoolConfig } from '../../../src/protocols/meteora-dbc/build-config/config-account.ts';
import { checkDbcParameters } from '../../../src/protocols/meteora-dbc/build-config/config-check.ts';
import { addSwapBuffer } from '../../../src/protocols/meteora-dbc/build-config/supply.ts';
import { computeLockedTotal } from '../../../src/protocols/meteora-dbc/build-config/vesting.ts';
import type { DbcConfigParameters } from '../../../src/protocols/meteora-dbc/program/config-parameters.ts';
import type { DbcPoolConfig } from '../../../src/protocols/meteora-dbc/program/config-terms.ts';
import type { DbcConfigParties } from '../../../src/protocols/meteora-dbc/program/instructions-launch.ts';
import { TOKEN_2022_PROGRAM } from '../../../src/solana/program-addresses.ts';
import type { Token } from '../../raydium-cpmm/tests/fixture.ts';

/** Returns what the gateway expects the program to store, or null if it expects a refusal. */
export function expectConfig(
  parameters: DbcConfigParameters,
  parties: DbcConfigParties,
  quote: Token,
): DbcPoolConfig | null {
  const checked = checkDbcParameters(parameters);
  if (!checked.ok) return null;
  const quoteTokenFlag = quote.tokenProgram === TOKEN_2022_PROGRAM ? 1 : 0;
  return toDbcPoolConfig(parameters, checked.terms, { ...parties, quoteTokenFlag });
}

/** Returns the atoms that a new pool mints: the fixed supply, or what is sold with a buffer, migrated and vested. */
export function expectInitialSupply(config: DbcPoolConfig): bigint {
  if (config.fixedTokenSupplyFlag === 1) return config.preMigrationTokenSupply;
  const sold = addSwapBuffer(config, config.swapBaseAmount);
  return sold + config.migrationBaseThreshold + computeLockedTotal(config.lockedVestingConfig);
}
