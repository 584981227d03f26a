import { describe, expect, it } from 'vitest';
import type { DbcConfigParameters } from '../../../src/protocols/meteora-dbc/program/config-parameters.ts';
import { createDbcConfig } from '../../../src/protocols/meteora-dbc/program/instructions-launch.ts';
import { encodeDbcConfig } from '../../../src/protocols/meteora-dbc/program/layout-config.ts';
import { METEORA_DBC_PROGRAM } from '../../../src/protocols/meteora-dbc/program/program.ts';
import { sha256 } from '../../../src/solana/encoding/sha256.ts';
import type { Instruction } from '../../../src/solana/messages/instruction.ts';
import { SYSTEM_PROGRAM, TOKEN_PROGRAM } from '../../../src/solana/program-addresses.ts';
import { openForEach } from '../../../src/testing/opened.ts';
import { namedAddress, writeMint } from '../../raydium-cpmm/tests/fixture.ts';
import { ACCEPTED, REFUSED } from './config-table.ts';
import { expectConfig } from './expected-config.ts';
import { CURVE, PARAMETERS, PARTNER, PAYER, partiesOf, QUOTE, SUPPLY } from './fixture.ts';
import { LaunchNetwork, withAccount } from './launch-network.ts';
import { QUOTES } from './quote-mints.ts';

const network = openForEach(() => new LaunchNetwork());

describe('create_config', () => {
  it('stores exactly the terms and the amounts that follow from them', () => {
    network.done(create());
    expectStored();
  });

  it('emits the terms in both forms of the event', () => {
    const { inner } = network.done(create());
    const events = inner[0]?.filter(({ program }) => program === METEORA_DBC_PROGRAM) ?? [];
    expect(events.map(({ data }) => tagOf(data))).toEqual([
      eventTag('EvtCreateConfig'),
      eventTag('EvtCreateConfigV2'),
    ]);
    const args = create().data.subarray(8);
    expect(Buffer.from(events[1]?.data ?? []).subarray(16 + 4 * 32)).toEqual(Buffer.from(args));
  });

  it.each(ACCEPTED)('accepts %s', (_, changes) => {
    network.done(create(changes));
    expectStored(changes);
  });

  it.each(REFUSED)('refuses %s', (_, changes, error) => {
    expect(network.refusalOf(create(changes))).toBe(error);
    expect(network.account(CONFIG)).toBeNull();
  });

  it.each(QUOTES)('takes, or refuses, a quote mint %s', (_, quote, error) => {
    writeMint(network, quote);
    expect(network.refusalOf(createDbcConfig(partiesOf(CONFIG, quote), PARAMETERS))).toBe(error);
  });

  it('refuses a fixed supply whose leftover nobody receives', () => {
    const parties = { ...partiesOf(CONFIG), leftoverReceiver: SYSTEM_PROGRAM };
    network.done(createDbcConfig(parties, PARAMETERS));
    const other = { ...parties, config: namedAddress('dbc fixed') };
    expect(network.refusalOf(createDbcConfig(other, { ...PARAMETERS, tokenSupply: SUPPLY }))).toBe(6032);
  });

  it('refuses an account that is not a mint as the quote token', () => {
    network.done(create());
    const other = namedAddress('dbc other config');
    const wrong = { ...partiesOf(other), quoteMint: CONFIG };
    expect(network.refusalOf(createDbcConfig(wrong, PARAMETERS))).toBe(3007);
    expect(
      network.refusalOf(createDbcConfig({ ...wrong, quoteMint: namedAddress('nothing') }, PARAMETERS)),
    ).toBe(3012);
  });

  it('refuses a configuration that exists', () => {
    network.done(create());
    expect(network.send([create({ tokenDecimal: 9 })]).error).not.toBeNull();
  });

  it.each([
    ['the configuration does not sign', 0, { role: 1 }, 3010],
    ['the configuration is the payer', 0, { address: PAYER }, 4101],
    ['the payer does not sign', 4, { role: 1 }, 3010],
    ['the payer is read-only', 4, { role: 2 }, 2000],
    ['the system program is another', 5, { address: TOKEN_PROGRAM }, 3008],
    ['the event authority is another', 6, { address: PARTNER }, 2006],
    ['the program is another', 7, { address: SYSTEM_PROGRAM }, 'MissingAccount'],
  ])('refuses when %s', (_, index, change, error) => {
    expect(network.refusalOf(withAccount(create(), index, change))).toBe(error);
  });

  it('refuses arguments that are cut short', () => {
    const instruction = create();
    for (const cut of [1, 40, 200, 500]) {
      const data = instruction.data.subarray(0, Math.max(8, instruction.data.length - cut));
      expect(network.refusalOf({ ...instruction, data })).toBe(102);
    }
  });

  it('ignores what follows the arguments', () => {
    const instruction = create();
    network.done({ ...instruction, data: Buffer.concat([instruction.data, Buffer.from([1, 2, 3])]) });
  });

  it('refuses a curve with a number of parts that lies', () => {
    const { data, ...rest } = create();
    const bytes = Buffer.from(data);
    bytes.writeUInt32LE(0xffff_ffff, bytes.length - 4 - CURVE.length * 32);
    expect(network.refusalOf({ ...rest, data: bytes })).toBe(102);
  });
});

const CONFIG = namedAddress('dbc config');

function create(changes: Partial<DbcConfigParameters> = {}): Instruction {
  return createDbcConfig(partiesOf(CONFIG), { ...PARAMETERS, ...changes });
}

function expectStored(changes: Partial<DbcConfigParameters> = {}): void {
  const expected = expectConfig({ ...PARAMETERS, ...changes }, partiesOf(CONFIG), QUOTE);
  if (expected === null) throw new Error('the gateway expects a refusal');
  expect(network.account(CONFIG)?.owner).toBe(METEORA_DBC_PROGRAM);
  expect(Buffer.from(network.dataOf(CONFIG))).toEqual(Buffer.from(encodeDbcConfig(expected)));
}

function tagOf(data: Uint8Array): string {
  return Buffer.from(data.subarray(8, 16)).toString('hex');
}

function eventTag(name: string): string {
  return Buffer.from(sha256(Buffer.from(`event:${name}`)).subarray(0, 8)).toString('hex');
}
