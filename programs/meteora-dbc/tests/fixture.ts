import type {
  DbcConfigParameters,
  DbcTokenSupply,
} from '../../../src/protocols/meteora-dbc/program/config-parameters.ts';
import {
  type DbcCurvePoint,
  NO_LIQUIDITY_VESTING,
  NO_LOCKED_VESTING,
  NO_MARKET_CAP_FEE_SCHEDULER,
} from '../../../src/protocols/meteora-dbc/program/config-terms.ts';
import { type DbcPoolKeys, deriveDbcPoolKeys } from '../../../src/protocols/meteora-dbc/program/addresses.ts';
import {
  createDbcConfig,
  type DbcConfigParties,
  type DbcTokenNames,
  initializeDbcPool,
} from '../../../src/protocols/meteora-dbc/program/instructions-launch.ts';
import {
  DbcActivationType,
  DbcBaseFeeMode,
  DbcCollectFeeMode,
  DbcMigrationFeeOption,
  DbcMigrationOption,
  DbcTokenAuthority,
  DbcTokenType,
} from '../../../src/protocols/meteora-dbc/program/program.ts';
import type { Address } from '../../../src/solana/address.ts';
import type { Instruction } from '../../../src/solana/messages/instruction.ts';
import { TOKEN_2022_PROGRAM, TOKEN_PROGRAM } from '../../../src/solana/program-addresses.ts';
import type { TestNetwork } from '../../../src/testing/svm/network.ts';
import { namedAddress, type Token, token, writeMint, writeWallet } from '../../raydium-cpmm/tests/fixture.ts';

export const PARTNER = namedAddress('dbc partner');
export const LEFTOVER_RECEIVER = namedAddress('dbc leftover receiver');
export const CREATOR = namedAddress('dbc creator');
export const PAYER = namedAddress('dbc payer');
/** The token that launches are paid with. */
export const QUOTE = token('dbc quote');

export const NOW = 1_700_000_000n;
export const SLOT = 1_000_000n;

/** The price of the first tokens: a millionth of a quote token. Base tokens have as many decimals as quote tokens. */
export const START = (1n << 64n) / 1_000n;
const UNIT = 1_000_000n;

/** A curve of two parts, which raise 500 units each. The price becomes four times as high in either. */
export const CURVE: readonly DbcCurvePoint[] = [
  partOf(START, START * 2n, 500n * UNIT),
  partOf(START * 2n, START * 4n, 500n * UNIT),
];

/** Returns a part of a curve that raises the amount between two root prices. */
export function partOf(lower: bigint, upper: bigint, raised: bigint): DbcCurvePoint {
  return { sqrtPrice: upper, liquidity: (raised << 128n) / (upper - lower) };
}

/** Terms that the program accepts: 800 units are raised, and all liquidity stays locked. */
export const PARAMETERS: DbcConfigParameters = {
  poolFees: {
    baseFee: {
      cliffFeeNumerator: 10_000_000n,
      firstFactor: 0,
      secondFactor: 0n,
      thirdFactor: 0n,
      baseFeeMode: DbcBaseFeeMode.LINEAR,
    },
    dynamicFee: null,
  },
  collectFeeMode: DbcCollectFeeMode.QUOTE_TOKEN,
  migrationOption: DbcMigrationOption.DAMM_V2,
  activationType: DbcActivationType.TIMESTAMP,
  tokenType: DbcTokenType.SPL_TOKEN,
  tokenDecimal: 6,
  partnerLiquidityPercentage: 0,
  partnerPermanentLockedLiquidityPercentage: 50,
  creatorLiquidityPercentage: 0,
  creatorPermanentLockedLiquidityPercentage: 50,
  migrationQuoteThreshold: 800n * UNIT,
  sqrtStartPrice: START,
  lockedVesting: NO_LOCKED_VESTING,
  migrationFeeOption: DbcMigrationFeeOption.FIXED_BPS_25,
  tokenSupply: null,
  creatorTradingFeePercentage: 0,
  tokenUpdateAuthority: DbcTokenAuthority.CREATOR_UPDATE,
  migrationFee: { feePercentage: 0, creatorFeePercentage: 0 },
  migratedPoolFee: { collectFeeMode: 0, dynamicFee: 0, poolFeeBps: 0 },
  poolCreationFee: 0n,
  partnerLiquidityVestingInfo: NO_LIQUIDITY_VESTING,
  creatorLiquidityVestingInfo: NO_LIQUIDITY_VESTING,
  migratedPoolBaseFeeMode: 0,
  migratedPoolMarketCapFeeSchedulerParams: NO_MARKET_CAP_FEE_SCHEDULER,
  enableFirstSwapWithMinFee: false,
  compoundingFeeBps: 0,
  curve: CURVE,
};

/** A fixed supply that suffices for these terms. */
export const SUPPLY: DbcTokenSupply = {
  preMigrationTokenSupply: 1_000_000_000n * UNIT,
  postMigrationTokenSupply: 1_000_000_000n * UNIT,
};

export function partiesOf(config: Address, quote: Token = QUOTE): DbcConfigParties {
  return {
    config,
    feeClaimer: PARTNER,
    leftoverReceiver: LEFTOVER_RECEIVER,
    quoteMint: quote.mint,
    payer: PAYER,
  };
}

export const NAMES: DbcTokenNames = {
  name: 'Launched Token',
  symbol: 'LAUNCH',
  uri: 'https://tokens.example/launch.json',
};

/** Writes the wallets that pay and the quote mint, and sets the clock. */
export function prepare(network: TestNetwork, quote: Token = QUOTE): void {
  writeMint(network, quote);
  for (const wallet of [PAYER, CREATOR, PARTNER]) writeWallet(network, wallet);
  setClock(network, { slot: SLOT, time: NOW });
}

export function setClock(network: TestNetwork, at: { readonly slot: bigint; readonly time: bigint }): void {
  const clock = network.svm.getClock();
  clock.slot = at.slot;
  clock.unixTimestamp = at.time;
  network.svm.setClock(clock);
}

/** What a launch in a test may have otherwise. */
export interface LaunchOptions {
  readonly name?: string;
  readonly quote?: Token;
  readonly changes?: Partial<DbcConfigParameters>;
}

/** The keys of a launch with its own configuration, and the instructions that create both. */
export interface Launch {
  readonly keys: DbcPoolKeys;
  readonly parameters: DbcConfigParameters;
  readonly instructions: readonly [createConfig: Instruction, initializePool: Instruction];
}

/** Describes a launch, whose addresses follow from its name. */
export function describeLaunch({ name = 'launch', quote = QUOTE, changes = {} }: LaunchOptions = {}): Launch {
  const parameters = { ...PARAMETERS, ...changes };
  const keys = keysOf(namedAddress(`dbc config of ${name}`), namedAddress(`dbc mint of ${name}`), {
    quote,
    tokenType: parameters.tokenType,
  });
  return {
    keys,
    parameters,
    instructions: [
      createDbcConfig(partiesOf(keys.config, quote), parameters),
      initializeDbcPool(keys, { creator: CREATOR, payer: PAYER }, NAMES),
    ],
  };
}

export function keysOf(
  config: Address,
  baseMint: Address,
  {
    quote = QUOTE,
    tokenType = DbcTokenType.SPL_TOKEN,
  }: { readonly quote?: Token; readonly tokenType?: number } = {},
): DbcPoolKeys {
  return deriveDbcPoolKeys({
    config,
    baseMint,
    quoteMint: quote.mint,
    tokenBaseProgram: tokenType === DbcTokenType.TOKEN_2022 ? TOKEN_2022_PROGRAM : TOKEN_PROGRAM,
    tokenQuoteProgram: quote.tokenProgram,
  });
}

/** Creates the configuration and the pool of a launch. */
export function launch(network: TestNetwork, options: LaunchOptions = {}): Launch {
  const described = describeLaunch(options);
  for (const instruction of described.instructions) {
    const { error, logs } = network.send([instruction]);
    if (error !== null) throw new Error(`the launch failed: ${JSON.stringify(error)}\n${logs.join('\n')}`);
  }
  return described;
}
