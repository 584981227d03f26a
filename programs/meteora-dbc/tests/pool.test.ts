import { describe, expect, it } from 'vitest';
import { decodeDbcEvent } from '../../../src/protocols/meteora-dbc/program/events.ts';
import {
  type DbcTokenNames,
  initializeDbcPool,
} from '../../../src/protocols/meteora-dbc/program/instructions-launch.ts';
import { decodeDbcConfig } from '../../../src/protocols/meteora-dbc/program/layout-config.ts';
import { encodeDbcPool } from '../../../src/protocols/meteora-dbc/program/layout-pool.ts';
import {
  DbcTokenType,
  METEORA_DBC_AUTHORITY,
  METEORA_DBC_PROGRAM,
} from '../../../src/protocols/meteora-dbc/program/program.ts';
import { type Address, toAddressBytes } from '../../../src/solana/address.ts';
import { SYSTEM_PROGRAM, TOKEN_2022_PROGRAM } from '../../../src/solana/program-addresses.ts';
import { decodeTokenAccount } from '../../../src/solana/programs/token/account.ts';
import { ExtensionType, findExtension } from '../../../src/solana/programs/token/extensions.ts';
import { decodeMint } from '../../../src/solana/programs/token/mint.ts';
import { decodeMetadata } from '../../../src/solana/programs/token-metadata/account.ts';
import { readMintMetadata } from '../../../src/solana/programs/token-metadata/display.ts';
import { deriveMetadataAddress } from '../../../src/solana/programs/token-metadata/program.ts';
import { openForEach } from '../../../src/testing/opened.ts';
import { namedAddress, token, writeMint, writeWallet } from '../../raydium-cpmm/tests/fixture.ts';
import { expectInitialSupply } from './expected-config.ts';
import { expectNewPool, findAccount, WRONG } from './expected-pool.ts';
import {
  CREATOR,
  describeLaunch,
  keysOf,
  NAMES,
  NOW,
  PARTNER,
  PAYER,
  QUOTE,
  SLOT,
  SUPPLY,
} from './fixture.ts';
import { LaunchNetwork } from './launch-network.ts';

const network = openForEach(() => new LaunchNetwork());

const KINDS = [
  ['the classic token program', DbcTokenType.SPL_TOKEN],
  ['Token-2022', DbcTokenType.TOKEN_2022],
] as const;

const LITTLE_LOCKED = {
  partnerPermanentLockedLiquidityPercentage: 0,
  creatorPermanentLockedLiquidityPercentage: 9,
};

describe.each(KINDS)('a pool of a new token of %s', (_, tokenType) => {
  it('starts with the supply in its vault and nothing else', () => {
    const { keys } = network.launch({ changes: { tokenType } });
    const config = decodeDbcConfig(network.dataOf(keys.config));
    const supply = expectInitialSupply(config);
    expect(decodeMint(network.dataOf(keys.baseMint))).toMatchObject({
      mintAuthority: null,
      freezeAuthority: null,
      supply,
      decimals: 6,
    });
    expect(network.account(keys.baseMint)?.owner).toBe(keys.tokenBaseProgram);
    expect(decodeTokenAccount(network.dataOf(keys.baseVault))).toMatchObject({
      mint: keys.baseMint,
      owner: METEORA_DBC_AUTHORITY,
      amount: supply,
    });
    expect(decodeTokenAccount(network.dataOf(keys.quoteVault))).toMatchObject({
      mint: QUOTE.mint,
      owner: METEORA_DBC_AUTHORITY,
      amount: 0n,
    });
    expect(Buffer.from(network.dataOf(keys.pool))).toEqual(
      Buffer.from(encodeDbcPool(expectNewPool(keys, supply, tokenType))),
    );
  });

  it('says so in an event', () => {
    const { keys, instructions } = describeLaunch({ changes: { tokenType } });
    network.done(instructions[0]);
    const { inner } = network.done(instructions[1]);
    const event = inner[0]?.find(({ program }) => program === METEORA_DBC_PROGRAM);
    expect(decodeDbcEvent(event?.data ?? new Uint8Array(0))).toEqual({
      kind: 'poolInitialized',
      pool: keys.pool,
      config: keys.config,
      creator: CREATOR,
      baseMint: keys.baseMint,
      poolType: tokenType,
      activationPoint: NOW,
    });
  });

  it.each([
    ['the creator may change the token', 0, CREATOR, null],
    ['nobody may change the token', 1, null, null],
    ['the partner may change the token', 2, PARTNER, null],
    ['the creator may also mint', 3, CREATOR, CREATOR],
    ['the partner may also mint', 4, PARTNER, PARTNER],
  ])('is launched so that %s', (_, tokenUpdateAuthority, updateAuthority, mintAuthority) => {
    const { keys } = network.launch({ changes: { tokenType, tokenUpdateAuthority } });
    expect(decodeMint(network.dataOf(keys.baseMint)).mintAuthority).toBe(mintAuthority);
    expect(namesOf(keys.baseMint, tokenType)).toEqual({ ...NAMES, updateAuthority });
  });

  it('counts slots if its configuration does', () => {
    const { keys } = network.launch({ changes: { tokenType, activationType: 0 } });
    expect(Buffer.from(network.dataOf(keys.pool)).readBigUInt64LE(296)).toBe(SLOT);
  });

  it('takes the fee for its creation in addition to its rent', () => {
    const poolCreationFee = 1_000_000_000n;
    const { keys } = network.launch({ changes: { tokenType, poolCreationFee } });
    const rent = network.svm.minimumBalanceForRentExemption(424n);
    expect(network.account(keys.pool)?.lamports).toBe(rent + poolCreationFee);
  });

  it('mints a fixed supply whole', () => {
    const { keys } = network.launch({ changes: { tokenType, tokenSupply: SUPPLY } });
    expect(network.tokenBalance(keys.baseVault)).toBe(SUPPLY.preMigrationTokenSupply);
  });

  it('is paid with a token of Token-2022 if its configuration says so', () => {
    const quote = token('dbc 2022', [], true);
    writeMint(network, quote);
    const { keys } = network.launch({ quote, changes: { tokenType } });
    expect(network.account(keys.quoteVault)?.owner).toBe(TOKEN_2022_PROGRAM);
  });

  it('is refused twice, and with a mint that exists', () => {
    const { keys, instructions } = network.launch({ changes: { tokenType } });
    expect(network.refusalOf(instructions[1])).not.toBeNull();
    const again = keysOf(keys.config, QUOTE.mint, { tokenType });
    expect(network.refusalOf(initializeDbcPool(again, LAUNCHERS, NAMES))).not.toBeNull();
    const squatted = keysOf(keys.config, namedAddress('minted before'), { tokenType });
    writeMint(network, { ...QUOTE, mint: squatted.baseMint, tokenProgram: squatted.tokenBaseProgram });
    expect(network.refusalOf(initializeDbcPool(squatted, LAUNCHERS, NAMES))).not.toBeNull();
  });

  it('cannot be kept from being created by lamports that are sent ahead', () => {
    const { keys } = describeLaunch({ changes: { tokenType } });
    const metadata = tokenType === DbcTokenType.SPL_TOKEN ? [deriveMetadataAddress(keys.baseMint)] : [];
    for (const address of [keys.baseMint, keys.pool, keys.baseVault, keys.quoteVault, ...metadata]) {
      writeWallet(network, address, 1_000_000n);
    }
    network.launch({ changes: { tokenType } });
    expect(network.account(keys.pool)?.owner).toBe(METEORA_DBC_PROGRAM);
  });

  it('is refused under a configuration of another program', () => {
    const { keys, instructions } = describeLaunch({ changes: { tokenType } });
    network.done(instructions[0]);
    network.setData(keys.config, SYSTEM_PROGRAM, network.dataOf(keys.config));
    expect(network.refusalOf(instructions[1])).toBe(3007);
  });

  it('is refused under a pool as its configuration, and under one of another quote mint', () => {
    const { keys } = network.launch({ changes: { tokenType } });
    const mint = namedAddress('another mint');
    expect(
      network.refusalOf(initializeDbcPool(keysOf(keys.pool, mint, { tokenType }), LAUNCHERS, NAMES)),
    ).toBe(3002);
    const quote = token('dbc another quote');
    writeMint(network, quote);
    const foreign = keysOf(keys.config, mint, { quote, tokenType });
    expect(network.refusalOf(initializeDbcPool(foreign, LAUNCHERS, NAMES))).toBe(2001);
  });

  it('is refused by the instruction for the other token program', () => {
    const { keys, instructions } = describeLaunch({ changes: { tokenType: 1 - tokenType } });
    network.done(instructions[0]);
    const other = keysOf(keys.config, keys.baseMint, { tokenType });
    expect(network.refusalOf(initializeDbcPool(other, LAUNCHERS, NAMES))).toBe(6017);
  });

  it.each([
    ['with too little that stays locked', LITTLE_LOCKED, 6055],
    ['with a fee that is too low by now', { cliffFeeNumerator: 100_000n }, 6049],
    ['with an unknown kind of fee', { baseFeeMode: 3 }, 6041],
    ['with an unknown authority', { tokenUpdateAuthority: 5 }, 6037],
  ])('is refused under an old configuration %s', (_, changes, error) => {
    const { keys, instructions } = describeLaunch({ changes: { tokenType } });
    network.done(instructions[0]);
    const config = decodeDbcConfig(network.dataOf(keys.config));
    const poolFees = { ...config.poolFees, baseFee: { ...config.poolFees.baseFee, ...changes } };
    network.changeConfig(keys.config, { ...changes, poolFees });
    expect(network.refusalOf(instructions[1])).toBe(error);
  });

  it('is refused with texts that are cut short or are no texts', () => {
    const { instructions } = describeLaunch({ changes: { tokenType } });
    network.done(instructions[0]);
    const { data, ...rest } = instructions[1];
    expect(network.refusalOf({ ...rest, data: data.subarray(0, data.length - 1) })).toBe(102);
    const garbled = Buffer.from(data);
    garbled[12] = 0xff;
    expect(network.refusalOf({ ...rest, data: garbled })).toBe(102);
  });

  it.each(WRONG)('is refused when %s', (_, name, change, error) => {
    const { keys, instructions } = describeLaunch({ changes: { tokenType } });
    network.done(instructions[0]);
    const address = findAccount(name, keys);
    const accounts = instructions[1].accounts.map((each) =>
      each.address === address ? { ...each, ...change } : each,
    );
    const { error: refusal } = network.send([{ ...instructions[1], accounts }]);
    if (error === null) expect(refusal).not.toBeNull();
    else expect(refusal?.custom).toBe(error);
    expect(network.account(keys.pool)).toBeNull();
  });
});

const LAUNCHERS = { creator: CREATOR, payer: PAYER };

/** The texts of a token, and who may change them. */
function namesOf(mint: Address, tokenType: number): DbcTokenNames & { updateAuthority: Address | null } {
  if (tokenType === DbcTokenType.SPL_TOKEN) {
    const { name, symbol, uri, updateAuthority, isMutable } = decodeMetadata(
      network.dataOf(deriveMetadataAddress(mint)),
    );
    const nobody = updateAuthority === SYSTEM_PROGRAM;
    expect(isMutable).toBe(!nobody);
    return { name, symbol, uri, updateAuthority: nobody ? null : updateAuthority };
  }
  const { extensions } = decodeMint(network.dataOf(mint));
  const { name = '', symbol = '', uri = '' } = readMintMetadata(mint, extensions) ?? {};
  const pointer = Buffer.from(findExtension(extensions, ExtensionType.METADATA_POINTER) ?? []);
  const stored = Buffer.from(findExtension(extensions, ExtensionType.TOKEN_METADATA) ?? []);
  // Whoever may change the texts may also move the pointer.
  expect(pointer.subarray(0, 32)).toEqual(stored.subarray(0, 32));
  const nobody = stored.subarray(0, 32).every((byte) => byte === 0);
  return {
    name,
    symbol,
    uri,
    updateAuthority: nobody ? null : ([CREATOR, PARTNER].find(isIn(stored)) ?? mint),
  };
}

function isIn(metadata: Buffer): (address: Address) => boolean {
  return (address) => metadata.subarray(0, 32).equals(Buffer.from(toAddressBytes(address)));
}
