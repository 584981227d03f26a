import { beforeEach, describe, expect, it } from 'vitest';
import {
  deriveRaydiumConfigAddress,
  derivePermissionAddress,
} from '../../../src/protocols/raydium-cpmm/program/addresses.ts';
import {
  type AmmConfig,
  decodeAmmConfig,
  decodePool,
} from '../../../src/protocols/raydium-cpmm/program/layout.ts';
import {
  RAYDIUM_CPMM_ADMIN,
  RAYDIUM_CPMM_FUND_FEE_OWNER,
  RAYDIUM_CPMM_PROGRAM,
  RAYDIUM_CPMM_PROTOCOL_FEE_OWNER,
} from '../../../src/protocols/raydium-cpmm/program/program.ts';
import { type Address, toAddressBytes } from '../../../src/solana/address.ts';
import { SYSTEM_PROGRAM } from '../../../src/solana/program-addresses.ts';
import { closeAndReadRemains } from '../../../src/testing/svm/closed-accounts.ts';
import { TestNetwork } from '../../../src/testing/svm/network.ts';
import { CONFIG, CONFIG_ADDRESS, namedAddress, writePool, writeWallet } from './fixture.ts';
import {
  ConfigField,
  closePermission,
  createAmmConfig,
  createPermission,
  type NewConfig,
  updateAmmConfig,
  updatePoolStatus,
} from './instructions.ts';
import { openForEach } from '../../../src/testing/opened.ts';

const network = openForEach(() => new TestNetwork(['raydium-cpmm']));
beforeEach(setUp);

describe('create_amm_config', () => {
  it('makes a configuration under its index', () => {
    expect(network.send([createAmmConfig(NEW)]).error).toBeNull();
    const { index, tradeFeeRate, protocolFeeRate, fundFeeRate, createPoolFee, creatorFeeRate } = NEW;
    expect(configAt(deriveRaydiumConfigAddress(300))).toMatchObject({
      index,
      tradeFeeRate,
      protocolFeeRate,
      fundFeeRate,
      createPoolFee,
      creatorFeeRate,
      disableCreatePool: false,
      protocolOwner: RAYDIUM_CPMM_PROTOCOL_FEE_OWNER,
      fundOwner: RAYDIUM_CPMM_FUND_FEE_OWNER,
      creatorFeeShareRate: 0n,
    });
  });

  it("is the admin's alone, and does not replace one", () => {
    expect(network.send([createAmmConfig(NEW, SOMEBODY)]).error).toMatchObject({ custom: 6001 });
    network.send([createAmmConfig(NEW)]);
    expect(network.send([createAmmConfig(NEW)]).error).toMatchObject({ custom: 0 });
  });

  it.each([
    ['trade and creator rate are the whole', { tradeFeeRate: 999_500n }],
    ['the protocol takes more than the trade fee', { protocolFeeRate: 1_000_001n, fundFeeRate: 0n }],
    ['protocol and fund take more than the trade fee', { protocolFeeRate: 600_000n, fundFeeRate: 400_001n }],
    ['the rates are beyond a u64 together', { tradeFeeRate: (1n << 64n) - 1n }],
  ])('fails when %s', (_, wrong) => {
    expect(network.send([createAmmConfig({ ...NEW, ...wrong })]).error).toMatchObject(PANIC);
  });

  it('stands at the address of its index', () => {
    const instruction = createAmmConfig(NEW);
    const accounts = instruction.accounts.with(1, { address: deriveRaydiumConfigAddress(301), role: 1 });
    expect(network.send([{ ...instruction, accounts }]).error).toMatchObject({ custom: 2006 });
  });
});

describe('update_amm_config', () => {
  beforeEach(() => {
    writePool(network);
  });

  it.each([
    ['tradeFeeRate', ConfigField.TRADE_FEE_RATE, 999_499n],
    ['protocolFeeRate', ConfigField.PROTOCOL_FEE_RATE, 960_000n],
    ['fundFeeRate', ConfigField.FUND_FEE_RATE, 880_000n],
    ['createPoolFee', ConfigField.CREATE_POOL_FEE, 1n],
    ['creatorFeeRate', ConfigField.CREATOR_FEE_RATE, 997_499n],
    ['creatorFeeShareRate', ConfigField.CREATOR_FEE_SHARE_RATE, 1_000_000n],
  ] as const)('sets %s, and nothing else', (name, field, value) => {
    expect(update(field, value)).toBeNull();
    expect(configAt(CONFIG_ADDRESS)).toEqual({ ...CONFIG, [name]: value });
  });

  it('opens and closes the configuration for new pools', () => {
    expect(update(ConfigField.DISABLE_CREATE_POOL, 2n)).toBeNull();
    expect(configAt(CONFIG_ADDRESS).disableCreatePool).toBe(true);
    expect(update(ConfigField.DISABLE_CREATE_POOL, 0n)).toBeNull();
    expect(configAt(CONFIG_ADDRESS).disableCreatePool).toBe(false);
  });

  it.each([
    ['protocolOwner', ConfigField.PROTOCOL_OWNER],
    ['fundOwner', ConfigField.FUND_OWNER],
  ] as const)('sets %s to an account that it is given', (name, field) => {
    expect(update(field, 0n, SOMEBODY)).toBeNull();
    expect(configAt(CONFIG_ADDRESS)).toEqual({ ...CONFIG, [name]: SOMEBODY });
    expect(update(field, 0n)).toMatchObject(PANIC);
    expect(update(field, 0n, SYSTEM_PROGRAM)).toMatchObject({ custom: 2504 });
  });

  it.each([
    [ConfigField.TRADE_FEE_RATE, 999_500n],
    [ConfigField.PROTOCOL_FEE_RATE, 960_001n],
    [ConfigField.FUND_FEE_RATE, 880_001n],
    [ConfigField.CREATOR_FEE_RATE, 997_500n],
    [ConfigField.CREATOR_FEE_SHARE_RATE, 1_000_001n],
  ])('fails when field %d would be %d', (field, value) => {
    expect(update(field, value)).toMatchObject(PANIC);
  });

  it('refuses unknown fields, and signers who are not the admin', () => {
    expect(update(9, 0n)).toMatchObject({ custom: 6003 });
    const stranger = updateAmmConfig(CONFIG_ADDRESS, ConfigField.TRADE_FEE_RATE, 0n, undefined, SOMEBODY);
    expect(network.send([stranger]).error).toMatchObject({ custom: 6001 });
  });

  const update = (field: number, value: bigint, owner?: Address) =>
    network.send([updateAmmConfig(CONFIG_ADDRESS, field, value, owner)]).error;
});

describe('update_pool_status', () => {
  it('sets the status, for the admin', () => {
    const { addresses } = writePool(network);
    expect(network.send([updatePoolStatus(addresses.address, 255)]).error).toBeNull();
    const pool = decodePool(network.account(addresses.address)?.data ?? new Uint8Array());
    expect(pool).toMatchObject({ status: 255, recentEpoch: 17n });
    const stranger = updatePoolStatus(addresses.address, 0, SOMEBODY);
    expect(network.send([stranger]).error).toMatchObject({ custom: 2012 });
  });
});

describe('permissions', () => {
  it('are created and closed by the admin, who gets their lamports back', () => {
    const before = network.account(RAYDIUM_CPMM_ADMIN)?.lamports;
    expect(network.send([createPermission(SOMEBODY)]).error).toBeNull();
    const made = network.account(derivePermissionAddress(SOMEBODY));
    expect(made?.owner).toBe(RAYDIUM_CPMM_PROGRAM);
    expect(Buffer.from(made?.data ?? []).toString('hex', 0, 8)).toBe('e0531c4f0afda11c');
    expect(made?.data.subarray(8, 40)).toEqual(Uint8Array.from(toAddressBytes(SOMEBODY)));
    expect(made?.data.length).toBe(280);
    expect(network.send([closePermission(SOMEBODY)]).error).toBeNull();
    expect(network.account(derivePermissionAddress(SOMEBODY))).toBeNull();
    expect(network.account(RAYDIUM_CPMM_ADMIN)?.lamports).toBe(before);
  });

  it('leave nothing of theirs at their address, even if lamports arrive in the same transaction', () => {
    network.send([createPermission(SOMEBODY)]);
    const remains = closeAndReadRemains(
      network,
      closePermission(SOMEBODY),
      derivePermissionAddress(SOMEBODY),
    );
    expect(remains).toEqual({ owner: SYSTEM_PROGRAM, bytes: 0 });
    expect(network.send([createPermission(SOMEBODY)]).error).toBeNull();
  });

  it('can only be granted and revoked by the admin', () => {
    expect(network.send([createPermission(SOMEBODY, SOMEBODY)]).error).toMatchObject({ custom: 6001 });
    network.send([createPermission(SOMEBODY)]);
    expect(network.send([closePermission(SOMEBODY, SOMEBODY)]).error).toMatchObject({ custom: 6001 });
    expect(network.send([closePermission(namedAddress('without'))]).error).toMatchObject({ custom: 3012 });
  });
});

const SOMEBODY = namedAddress('somebody');
const PANIC = { kind: 'ProgramFailedToComplete' };

function setUp(): void {
  network.setEpoch(17n);
  for (const address of [RAYDIUM_CPMM_ADMIN, SOMEBODY]) writeWallet(network, address);
}

const configAt = (address: Address): AmmConfig =>
  decodeAmmConfig(network.account(address)?.data ?? new Uint8Array());

const NEW: NewConfig = {
  index: 300,
  tradeFeeRate: 2500n,
  protocolFeeRate: 120_000n,
  fundFeeRate: 40_000n,
  createPoolFee: 150_000_000n,
  creatorFeeRate: 500n,
};
