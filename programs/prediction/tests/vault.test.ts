import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import {
  derivePredictionTokens,
  JUPUSD_MINT,
  PREDICTION_PROGRAM,
  PREDICTION_VAULT,
  PREDICTION_VAULT_TOKEN_ACCOUNT,
} from '../../../src/protocols/jupiter-prediction/prediction-program.ts';
import { encodePredictionVault } from '../../../src/protocols/jupiter-prediction/prediction-vault.ts';
import {
  createDisablePredictionDeposits,
  createDisablePredictionWithdrawals,
  createInitializePredictionVault,
  createSetPredictionVaultConfig,
  createWithdrawFromPredictionVault,
} from '../../../src/protocols/jupiter-prediction/instructions/prediction-vault-instructions.ts';
import { SYSTEM_PROGRAM, TOKEN_PROGRAM } from '../../../src/solana/program-addresses.ts';
import { HOUSE, ONE, PredictionWorld, replaceAccount } from './world.ts';

describe('initialize_vault', () => {
  it('makes whoever may mint the settlement token the admin of its vault', () => {
    const world = createEmptyWorld();
    const { admin, authority, keeper, cosigner } = world;
    world.must(createInitializePredictionVault({ admin, authority, keeper, cosigner }));
    expect(world.readVault()).toEqual({
      settlementMint: JUPUSD_MINT,
      currentContracts: 0n,
      globalMaxContracts: 1_000_000_000n * ONE,
      positionMaxContracts: 1_000_000n * ONE,
      positionMaxOrders: 50,
      settlementDelaySeconds: 86_400n,
      depositsDisabled: false,
      withdrawalsDisabled: false,
      tradingDisabled: false,
      protocolFeeBps: 0,
      bump: PREDICTION_VAULT.bump,
      admin,
      authority,
      keeper,
      cosigner,
    });
    expect(world.network.account(PREDICTION_VAULT.address)?.lamports).toBe(14_810_880n);
    expect(world.network.account(PREDICTION_VAULT_TOKEN_ACCOUNT)).not.toBeNull();
    expect(world.refusal(createInitializePredictionVault({ admin, authority, keeper, cosigner }))).toBe(0);
    world.buy(world.alice, ONE * 2n, 500_000n);
  });

  it('is refused to strangers, for other mints and addresses, and for one key in both places of fills', () => {
    const world = createEmptyWorld();
    const { admin, authority, keeper, cosigner, stranger } = world;
    const keys = { admin, authority, keeper, cosigner };
    expect(world.refusal(createInitializePredictionVault({ ...keys, admin: stranger }))).toBe(6000);
    expect(world.refusal(createInitializePredictionVault({ ...keys, cosigner: keeper }))).toBe(6004);
    const initialize = createInitializePredictionVault(keys);
    expect(world.refusal(replaceAccount(initialize, 1, stranger))).toBe(2006);
    expect(world.refusal(replaceAccount(initialize, 2, stranger))).toBe(6003);
    expect(world.refusal(replaceAccount(initialize, 3, derivePredictionTokens(world.alice)))).toBe(6037);
  });
});

describe('the vault', () => {
  it('is no other account, however it is written', () => {
    const world = new PredictionWorld();
    const order = world.order(world.alice);
    const rogue = world.network.newAddress();
    const vault = {
      ...world.readVault(),
      keeper: world.stranger,
      cosigner: world.bob,
      admin: world.stranger,
    };
    world.network.setData(rogue, PREDICTION_PROGRAM, encodePredictionVault(vault));
    expect(world.refusal(replaceAccount(world.fill(order, ONE, ONE / 2n), 3, rogue))).toBe(2006);
    expect(world.refusal(replaceAccount(world.close(order), 2, rogue))).toBe(2006);
    const destination = derivePredictionTokens(world.bob);
    const withdraw = createWithdrawFromPredictionVault(world.stranger, { amount: 1n, destination });
    expect(world.refusal(replaceAccount(withdraw, 1, rogue))).toBe(2006);
    expect(world.refusal(withdraw)).toBe(6000);
  });
});

describe('set_vault_config', () => {
  const config = {
    globalMaxContracts: 8n,
    positionMaxContracts: 7n,
    positionMaxOrders: 6,
    protocolFeeBps: 5,
    settlementDelaySeconds: 4n,
    depositsDisabled: true,
    withdrawalsDisabled: false,
    tradingDisabled: true,
  };

  it('sets the limits and leaves keys and counts as they are', () => {
    const world = new PredictionWorld();
    world.buy(world.alice, 10n * ONE, 500_000n);
    const before = world.readVault();
    world.must(createSetPredictionVaultConfig(world.admin, config));
    expect(world.readVault()).toEqual({ ...before, ...config });
    world.must(createSetPredictionVaultConfig(world.admin, { ...config, withdrawalsDisabled: true }));
    expect(world.readVault().withdrawalsDisabled).toBe(true);
  });

  it.each([
    [6009, { positionMaxContracts: 0n }],
    [6009, { positionMaxContracts: 9n }],
    [6010, { positionMaxOrders: 0 }],
    [6011, { protocolFeeBps: 1_001 }],
    [6004, { settlementDelaySeconds: 30n * 86_400n + 1n }],
  ])('is refused with %i for %o', (code, changes) => {
    const world = new PredictionWorld();
    expect(world.refusal(createSetPredictionVaultConfig(world.admin, { ...config, ...changes }))).toBe(code);
  });

  it('is for the admin alone', () => {
    const world = new PredictionWorld();
    for (const thief of [world.keeper, world.authority, world.stranger]) {
      expect(world.refusal(createSetPredictionVaultConfig(thief, config))).toBe(6000);
    }
  });
});

describe('disable_deposits and disable_withdrawals', () => {
  it('are for the keeper and the admin, and only the admin permits them again', () => {
    for (const stop of [createDisablePredictionDeposits, createDisablePredictionWithdrawals]) {
      const world = new PredictionWorld();
      expect(world.refusal(stop(world.stranger))).toBe(6002);
      world.must(stop(world.keeper));
      world.must(stop(world.admin));
      const { depositsDisabled, withdrawalsDisabled } = world.readVault();
      expect([depositsDisabled, withdrawalsDisabled]).toEqual(
        stop === createDisablePredictionDeposits ? [true, false] : [false, true],
      );
    }
  });
});

describe('withdraw', () => {
  it('takes no more than what positions cannot claim', () => {
    const world = new PredictionWorld();
    world.buy(world.alice, 10n * ONE, 500_000n, { venueFee: 175_000n });
    world.buy(world.bob, 10n * ONE, 400_000n, { isYes: false });
    const destination = derivePredictionTokens(world.stranger);
    world.give(world.stranger, 0n);
    const free = HOUSE + 9_175_000n - 20n * ONE;
    const withdraw = (amount: bigint) =>
      createWithdrawFromPredictionVault(world.admin, { amount, destination });
    expect(world.refusal(withdraw(free + 1n))).toBe(6058);
    expect(world.refusal(withdraw(0n))).toBe(6034);
    expect(world.refusal(withdraw(1n << 60n))).toBe(6058);
    world.must(withdraw(free));
    expect(world.balance(world.stranger)).toBe(free);
    expect(world.refusal(withdraw(1n))).toBe(6058);
  });

  it('is refused into the vault itself, into another mint, and while withdrawals are disabled', () => {
    const world = new PredictionWorld();
    const take = (destination = derivePredictionTokens(world.alice)) =>
      world.refusal(createWithdrawFromPredictionVault(world.admin, { amount: 1n, destination }));
    expect(take(PREDICTION_VAULT_TOKEN_ACCOUNT)).toBe(6037);
    expect(take(world.alice)).toBe(3007);
    world.setVault({ withdrawalsDisabled: true });
    expect(take()).toBe(6007);
  });
});

describe('an instruction that is left out', () => {
  it.each([
    ['migrate_vault_contract_units', 'MigrateVaultContractUnits', 6066],
    ['migrate_position_contract_units', 'MigratePositionContractUnits', 6066],
    ['create_ticket', 'CreateTicket', 6068],
    ['accept_ticket', 'AcceptTicket', 6068],
    ['reject_ticket', 'RejectTicket', 6068],
    ['settle_ticket', 'SettleTicket', 6068],
    ['claim_ticket', 'ClaimTicket', 6068],
    ['refund_ticket', 'RefundTicket', 6068],
    ['close_ticket', 'CloseTicket', 6068],
    ['update_market_result', null, 101],
  ])('is refused by name: %s', (name, logged, code) => {
    const world = new PredictionWorld();
    const data = createHash('sha256').update(`global:${name}`).digest().subarray(0, 8);
    const { error, logs } = world.send({ programAddress: PREDICTION_PROGRAM, accounts: [], data });
    expect(error?.custom).toBe(code);
    if (logged !== null) {
      expect(logs).toContain(`Program log: Instruction: ${logged}`);
      expect(logs.join('\n')).toContain('This instruction is not part of the stand-in');
    }
  });
});

/** Returns a world in which the vault does not exist yet. */
function createEmptyWorld(): PredictionWorld {
  const world = new PredictionWorld();
  for (const address of [PREDICTION_VAULT.address, PREDICTION_VAULT_TOKEN_ACCOUNT]) {
    const nothing = { lamports: 0n, owner: SYSTEM_PROGRAM, data: new Uint8Array(0) };
    world.network.setAccount(address, { ...nothing, executable: false, rentEpoch: 0n });
  }
  expect(world.network.account(PREDICTION_VAULT_TOKEN_ACCOUNT)?.owner).not.toBe(TOKEN_PROGRAM);
  return world;
}
