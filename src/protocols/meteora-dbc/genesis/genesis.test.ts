import { describe, expect, it } from 'vitest';
import { AccountLedger } from '../../../protocol/genesis/account-ledger.ts';
import { DEFAULT_SEED, deriveGenesisKeys } from '../../../protocol/genesis/keys.ts';
import { addMint, toLedgerMint } from '../../../protocol/genesis/mints.ts';
import type { Address } from '../../../solana/address.ts';
import { getGenesisToken } from '../../../solana/known-tokens.ts';
import type { Instruction } from '../../../solana/messages/instruction.ts';
import { deriveAssociatedTokenAddress } from '../../../solana/pda.ts';
import { createAssociatedTokenIdempotent } from '../../../solana/programs/associated-token.ts';
import { U64_MAX } from '../../../solana/units.ts';
import { TestNetwork } from '../../../testing/svm/network.ts';
import { deriveDammPositionTokenAddress } from '../../meteora-damm-v2/program/addresses.ts';
import { swap } from '../../meteora-damm-v2/instructions.ts';
import { createDbcConfig, initializeDbcPool } from '../program/instructions-launch.ts';
import { claimDbcCreatorTradingFee, claimDbcTradingFee } from '../program/instructions-claim.ts';
import { migrateDbcToDammV2 } from '../program/instructions-migration.ts';
import { swap2Dbc, swapDbc } from '../program/instructions-swap.ts';
import { decodeDbcPool } from '../program/layout-pool.ts';
import { DBC_MIGRATION_CONFIGS, DbcSwapMode, METEORA_DBC_AUTHORITY } from '../program/program.ts';
import { type GenesisLaunch, meteoraDbcGenesis, meteoraDbcVenueGenesis } from './genesis.ts';

const keys = deriveGenesisKeys(DEFAULT_SEED);
const creator = keys.poolCreator.address;
const partner = keys.feeOwner.address;
const ledger = new AccountLedger();
meteoraDbcGenesis.addAccounts?.(ledger, keys, 0n);
const launches = meteoraDbcVenueGenesis.addPools(ledger, keys) as readonly GenesisLaunch[];
const written = new Map(ledger.accounts().map(({ address, account }) => [address, account]));
const named = launches.map((launch) => ({ launch, name: launch.plan.name }));

describe('genesis launches', () => {
  it('are at four stages', () => {
    const stages = launches.map(({ keys: { pool }, migrated, parameters }) => {
      const { quoteReserve } = decodeDbcPool(written.get(pool)?.data ?? new Uint8Array(0));
      const raised = (quoteReserve * 100n) / parameters.migrationQuoteThreshold;
      return [raised, migrated !== null];
    });
    expect(stages).toEqual([
      [0n, false],
      [43n, false],
      [97n, false],
      [100n, true],
    ]);
  });

  it('stand as the programs leave them', () => {
    const made = openNetwork();
    for (const { address } of [keys.poolCreator, keys.feeOwner]) fundWallet(made, address);
    const configs = new Set<Address>();
    for (const launch of launches) {
      if (!configs.has(launch.keys.config)) createConfig(made, launch);
      configs.add(launch.keys.config);
      live(made, launch);
    }
    for (const [address, account] of written) {
      const theirs = made.account(address);
      expect(Buffer.from(theirs?.data ?? []).toString('hex'), address).toBe(
        Buffer.from(account.data).toString('hex'),
      );
      expect([theirs?.owner, theirs?.lamports], address).toEqual([account.owner, account.lamports]);
    }
  });

  it.each(named)('is traded, and pays its fees out: $name', ({ launch }) => {
    const network = openNetwork();
    for (const [address, account] of written) network.setAccount(address, account);
    network.setUnixTime(1_800_000_000n);
    const token = launch.keys.baseMint;
    const quoteAccount = tokenAccount(launch, launch.keys.quoteMint);
    openBaseAccount(network, launch);
    const before = network.tokenBalance(tokenAccount(launch, token));
    send(network, buy(launch, 1_000_000n));
    const bought = network.tokenBalance(tokenAccount(launch, token)) - before;
    expect(bought).toBeGreaterThan(0n);
    send(network, sell(launch, bought));
    const { creatorQuoteFee, partnerQuoteFee } = decodeDbcPool(
      network.account(launch.keys.pool)?.data ?? new Uint8Array(0),
    );
    const held = network.tokenBalance(quoteAccount);
    const claims = { tokenBaseAccount: tokenAccount(launch, token), tokenQuoteAccount: quoteAccount };
    const all = { maxBaseAmount: U64_MAX, maxQuoteAmount: U64_MAX };
    send(network, claimDbcCreatorTradingFee(launch.keys, { ...claims, claimer: creator }, all));
    send(network, claimDbcTradingFee(launch.keys, { ...claims, claimer: partner }, all));
    expect(network.tokenBalance(quoteAccount) - held).toBe(creatorQuoteFee + partnerQuoteFee);
  });

  it('gives both positions of a migrated pool to their owners', () => {
    const migrated = launches.flatMap((launch) => launch.migrated ?? []);
    const owners = migrated.flatMap(({ positionMints }) =>
      positionMints.map((mint) => {
        const { data } = written.get(deriveDammPositionTokenAddress(mint)) ?? { data: new Uint8Array(0) };
        return Buffer.from(data.subarray(32, 64)).toString('hex');
      }),
    );
    expect(new Set(owners).size).toBe(2);
  });
});

const PROGRAMS = ['meteora-dbc', 'meteora-damm-v2', 'token-metadata'];
const RICH = 1_000_000_000_000n;

/** A network with the configs of DAMM v2, the quote mints, and a creator who holds quote tokens. */
function openNetwork(): TestNetwork {
  const network = new TestNetwork(PROGRAMS);
  const others = new AccountLedger();
  for (const symbol of ['SOL', 'USDC']) {
    const token = getGenesisToken(symbol);
    others.addAssociatedTokens(toLedgerMint(token), { owner: creator, amount: RICH });
    addMint(others, token, keys.mintAuthority.address);
  }
  for (const { address, account } of others.accounts()) network.setAccount(address, account);
  for (const address of [METEORA_DBC_AUTHORITY, ...DBC_MIGRATION_CONFIGS]) {
    const account = written.get(address);
    if (account !== undefined) network.setAccount(address, account);
  }
  return network;
}

function fundWallet(network: TestNetwork, address: Address): void {
  const account = network.account(network.payer);
  if (account !== null) network.setAccount(address, account);
}

function send(network: TestNetwork, ...instructions: readonly Instruction[]): void {
  const { error, logs } = network.send(instructions);
  expect(error, logs.join('\n')).toBeNull();
}

function createConfig(
  network: TestNetwork,
  { keys: { config, quoteMint }, parameters }: GenesisLaunch,
): void {
  const parties = { config, quoteMint, feeClaimer: partner, leftoverReceiver: partner, payer: network.payer };
  send(network, createDbcConfig(parties, parameters));
}

/** Launches the token, buys and migrates as the plan says. */
function live(network: TestNetwork, launch: GenesisLaunch): void {
  const { plan } = launch;
  network.setUnixTime(plan.launchedAt);
  send(network, initializeDbcPool(launch.keys, { creator, payer: network.payer }, plan));
  if (plan.purchases.length > 0) openBaseAccount(network, launch);
  for (const amount of plan.purchases) send(network, purchaseOf(launch, amount));
  if (plan.migratedAt === null || launch.migrated === null) return;
  network.setUnixTime(plan.migratedAt);
  const rest = { amount0: RICH / 2n, amount1: 0n, swapMode: DbcSwapMode.PARTIAL_FILL };
  send(network, swap2Dbc(launch.keys, parties(launch), rest));
  const [firstPositionMint, secondPositionMint] = launch.migrated.positionMints;
  const dammConfig = DBC_MIGRATION_CONFIGS[launch.parameters.migrationFeeOption] as Address;
  send(
    network,
    migrateDbcToDammV2(launch.keys, {
      payer: network.payer,
      dammConfig,
      firstPositionMint,
      secondPositionMint,
    }),
  );
}

function openBaseAccount(
  network: TestNetwork,
  { keys: { baseMint: mint, tokenBaseProgram } }: GenesisLaunch,
): void {
  const account = { payer: network.payer, owner: creator, mint, tokenProgram: tokenBaseProgram };
  send(network, createAssociatedTokenIdempotent(account));
}

function tokenAccount({ keys: pool }: GenesisLaunch, mint: Address): Address {
  const program = mint === pool.baseMint ? pool.tokenBaseProgram : pool.tokenQuoteProgram;
  return deriveAssociatedTokenAddress(creator, mint, program);
}

function parties(launch: GenesisLaunch) {
  return {
    payer: creator,
    inputTokenAccount: tokenAccount(launch, launch.keys.quoteMint),
    outputTokenAccount: tokenAccount(launch, launch.keys.baseMint),
  };
}

function purchaseOf(launch: GenesisLaunch, amountIn: bigint): Instruction {
  return swapDbc(launch.keys, parties(launch), { amountIn, minimumAmountOut: 0n });
}

/** Buys on the curve, or in the pool that it has become. */
function buy(launch: GenesisLaunch, amount: bigint): Instruction {
  return launch.migrated === null ? purchaseOf(launch, amount) : swapMigrated(launch, amount, false);
}

function sell(launch: GenesisLaunch, amount: bigint): Instruction {
  if (launch.migrated !== null) return swapMigrated(launch, amount, true);
  const { inputTokenAccount, outputTokenAccount, payer } = parties(launch);
  const reversed = { payer, inputTokenAccount: outputTokenAccount, outputTokenAccount: inputTokenAccount };
  return swapDbc(launch.keys, reversed, { amountIn: amount, minimumAmountOut: 0n });
}

function swapMigrated(launch: GenesisLaunch, amount: bigint, isSale: boolean): Instruction {
  const { keys: pool, migrated } = launch;
  if (migrated === null) throw new Error('the launch has no pool');
  const [base, quote] = [tokenAccount(launch, pool.baseMint), tokenAccount(launch, pool.quoteMint)];
  return swap(
    {
      address: migrated.address,
      mints: [pool.baseMint, pool.quoteMint],
      vaults: migrated.vaults,
      tokenPrograms: [pool.tokenBaseProgram, pool.tokenQuoteProgram],
    },
    { authority: creator, source: isSale ? base : quote, destination: isSale ? quote : base },
    amount,
    0n,
  );
}
