import { describe, expect, it } from 'vitest';
import {
  cancelQueuedRewards,
  initRewardsRateModel,
  queueNextRewards,
  startRewards,
  stopRewards,
  updateRewardsAuths,
} from '../programs/lending-reward-rate-model/tests/instructions.ts';
import { updateLendingAuths, updateRebalancer } from '../programs/lending/tests/instructions.ts';
import { LendingWorld } from '../programs/lending/tests/world.ts';
import {
  changeStatus,
  collectRevenue,
  initNewProtocol,
  pauseUser,
  unpauseUser,
  updateAuths,
  updateGuardians,
  updateRateDataV1,
  updateRateDataV2,
  updateRevenueCollector,
  updateTokenConfig,
  updateUserBorrowConfig,
  updateUserClass,
  updateUserSupplyConfig,
  updateUserWithdrawalLimit,
} from '../programs/liquidity/tests/instructions.ts';
import {
  initVaultConfig,
  rebalance,
  TERMS,
  updateCoreSettings,
  updateLookupTable,
  updateSetting,
  updateVaultAuths,
  updateVaultOracle,
} from '../programs/vaults/tests/instructions.ts';
import { VaultWorld } from '../programs/vaults/tests/world.ts';
import { deriveLendOracleAddress } from '../src/protocols/jupiter-lend/oracle/addresses.ts';
import { initOracle, updateOracleAuths } from '../src/protocols/jupiter-lend/oracle/instructions.ts';
import { type Address, toAddressBytes } from '../src/solana/address.ts';
import type { Instruction } from '../src/solana/messages/instruction.ts';
import { SYSTEM_PROGRAM, TOKEN_PROGRAM } from '../src/solana/program-addresses.ts';
import { deriveAssociatedTokenAddress } from '../src/solana/pda.ts';
import { deriveMetadataAddress } from '../src/solana/programs/token-metadata/program.ts';
import { transferLamports } from '../src/solana/programs/system.ts';
import {
  deriveVaultPositionAddress,
  deriveVaultPositionMintAddress,
} from '../src/protocols/jupiter-lend/vaults/state/addresses.ts';
import { AUTHORITY, creationOf, updateOf } from '../programs/token-metadata/tests/cases.ts';
import type { TestNetwork } from '../src/testing/svm/network.ts';

describe('the administration of the lending programs', () => {
  it('of vaults and oracles, and the rebalance of a vault, obeys no stranger', () => {
    const world = new VaultWorld();
    const { network, admin, pair, supply, borrow } = world;
    const source = {
      source: world.feed,
      invert: false,
      multiplier: 1n,
      divisor: 1n,
      sourceType: 'pyth',
    } as const;
    world.must(initOracle(admin, 6, [source]));
    const settings: Readonly<Record<string, number>> = {
      supply_rate_magnifier: 1,
      borrow_rate_magnifier: 1,
      collateral_factor: 7_900,
      liquidation_threshold: 8_400,
      liquidation_max_limit: 9_100,
      withdraw_gap: 10,
      liquidation_penalty: 200,
    };
    const attempts = attackAll(network, admin, {
      update_auths: (signer) => updateVaultAuths(signer, [[supply.mint, true]]),
      init_vault_config: (signer) => initVaultConfig(signer, { ...pair, vaultId: 2 }, TERMS),
      update_core_settings: (signer) => updateCoreSettings(signer, pair, TERMS),
      ...Object.fromEntries(
        Object.entries(settings).map(([name, value]) => [
          `update_${name}`,
          (signer: Address) => updateSetting(name, signer, pair, (to) => to.u16(value)),
        ]),
      ),
      update_borrow_fee: (signer) => updateSetting('borrow_fee', signer, pair, (to) => to.u8(1)),
      update_rebalancer: (signer) =>
        updateSetting('rebalancer', signer, pair, (to) => to.address(supply.mint)),
      update_oracle: (signer) => updateVaultOracle(signer, pair, deriveLendOracleAddress(6).address),
      update_lookup_table: (signer) => updateLookupTable(signer, pair.vaultId, supply.mint),
      'oracle init_oracle_config': (signer) => initOracle(signer, 7, [source]),
      'oracle update_auths': (signer) => updateOracleAuths(signer, [[supply.mint, true]]),
    });
    expect(attempts.accepted).toEqual([]);
    expect(attempts.refused).toBeGreaterThan(60);
    // The vault owes its rebalancer nothing here, so that the instruction itself is not compared.
    const stranger = world.user();
    const programs = [supply.tokenProgram, borrow.tokenProgram] as const;
    const before = [world.balance(stranger, supply), world.balance(stranger, borrow)];
    expect(network.send([rebalance(stranger, pair, programs)]).error).not.toBeNull();
    expect([world.balance(stranger, supply), world.balance(stranger, borrow)]).toEqual(before);
  });

  it('of liquidity, lending and rewards obeys no stranger', () => {
    const world = new LendingWorld();
    const { network, liquidity, token } = world;
    const { admin } = liquidity;
    const { mint } = token;
    const protocol = liquidity.protocol();
    const limits = { mode: 1, expandPercent: 100n, expandDuration: 100n };
    const target = { protocol, supplyMint: mint, borrowMint: mint, supplyStatus: 1, borrowStatus: 1 };
    const rewards = { amount: 1_000_000n, duration: 1_000_000n, startTime: 0n, startTvl: 1n };
    const attempts = attackAll(network, admin, {
      init_new_protocol: (signer) => initNewProtocol(signer, mint, mint, network.newAddress()),
      update_rate_data_v1: (signer) =>
        updateRateDataV1(signer, mint, { kink: 8_000n, atZero: 1n, atKink: 2n, atMax: 3n }),
      update_rate_data_v2: (signer) =>
        updateRateDataV2(signer, mint, {
          kink1: 5_000n,
          kink2: 8_000n,
          atZero: 1n,
          atKink1: 2n,
          atKink2: 3n,
          atMax: 4n,
        }),
      update_token_config: (signer) => updateTokenConfig(signer, mint, 100n, 9_000n),
      update_user_supply_config: (signer) =>
        updateUserSupplyConfig(signer, protocol, mint, { ...limits, baseWithdrawalLimit: 1n }),
      update_user_borrow_config: (signer) =>
        updateUserBorrowConfig(signer, protocol, mint, {
          ...limits,
          baseDebtCeiling: 1n,
          maxDebtCeiling: 2n,
        }),
      update_user_withdrawal_limit: (signer) => updateUserWithdrawalLimit(signer, protocol, mint, 0n),
      update_user_class: (signer) => updateUserClass(signer, [[protocol, 1]]),
      update_auths: (signer) => updateAuths(signer, [[protocol, true]]),
      update_guardians: (signer) => updateGuardians(signer, [[protocol, true]]),
      update_revenue_collector: (signer) => updateRevenueCollector(signer, protocol),
      change_status: (signer) => changeStatus(signer, true),
      pause_user: (signer) => pauseUser(signer, target),
      collect_revenue: (signer) => collectRevenue(signer, token, admin),
      'lending update_auths': (signer) => updateLendingAuths(signer, [[protocol, true]]),
      'lending update_rebalancer': (signer) => updateRebalancer(signer, protocol),
      'rewards update_auths': (signer) => updateRewardsAuths(signer, [[protocol, true]]),
      'rewards init_lending_rewards_rate_model': (signer) => initRewardsRateModel(signer, world.receipt.mint),
      'rewards start_rewards': (signer) => startRewards(signer, mint, rewards),
    });
    liquidity.must(startRewards(admin, mint, rewards));
    liquidity.must(pauseUser(admin, target));
    const later = attackAll(network, admin, {
      unpause_user: (signer) => unpauseUser(signer, { ...target, supplyStatus: 0, borrowStatus: 0 }),
      'rewards stop_rewards': (signer) => stopRewards(signer, mint),
      'rewards queue_next_rewards': (signer) => queueNextRewards(signer, mint, 1_000n, 1_000n),
    });
    liquidity.must(queueNextRewards(admin, mint, 1_000n, 1_000n));
    const last = attackAll(network, admin, {
      'rewards cancel_queued_rewards': (signer) => cancelQueuedRewards(signer, mint),
    });
    expect([...attempts.accepted, ...later.accepted, ...last.accepted]).toEqual([]);
    expect(attempts.refused + later.refused + last.refused).toBeGreaterThan(60);
  });
});

describe('the token of a position', () => {
  it('gets no metadata and no other name from a stranger, even from its holder', () => {
    const world = new VaultWorld();
    const { network } = world;
    const owner = world.user();
    const { address: mint } = deriveVaultPositionMintAddress(world.vaultId, world.open(owner));
    const metadata = network.account(deriveMetadataAddress(mint))?.data;
    expect(metadata).toBeDefined();
    const other = network.newAddress();
    const update = { fields, updateAuthority: other, primarySaleHappened: true, isMutable: false };
    const creation = {
      fields,
      standard: null,
      isMutable: true,
      primarySaleHappened: false,
      details: null,
      updateAuthoritySigns: true,
    };
    for (const stranger of [network.newWallet(), owner]) {
      for (const changed of [
        updateOf(update, mint),
        updateOf({ ...update, fields: null }, mint),
        creationOf(creation, { ...world.supply, mint, tokenProgram: TOKEN_PROGRAM }, stranger),
        creationOf(
          { ...creation, standard: 2 },
          { ...world.supply, mint, tokenProgram: TOKEN_PROGRAM },
          stranger,
        ),
      ]) {
        expect(network.send([by(stranger, changed)]).error).not.toBeNull();
      }
    }
    expect(network.account(deriveMetadataAddress(mint))?.data).toEqual(metadata);
  });

  it('can be opened although a stranger has sent lamports to all of its addresses before', () => {
    const world = new VaultWorld();
    const owner = world.user();
    const id = world.open(owner) + 1;
    const { address: mint } = deriveVaultPositionMintAddress(world.vaultId, id);
    const targets = [
      mint,
      deriveVaultPositionAddress(world.vaultId, id).address,
      deriveMetadataAddress(mint),
      deriveAssociatedTokenAddress(owner, mint, TOKEN_PROGRAM),
    ];
    const stranger = world.network.newWallet(10n ** 12n);
    const rent = world.network.svm.minimumBalanceForRentExemption(0n);
    world.must(...targets.map((target) => transferLamports(stranger, target, rent)));
    expect(world.open(owner)).toBe(id);
    expect(world.network.tokenBalance(deriveAssociatedTokenAddress(owner, mint, TOKEN_PROGRAM))).toBe(1n);
  });

  const fields = {
    name: 'stolen',
    symbol: 'S',
    uri: '',
    sellerFeeBasisPoints: 0,
    creators: null,
    collection: null,
    uses: null,
  };

  /** The instruction with a stranger in the place of the authority that the builders name. */
  function by(stranger: Address, instruction: Instruction): Instruction {
    const accounts = instruction.accounts.map((meta) =>
      meta.address === AUTHORITY ? { ...meta, address: stranger } : meta,
    );
    return { ...instruction, accounts };
  }
});

type Make = (signer: Address) => Instruction;

/** What a stranger tried. */
interface Attempts {
  refused: number;
  /** Attempts that a program accepted. */
  readonly accepted: string[];
}

/**
 * Tries an instruction of the administration as a stranger: with the stranger's signature, with the administrator's address
 * that has not signed, and with a forged copy of each account in which the stranger stands in the administrator's place.
 * @throws Error when the instruction fails for the administrator too, so that the attempts would say nothing
 */
function attack(network: TestNetwork, admin: Address, name: string, make: Make, attempts: Attempts): void {
  const { error, logs } = network.simulate([make(admin)]);
  if (error !== null) throw new Error(`${name} fails for its administrator: ${logs.join('\n')}`);
  const stranger = network.newWallet(10n ** 13n);
  const note = (what: string, instruction: Instruction) => {
    if (network.simulate([instruction]).error === null) attempts.accepted.push(`${name}: ${what}`);
    else attempts.refused++;
  };
  note('by a stranger', make(stranger));
  const unsigned = make(admin).accounts.map((meta) =>
    meta.address === admin ? { ...meta, role: (meta.role & 1) as 0 | 1 } : meta,
  );
  note('unsigned', { ...make(admin), accounts: unsigned });
  const strangers = make(stranger);
  for (const [index, { address }] of strangers.accounts.entries()) {
    const account = network.account(address);
    if (account === null || account.executable || address === stranger) continue;
    const forged = network.newAddress();
    const data = Buffer.from(account.data);
    for (let at = data.indexOf(toAddressBytes(admin)); at !== -1; at = data.indexOf(toAddressBytes(admin))) {
      data.set(toAddressBytes(stranger), at);
    }
    // A stranger cannot write accounts of the program, only accounts of programs of their own.
    network.setData(forged, SYSTEM_PROGRAM, new Uint8Array(data));
    const accounts = strangers.accounts.map((meta, at) =>
      at === index ? { ...meta, address: forged } : meta,
    );
    note(`with a forged account ${index}`, { ...strangers, accounts });
  }
}

function attackAll(network: TestNetwork, admin: Address, all: Readonly<Record<string, Make>>): Attempts {
  const attempts: Attempts = { refused: 0, accepted: [] };
  for (const [name, make] of Object.entries(all)) attack(network, admin, name, make, attempts);
  return attempts;
}
