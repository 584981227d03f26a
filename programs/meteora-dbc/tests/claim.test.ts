import { beforeEach, describe, expect, it } from 'vitest';
import type { DbcConfigParameters } from '../../../src/protocols/meteora-dbc/program/config-parameters.ts';
import type { DbcPoolKeys } from '../../../src/protocols/meteora-dbc/program/addresses.ts';
import {
  claimDbcCreatorTradingFee,
  claimDbcCreatorTradingFee2,
  claimDbcTradingFee,
  claimDbcTradingFee2,
  type DbcClaimParties,
} from '../../../src/protocols/meteora-dbc/program/instructions-claim.ts';
import { transferDbcPoolCreator } from '../../../src/protocols/meteora-dbc/program/instructions-launch.ts';
import { DbcCollectFeeMode, DbcTokenType } from '../../../src/protocols/meteora-dbc/program/program.ts';
import type { Address } from '../../../src/solana/address.ts';
import { type Instruction, readonly, readonlySigner } from '../../../src/solana/messages/instruction.ts';
import { TOKEN_2022_PROGRAM } from '../../../src/solana/program-addresses.ts';
import { U64_MAX } from '../../../src/solana/units.ts';
import { openForEach } from '../../../src/testing/opened.ts';
import { TestNetwork } from '../../../src/testing/svm/network.ts';
import { namedAddress, writeTokenAccount } from '../../raydium-cpmm/tests/fixture.ts';
import { CREATOR, launch, PARTNER, prepare, QUOTE } from './fixture.ts';
import { baseOf, buy, fundUser, readPool, USER } from './swap-fixture.ts';

const network = openForEach(() => new TestNetwork(['meteora-dbc', 'token-metadata']));
beforeEach(() => prepare(network));

describe.each([
  ['partner', PARTNER, claimDbcTradingFee, 560_000n],
  ['creator', CREATOR, claimDbcCreatorTradingFee, 240_000n],
  ['partner, by the newer form,', PARTNER, claimDbcTradingFee2, 560_000n],
  ['creator, by the newer form,', CREATOR, claimDbcCreatorTradingFee2, 240_000n],
] as const)('the %s', (_, claimer, claim, earned) => {
  it('claims what trades have paid it, and nothing twice', () => {
    const keys = traded();
    done(claim(keys, partiesOf(claimer), ALL));
    expect(received()).toEqual([0n, earned]);
    done(claim(keys, partiesOf(claimer), ALL));
    expect(received()).toEqual([0n, earned]);
    const pool = readPool(network, keys.pool);
    const left = pool.partnerQuoteFee + pool.creatorQuoteFee;
    expect(left).toBe(800_000n - earned);
    expect(network.tokenBalance(keys.quoteVault)).toBe(pool.quoteReserve + left + pool.protocolQuoteFee);
  });

  it('claims no more than it asks for', () => {
    const keys = traded();
    done(claim(keys, partiesOf(claimer), { maxBaseAmount: U64_MAX, maxQuoteAmount: 100n }));
    expect(received()).toEqual([0n, 100n]);
    done(claim(keys, partiesOf(claimer), { maxBaseAmount: 0n, maxQuoteAmount: 0n }));
    expect(received()).toEqual([0n, 100n]);
    done(claim(keys, partiesOf(claimer), ALL));
    expect(received()).toEqual([0n, earned]);
  });

  it.each([DbcTokenType.SPL_TOKEN, DbcTokenType.TOKEN_2022])('claims base tokens of type %i', (tokenType) => {
    const keys = traded({ collectFeeMode: DbcCollectFeeMode.OUTPUT_TOKEN, tokenType });
    const pool = readPool(network, keys.pool);
    done(claim(keys, partiesOf(claimer), ALL));
    const base = claimer === PARTNER ? pool.partnerBaseFee : pool.creatorBaseFee;
    expect(received()).toEqual([base, 0n]);
    expect(base).toBeGreaterThan(0n);
  });

  it('is the only one who can claim it', () => {
    const keys = traded();
    for (const thief of [network.newWallet(), USER, claimer === PARTNER ? CREATOR : PARTNER]) {
      expect(errorOf(claim(keys, partiesOf(thief), ALL))).toBe(6053);
    }
    const { accounts, ...rest } = claim(keys, partiesOf(claimer), ALL);
    const unsigned = accounts.map((each) => (each.address === claimer ? readonly(claimer) : each));
    expect(errorOf({ ...rest, accounts: unsigned })).toBe(3010);
  });

  it('cannot claim from a pool with the accounts of another', () => {
    const keys = traded();
    const other = launch(network, { name: 'other' }).keys;
    const claimFrom = (wrong: Partial<DbcPoolKeys>) =>
      errorOf(claim({ ...keys, ...wrong }, partiesOf(claimer), ALL));
    expect(claimFrom({ baseVault: other.baseVault })).toBe(2001);
    expect(claimFrom({ quoteVault: other.quoteVault })).toBe(2001);
    expect(claimFrom({ baseMint: other.baseMint })).toBe(2001);
    expect(claimFrom({ tokenBaseProgram: TOKEN_2022_PROGRAM })).toBe(2021);
    expect(claimFrom({ quoteMint: keys.baseMint })).toBe(claimer === PARTNER ? 2001 : 2014);
    if (claimer === PARTNER) expect(claimFrom({ config: other.config })).toBe(2001);
    const MINT_MISMATCH = 3;
    const swapped = { ...partiesOf(claimer), tokenBaseAccount: RECEIVERS[1] };
    expect(errorOf(claim(keys, swapped, ALL))).toBe(MINT_MISMATCH);
  });
});

describe.each([
  ['partner', PARTNER, claimDbcTradingFee2],
  ['creator', CREATOR, claimDbcCreatorTradingFee2],
] as const)('a list of accounts for a transfer hook, in a claim by the %s,', (_, claimer, claim) => {
  const build = () => claim(traded(), partiesOf(claimer), ALL);

  it('may be empty', () => {
    done(withLists(build(), [HOOK, 0], 0));
  });

  it('is refused, because no base token has a hook', () => {
    const plain = build();
    expect(errorOf(withLists(plain, [HOOK, 2], 2))).toBe(6072);
    expect(errorOf(withLists(plain, [HOOK, 2], 3))).toBe(6072);
  });

  it('is refused if it is longer than what follows, there twice, or for a referrer', () => {
    const plain = build();
    expect(errorOf(withLists(plain, [HOOK, 2], 1))).toBe(6070);
    expect(errorOf(withLists(plain, [HOOK, 1, HOOK, 1], 2))).toBe(6073);
    expect(errorOf(withLists(plain, [REFERRAL, 0], 0))).toBe(6077);
    expect(errorOf(withLists(plain, [REFERRAL, 1], 1))).toBe(6077);
  });

  it('is refused if its kind is not known, or if it ends too early', () => {
    const NOT_DECODED = 102;
    const plain = build();
    expect(errorOf(withLists(plain, [2, 0], 0))).toBe(NOT_DECODED);
    const { data, ...whole } = withLists(plain, [HOOK, 0], 0);
    expect(errorOf({ ...whole, data: data.subarray(0, data.length - 1) })).toBe(NOT_DECODED);
    expect(errorOf({ ...whole, data: data.subarray(0, 24) })).toBe(NOT_DECODED);
  });

  it('says nothing to somebody else', () => {
    const { accounts, ...rest } = withLists(build(), [REFERRAL, 1], 1);
    const thief = network.newWallet();
    const changed = accounts.map((each) => (each.address === claimer ? readonlySigner(thief) : each));
    expect(errorOf({ ...rest, accounts: changed })).toBe(6053);
  });
});

it('a new creator claims what trades paid before', () => {
  const keys = traded();
  const newCreator = network.newWallet();
  done(transferDbcPoolCreator(keys, { creator: CREATOR, newCreator }));
  expect(errorOf(claimDbcCreatorTradingFee(keys, partiesOf(CREATOR), ALL))).toBe(6053);
  done(claimDbcCreatorTradingFee(keys, partiesOf(newCreator), ALL));
  expect(received()).toEqual([0n, 240_000n]);
});

const UNIT = 1_000_000n;
const ALL = { maxBaseAmount: U64_MAX, maxQuoteAmount: U64_MAX };
const RECEIVERS = [namedAddress('dbc claimed base'), namedAddress('dbc claimed quote')] as const;

/** The kinds of lists of accounts: for the transfer hook, and for the hook when a referrer is paid. */
const [HOOK, REFERRAL] = [0, 1];

/** Returns the claim with lists of a kind and a number each, and with so many accounts after its own. */
function withLists(claim: Instruction, lists: readonly number[], following: number): Instruction {
  const count = Buffer.from([lists.length / 2, 0, 0, 0]);
  const more = Array.from({ length: following }, (_, i) => readonly(namedAddress(`hook ${i}`)));
  return {
    ...claim,
    accounts: [...claim.accounts, ...more],
    data: Buffer.concat([claim.data.subarray(0, 24), count, Buffer.from(lists)]),
  };
}

/** Launches a token whose creator gets 30 % of the fees, of which a purchase of a hundred units pays one unit. */
function traded(changes: Partial<DbcConfigParameters> = {}): DbcPoolKeys {
  const { keys } = launch(network, { changes: { creatorTradingFeePercentage: 30, ...changes } });
  fundUser(network, keys, QUOTE, 1_000n * UNIT);
  writeTokenAccount(network, RECEIVERS[0], USER, baseOf(keys), 0n);
  writeTokenAccount(network, RECEIVERS[1], USER, QUOTE, 0n);
  done(buy(keys, 100n * UNIT));
  return keys;
}

function partiesOf(claimer: Address): DbcClaimParties {
  const [tokenBaseAccount, tokenQuoteAccount] = RECEIVERS;
  return { claimer, tokenBaseAccount, tokenQuoteAccount };
}

const received = () => RECEIVERS.map((each) => network.tokenBalance(each));

function done(instruction: Instruction): void {
  const { error, logs } = network.send([instruction]);
  expect(error, logs.join('\n')).toBeNull();
}

const errorOf = (instruction: Instruction) => network.send([instruction]).error?.custom;
