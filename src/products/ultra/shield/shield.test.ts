import { describe, expect, it } from 'vitest';
import type { Account } from '../../../chain/accounts.ts';
import { TOKEN_2022_PROGRAM, TOKEN_PROGRAM, WRAPPED_SOL_MINT } from '../../../solana/program-addresses.ts';
import { encodeMint, type Mint } from '../../../solana/programs/token/mint.ts';
import { type Extension, ExtensionType } from '../../../solana/programs/token/extensions.ts';
import { encodeTransferFeeConfigExtension } from '../../../solana/programs/token/transfer-fee.ts';
import type { Token } from '../../../tokens/facts/token.ts';
import { createNumberedAddress } from '../../../testing/products/signing-wallets.ts';
import { findShieldWarnings } from './shield.ts';
import { type Suspect, findWarnings } from './warnings.ts';

describe('findWarnings', () => {
  it('finds nothing wrong with wrapped SOL and an ordinary token', () => {
    expect(warnings()).toEqual([]);
    expect(warnings({ mint: WRAPPED_SOL_MINT, account: null, token: null })).toEqual([]);
  });

  it.each<[string, Partial<Suspect>, readonly string[]]>([
    ['an address without a token', { account: null }, ['critical NOT_SELLABLE']],
    [
      'a token account',
      { account: { ...mintAccount(), data: new Uint8Array(165) } },
      ['critical NOT_SELLABLE'],
    ],
    ['a banned token', { token: null }, ['critical NOT_VERIFIED', 'warning LOW_LIQUIDITY']],
    ['a token that is not verified', { token: tokenWith(UNVERIFIED) }, ['info NOT_VERIFIED']],
    ['an imitation', { token: tokenWith({ ...UNVERIFIED, isImitation: true }) }, ['critical NOT_VERIFIED']],
    [
      'authorities of a verified token',
      { account: mintAccount({ mintAuthority: AUTHORITY, freezeAuthority: AUTHORITY }) },
      ['warning HAS_FREEZE_AUTHORITY', 'info HAS_MINT_AUTHORITY'],
    ],
    [
      'authorities of another token',
      { account: mintAccount({ mintAuthority: AUTHORITY }), token: tokenWith(UNVERIFIED) },
      ['warning HAS_MINT_AUTHORITY', 'info NOT_VERIFIED'],
    ],
    [
      'a permanent delegate',
      {
        account: extended(ExtensionType.PERMANENT_DELEGATE, new Uint8Array(32).fill(7)),
        token: tokenWith(UNVERIFIED),
      },
      ['critical HAS_PERMANENT_DELEGATE', 'info NOT_VERIFIED'],
    ],
    [
      'a permanent delegate of a verified token',
      { account: extended(ExtensionType.PERMANENT_DELEGATE, new Uint8Array(32).fill(7)) },
      ['warning HAS_PERMANENT_DELEGATE'],
    ],
    [
      'a token that holders cannot transfer',
      { account: extended(ExtensionType.NON_TRANSFERABLE, new Uint8Array(0)) },
      ['critical NON_TRANSFERABLE'],
    ],
    [
      'a program that is called at each transfer',
      { account: extended(ExtensionType.TRANSFER_HOOK, new Uint8Array(64).fill(7)) },
      ['critical NOT_SELLABLE'],
    ],
    [
      'accounts that are frozen at first',
      { account: extended(ExtensionType.DEFAULT_ACCOUNT_STATE, Uint8Array.of(2)) },
      ['critical HAS_FREEZE_AUTHORITY'],
    ],
    [
      'accounts that are not frozen at first',
      { account: extended(ExtensionType.DEFAULT_ACCOUNT_STATE, Uint8Array.of(1)) },
      [],
    ],
    [
      'transfers that can be stopped',
      { account: extended(ExtensionType.PAUSABLE, new Uint8Array(33)) },
      ['warning HAS_FREEZE_AUTHORITY'],
    ],
    [
      'a fee that can be changed',
      { account: feeAccount(690, true) },
      ['warning 6.9%_TRANSFER_FEES', 'warning MUTABLE_TRANSFER_FEES'],
    ],
    ['a high fee', { account: feeAccount(1_000, false) }, ['critical 10%_TRANSFER_FEES']],
    ['a fee that is still 0', { account: feeAccount(0, true) }, ['warning MUTABLE_TRANSFER_FEES']],
    [
      'a higher fee that is announced',
      { account: feeAccount(100, false, 9_999) },
      ['critical 99.99%_TRANSFER_FEES', 'warning 1%_TRANSFER_FEES'],
    ],
    ['a first fee that is announced', { account: feeAccount(0, false, 50) }, ['warning 0.5%_TRANSFER_FEES']],
    [
      'a fee whose end is announced',
      { account: feeAccount(1_000, false, 0) },
      ['critical 10%_TRANSFER_FEES'],
    ],
    [
      'a fee that has replaced a lower one',
      { account: feeAccount(0, false, 300), epoch: EPOCH + 1n },
      ['warning 3%_TRANSFER_FEES'],
    ],
    ['a fee that has replaced a higher one', { account: feeAccount(1_000, false, 0), epoch: EPOCH + 1n }, []],
    ['no pool', { isTraded: false }, ['critical NOT_SELLABLE']],
    ['no price', { token: tokenWith({ price: null }) }, ['warning LOW_LIQUIDITY']],
    ['thin pools', { token: tokenWith({ price: { liquidity: 999 } }) }, ['warning LOW_LIQUIDITY']],
    [
      'a new token',
      { token: tokenWith({ ...UNVERIFIED, firstPool: { address: MINT, createdAt: NOW - DAY + 1 } }) },
      ['info NOT_VERIFIED', 'info NEW_LISTING'],
    ],
    [
      'few owners',
      { token: tokenWith({ ...UNVERIFIED, holders: { count: 11, topPercentage: 80.1 } }) },
      ['warning HIGH_SUPPLY_CONCENTRATION', 'info NOT_VERIFIED'],
    ],
    [
      'few trades',
      {
        token: tokenWith({
          ...UNVERIFIED,
          stats: { '24h': { numBuys: 4, numSells: 5 } },
          organicLabel: 'low',
        }),
      },
      ['info NOT_VERIFIED', 'info VERY_LOW_TRADING_ACTIVITY', 'info LOW_ORGANIC_ACTIVITY'],
    ],
    [
      'trades that are not known',
      { token: tokenWith({ ...UNVERIFIED, stats: { '24h': null }, organicLabel: 'low', holders: null }) },
      ['info NOT_VERIFIED'],
    ],
  ])('%s', (_, changes, expected) => {
    expect(warnings(changes)).toEqual(expected);
  });
});

describe('findShieldWarnings', () => {
  it("says by the network's epoch which fee holds, and from when an announced one does", async () => {
    const messagesIn = async (epoch: bigint) => {
      const found = await findShieldWarnings(
        {
          chain: {
            getAccounts: async () => [{ address: MINT, slot: 1n, account: feeAccount(100, false, 200) }],
            clock: () => ({ slot: 1n, epoch, unixTimestamp: BigInt(NOW / 1_000) }),
          },
          tokens: { find: async () => [tokenWith()] },
          pools: { knows: () => true },
        },
        [MINT],
      );
      return found.get(MINT)?.map(({ message }) => message);
    };
    expect(await messagesIn(EPOCH)).toEqual([
      'Each transfer of the token costs 1% of its amount',
      'From epoch 601 on, each transfer of the token costs 2% of its amount',
    ]);
    expect(await messagesIn(EPOCH + 1n)).toEqual(['Each transfer of the token costs 2% of its amount']);
  });

  it('has an entry for every mint, also for one that is not there', async () => {
    const account = mintAccount({ freezeAuthority: AUTHORITY });
    const found = await findShieldWarnings(
      {
        chain: {
          getAccounts: async (mints) =>
            mints.map((address) => ({ address, slot: 1n, account: address === MINT ? account : null })),
          clock: () => ({ slot: 1n, epoch: 0n, unixTimestamp: BigInt(NOW / 1_000) }),
        },
        tokens: { find: async () => [tokenWith()] },
        pools: { knows: () => true },
      },
      [MINT, AUTHORITY],
    );
    expect([...found].map(([mint, list]) => [mint, list.map(({ type }) => type)])).toEqual([
      [MINT, ['HAS_FREEZE_AUTHORITY']],
      [AUTHORITY, ['NOT_SELLABLE']],
    ]);
  });
});

const [MINT, AUTHORITY] = [createNumberedAddress(1), createNumberedAddress(2)];
const NOW = 1_800_000_000_000;
const DAY = 24 * 3_600_000;
const EPOCH = 600n;

function mintAccount(changes: Partial<Mint> = {}): Account {
  const plain = { mintAuthority: null, supply: 1_000n, decimals: 6, freezeAuthority: null, extensions: [] };
  const data = encodeMint({ ...plain, ...changes });
  const owner = data.length === 82 ? TOKEN_PROGRAM : TOKEN_2022_PROGRAM;
  return { owner, data, lamports: 1n, executable: false, rentEpoch: 0n };
}

const extended = (type: number, data: Uint8Array) => mintAccount({ extensions: [{ type, data }] });

/** @param announced - The basis points from the epoch after `EPOCH` on. */
function feeOf(basisPoints: number, isMutable: boolean, announced = basisPoints): Extension {
  const fee = { maximumFee: 1n, basisPoints };
  const configAuthority = isMutable ? AUTHORITY : null;
  const rest = { withdrawWithheldAuthority: null, withheldAmount: 0n };
  const older = { ...fee, epoch: 0n };
  const newer = { ...fee, basisPoints: announced, epoch: EPOCH + 1n };
  return encodeTransferFeeConfigExtension({ configAuthority, ...rest, older, newer });
}

const feeAccount = (...fee: Parameters<typeof feeOf>) => mintAccount({ extensions: [feeOf(...fee)] });

/** A token that nothing is wrong with, apart from the changes. */
function tokenWith(changes: object = {}): Token {
  const day = { numBuys: 500, numSells: 500 };
  return {
    mint: MINT,
    isVerified: true,
    isImitation: false,
    price: { liquidity: 1_000_000 },
    firstPool: { address: AUTHORITY, createdAt: NOW - 2 * DAY },
    holders: { count: 1_000, topPercentage: 20 },
    stats: { '24h': day },
    organicLabel: 'high',
    ...changes,
  } as unknown as Token;
}

const warnings = (changes: Partial<Suspect> = {}) =>
  findWarnings({
    mint: MINT,
    account: mintAccount(),
    token: tokenWith(),
    isTraded: true,
    now: NOW,
    epoch: EPOCH,
    ...changes,
  }).map(({ type, severity }) => `${severity} ${type}`);

const UNVERIFIED = { isVerified: false };
