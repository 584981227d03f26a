import { beforeEach, describe, expect, it } from 'vitest';
import type { DbcConfigParameters } from '../../../src/protocols/meteora-dbc/program/config-parameters.ts';
import { createDbcConfig } from '../../../src/protocols/meteora-dbc/program/instructions-launch.ts';
import { encodeDbcConfig } from '../../../src/protocols/meteora-dbc/program/layout-config.ts';
import {
  METEORA_DBC_EVENT_AUTHORITY,
  METEORA_DBC_PROGRAM,
} from '../../../src/protocols/meteora-dbc/program/program.ts';
import type { Address } from '../../../src/solana/address.ts';
import { sha256 } from '../../../src/solana/encoding/sha256.ts';
import type { AccountRole, Instruction } from '../../../src/solana/messages/instruction.ts';
import { SYSTEM_PROGRAM, TOKEN_PROGRAM } from '../../../src/solana/program-addresses.ts';
import { openForEach } from '../../../src/testing/opened.ts';
import { countCases, sampleCases } from '../../../src/testing/random.ts';
import { type TestOutcome, TestNetwork } from '../../../src/testing/svm/network.ts';
import { yieldToOtherWork } from '../../../src/testing/waits.ts';
import { namedAddress, writeMint } from '../../raydium-cpmm/tests/fixture.ts';
import { configCase } from './cases.ts';
import { ACCEPTED, REFUSED } from './config-table.ts';
import { expectConfig } from './expected-config.ts';
import { CURVE, PARAMETERS, PARTNER, PAYER, partiesOf, prepare, QUOTE, SUPPLY } from './fixture.ts';
import { QUOTES } from './quote-mints.ts';

const network = openForEach(() => new TestNetwork(['meteora-dbc']));
beforeEach(() => prepare(network));

describe('create_config', () => {
  it('stores exactly the terms and the amounts that follow from them', () => {
    done(create());
    expectStored(CONFIG, PARAMETERS);
  });

  it('emits the terms in both forms of the event', () => {
    const { inner } = done(create());
    const events = inner[0]?.filter(({ program }) => program === METEORA_DBC_PROGRAM) ?? [];
    expect(events.map(({ data }) => tagOf(data))).toEqual([
      eventTag('EvtCreateConfig'),
      eventTag('EvtCreateConfigV2'),
    ]);
    const args = create().data.subarray(8);
    expect(Buffer.from(events[1]?.data ?? []).subarray(16 + 4 * 32)).toEqual(Buffer.from(args));
  });

  it('takes and stores random terms as the gateway expects', async () => {
    let stored = 0;
    for (const [index, parameters] of sampleCases(configCase, SUITE).entries()) {
      if (index % 100 === 0) await yieldToOtherWork();
      const config = namedAddress(`dbc config ${index}`);
      const { error } = network.send([createDbcConfig(partiesOf(config), parameters)]);
      const expected = expectConfig(parameters, partiesOf(config), QUOTE);
      expect(error === null, `${JSON.stringify(error)} for ${show(parameters)}`).toBe(expected !== null);
      if (expected === null) continue;
      expectStored(config, parameters);
      stored++;
    }
    expect(stored).toBeGreaterThan(countCases(SUITE) / 4);
  });

  it.each(ACCEPTED)('accepts %s', (_, changes) => {
    done(create(changes));
    expectStored(CONFIG, { ...PARAMETERS, ...changes });
  });

  it.each(REFUSED)('refuses %s', (_, changes, error) => {
    expect(errorOf(create(changes))).toBe(error);
    expect(network.account(CONFIG)).toBeNull();
  });

  it.each(QUOTES)('takes, or refuses, a quote mint %s', (_, quote, error) => {
    writeMint(network, quote);
    expect(errorOf(createDbcConfig(partiesOf(CONFIG, quote), PARAMETERS))).toBe(error);
  });

  it('refuses a fixed supply whose leftover nobody receives', () => {
    const parties = { ...partiesOf(CONFIG), leftoverReceiver: SYSTEM_PROGRAM };
    done(createDbcConfig(parties, PARAMETERS));
    const other = { ...parties, config: namedAddress('dbc fixed') };
    expect(errorOf(createDbcConfig(other, { ...PARAMETERS, tokenSupply: SUPPLY }))).toBe(6032);
  });

  it('refuses an account that is not a mint as the quote token', () => {
    done(create());
    const other = namedAddress('dbc other config');
    const wrong = { ...partiesOf(other), quoteMint: CONFIG };
    expect(errorOf(createDbcConfig(wrong, PARAMETERS))).toBe(3007);
    expect(errorOf(createDbcConfig({ ...wrong, quoteMint: namedAddress('nothing') }, PARAMETERS))).toBe(3012);
  });

  it('refuses a configuration that exists', () => {
    done(create());
    expect(network.send([create({ tokenDecimal: 9 })]).error).not.toBeNull();
  });

  it.each([
    ['the configuration does not sign', 0, { role: 1 }, 3010],
    ['the configuration is the payer', 0, { address: PAYER }, 4101],
    ['the payer does not sign', 4, { role: 1 }, 3010],
    ['the payer is read-only', 4, { role: 2 }, 2000],
    ['the system program is another', 5, { address: TOKEN_PROGRAM }, 3008],
    ['the event authority is another', 6, { address: PARTNER }, 2006],
    ['the program is another', 7, { address: SYSTEM_PROGRAM }, 2012],
  ])('refuses when %s', (_, index, change, error) => {
    expect(errorOf(withAccount(create(), index, change))).toBe(error);
  });

  it('refuses arguments that are cut short', () => {
    const instruction = create();
    for (const cut of [1, 40, 200, 500]) {
      const data = instruction.data.subarray(0, Math.max(8, instruction.data.length - cut));
      expect(errorOf({ ...instruction, data })).toBe(102);
    }
  });

  it('ignores what follows the arguments', () => {
    const instruction = create();
    done({ ...instruction, data: Buffer.concat([instruction.data, Buffer.from([1, 2, 3])]) });
  });

  it('refuses a curve with a number of parts that lies', () => {
    const { data, ...rest } = create();
    const bytes = Buffer.from(data);
    bytes.writeUInt32LE(0xffff_ffff, bytes.length - 4 - CURVE.length * 32);
    expect(errorOf({ ...rest, data: bytes })).toBe(102);
  });
});

describe('an instruction that is left out', () => {
  it.each([
    'claim_protocol_fee',
    'claim_partner_pool_creation_fee',
    'claim_protocol_pool_creation_fee',
    'create_operator_account',
    'create_partner_metadata',
    'create_virtual_pool_metadata',
    'migrate_meteora_damm',
    'migrate_meteora_damm_claim_lp_token',
    'migrate_meteora_damm_lock_lp_token',
    'migration_meteora_damm_create_metadata',
    'zap_protocol_fee',
  ])('is refused by its name: %s', (name) => {
    const data = Buffer.from(sha256(Buffer.from(`global:${name}`)).subarray(0, 8));
    const { error, logs } = network.send([{ programAddress: METEORA_DBC_PROGRAM, accounts: [], data }]);
    expect(error?.custom).toBe(101);
    expect(logs.join('\n')).toContain(`not part of this stand-in: ${name}`);
  });

  it('is refused without a name if nobody knows it', () => {
    const data = new Uint8Array(8);
    const { error, logs } = network.send([{ programAddress: METEORA_DBC_PROGRAM, accounts: [], data }]);
    expect(error?.custom).toBe(101);
    expect(logs.join('\n')).not.toContain('not part of');
  });

  it('says that a migration to DAMM v1 is one', () => {
    const { error, logs } = network.send([create({ migrationOption: 0 })]);
    expect(error?.custom).toBe(6015);
    expect(logs.join('\n')).toContain('migration to DAMM v1');
  });
});

describe('an event', () => {
  it('cannot be forged by another signer', () => {
    const data = Buffer.from('e445a52e51cb9a1d', 'hex');
    const call = (address: Address, role: AccountRole) =>
      errorOf({ programAddress: METEORA_DBC_PROGRAM, accounts: [{ address, role }], data });
    expect(call(PAYER, 2)).toBe(2006);
    expect(call(METEORA_DBC_EVENT_AUTHORITY, 0)).toBe(2002);
    expect(network.send([{ programAddress: METEORA_DBC_PROGRAM, accounts: [], data }]).error?.kind).toBe(
      'NotEnoughAccountKeys',
    );
  });
});

const CONFIG = namedAddress('dbc config');
const SUITE = { cases: 2_000, seed: 20_261_128 };

function create(changes: Partial<DbcConfigParameters> = {}): Instruction {
  return createDbcConfig(partiesOf(CONFIG), { ...PARAMETERS, ...changes });
}

function expectStored(address: Address, parameters: DbcConfigParameters): void {
  const expected = expectConfig(parameters, partiesOf(address), QUOTE);
  if (expected === null) throw new Error(`the gateway expects a refusal of ${show(parameters)}`);
  const account = network.account(address);
  expect(account?.owner).toBe(METEORA_DBC_PROGRAM);
  expect(Buffer.from(account?.data ?? [])).toEqual(Buffer.from(encodeDbcConfig(expected)));
}

function show(parameters: DbcConfigParameters): string {
  return JSON.stringify(parameters, (_, each) => (typeof each === 'bigint' ? `${each}` : each));
}

function done(instruction: Instruction): TestOutcome {
  const outcome = network.send([instruction]);
  expect(outcome.error, outcome.logs.join('\n')).toBeNull();
  return outcome;
}

/** The code of the program's refusal, or null after success. */
function errorOf(instruction: Instruction): number | null {
  const { error, logs } = network.send([instruction]);
  if (error === null) return null;
  expect(error.custom, `${JSON.stringify(error)}\n${logs.join('\n')}`).toBeDefined();
  return error.custom ?? null;
}

function withAccount(instruction: Instruction, index: number, change: object): Instruction {
  const accounts = instruction.accounts.map((each, i) => (i === index ? { ...each, ...change } : each));
  return { ...instruction, accounts };
}

function tagOf(data: Uint8Array): string {
  return Buffer.from(data.subarray(8, 16)).toString('hex');
}

function eventTag(name: string): string {
  return Buffer.from(sha256(Buffer.from(`event:${name}`)).subarray(0, 8)).toString('hex');
}
