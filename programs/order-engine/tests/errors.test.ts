import { describe, expect, it } from 'vitest';
import { deriveTemporaryAddress } from '../../../src/protocols/order-engine/fill-instruction.ts';
import type { Address } from '../../../src/solana/address.ts';
import { readonly, readonlySigner, writable } from '../../../src/solana/messages/instruction.ts';
import { TOKEN_2022_PROGRAM, TOKEN_PROGRAM } from '../../../src/solana/program-addresses.ts';
import { encodeTransferFeeConfigExtension } from '../../../src/solana/programs/token/transfer-fee.ts';
import { type Kind, NOW, Parties, withAccounts } from './fill-parties.ts';

describe('fill refuses', () => {
  it('an unknown instruction and one without a discriminator: InstructionFallbackNotFound', () => {
    const { parties, good } = market();
    expect(parties.send({ ...good, data: new Uint8Array(32) }).error?.custom).toBe(101);
    expect(parties.send({ ...good, data: good.data.subarray(0, 7) }).error?.custom).toBe(101);
  });

  it('arguments that are cut short: InstructionDidNotDeserialize', () => {
    const { parties, good } = market();
    for (let length = 8; length < 32; length++) {
      expect(parties.send({ ...good, data: good.data.subarray(0, length) }).error?.custom).toBe(102);
    }
  });

  it('a mint that is not SOL where a token account is left out: RequireKeysEqViolated', () => {
    const parties = new Parties();
    const other = parties.side('token-2022');
    const side = parties.side('token');
    for (const left of [{ taker: null }, { maker: null }, { taker: null, maker: null }]) {
      expect(parties.send(parties.fill({ ...side, ...left }, other)).error?.custom).toBe(2502);
      expect(parties.send(parties.fill(other, { ...side, ...left })).error?.custom).toBe(2502);
    }
  });

  const UNWRAPPING: readonly (readonly [Kind, Kind, Kind, Kind])[] = [
    ['wrapped', 'native', 'token', 'token'],
    ['token', 'token', 'native', 'wrapped'],
  ];

  it.each(UNWRAPPING)(
    'to unwrap without the temporary account: MissingTemporaryWrappedSolTokenAccount (%s, %s, %s, %s)',
    (...[takerIn, makerIn, takerOut, makerOut]) => {
      const parties = new Parties();
      const fill = parties.fill(parties.side(takerIn, makerIn), parties.side(takerOut, makerOut));
      const { accounts } = fill;
      expect(accounts).toHaveLength(12);
      expect(parties.send({ ...fill, accounts: accounts.slice(0, 11) }).error?.custom).toBe(6001);
    },
  );

  it.each(UNWRAPPING)(
    'to unwrap through another account than its own: RequireKeysEqViolated (%s, %s, %s, %s)',
    (...[takerIn, makerIn, takerOut, makerOut]) => {
      const parties = new Parties();
      const fill = parties.fill(parties.side(takerIn, makerIn), parties.side(takerOut, makerOut));
      const other = writable(deriveTemporaryAddress(parties.taker));
      expect(parties.send(withAccounts(fill, { [Place.TEMPORARY]: other })).error?.custom).toBe(2502);
    },
  );

  it('a Token-2022 mint with a transfer fee in this epoch: Token2022MintExtensionNotSupported', () => {
    const fee = (epoch: bigint, basisPoints: number) => ({ epoch, maximumFee: 1n << 40n, basisPoints });
    const config = {
      configAuthority: null,
      withdrawWithheldAuthority: null,
      withheldAmount: 0n,
      older: fee(0n, 0),
      newer: fee(5n, 100),
    };
    const parties = new Parties('fees', [encodeTransferFeeConfigExtension(config)]);
    const [input, output] = [parties.side('token-2022'), parties.side('token')];
    const before = parties.fill(input, output);
    // Before the fee takes effect, the transfer itself fails: the accounts here have no room for a fee.
    expect(parties.send(before).error?.custom).not.toBe(6002);
    parties.network.setEpoch(5n);
    expect(parties.send(before).error?.custom).toBe(6002);
    expect(parties.send(parties.fill(output, input)).error?.custom).toBe(6002);
  });

  it('a Token-2022 mint that was closed: InvalidAccountData', () => {
    const { parties, good } = market();
    parties.empty(parties.mint('token-2022'));
    expect(parties.send(good).error?.kind).toBe('InvalidAccountData');
  });
});

describe('of its accounts, fill refuses', () => {
  it('too few: AccountNotEnoughKeys', () => {
    const { parties, good } = market();
    for (let count = 0; count < 11; count++) {
      expect(parties.send({ ...good, accounts: good.accounts.slice(0, count) }).error?.custom).toBe(3005);
    }
  });

  it('a taker or a maker that did not sign: AccountNotSigner', () => {
    const { parties, errorWith } = market();
    expect(errorWith({ [Place.TAKER]: writable(parties.taker) })?.custom).toBe(3010);
    expect(errorWith({ [Place.MAKER]: writable(parties.maker) })?.custom).toBe(3010);
  });

  it('a taker or a maker that is read-only: ConstraintMut', () => {
    const { parties, errorWith } = market();
    expect(errorWith({ [Place.TAKER]: readonlySigner(parties.taker) })?.custom).toBe(2000);
    expect(errorWith({ [Place.MAKER]: readonlySigner(parties.maker) })?.custom).toBe(2000);
  });

  it('token accounts that do not exist, or that no token program owns', () => {
    const { parties, errorWith } = market();
    const absent = writable(parties.network.newAddress());
    const wallet = writable(parties.network.newWallet());
    for (const place of TOKEN_PLACES) {
      expect(errorWith({ [place]: absent })?.custom).toBe(3012);
      expect(errorWith({ [place]: wallet })?.custom).toBe(3007);
    }
  });

  it('mints and empty accounts in the place of token accounts', () => {
    const { parties, errorWith } = market();
    const empty = parties.network.newAddress();
    parties.network.setData(empty, TOKEN_PROGRAM, new Uint8Array(165));
    for (const place of TOKEN_PLACES) {
      expect(errorWith({ [place]: writable(parties.mint('token')) })?.kind).toBe('InvalidAccountData');
      expect(errorWith({ [place]: writable(empty) })?.kind).toBe('UninitializedAccount');
    }
  });

  it('other programs: InvalidProgramId', () => {
    const { parties, errorWith } = market();
    for (const place of [Place.INPUT_PROGRAM, Place.OUTPUT_PROGRAM, Place.SYSTEM_PROGRAM]) {
      expect(errorWith({ [place]: readonly(parties.network.newWallet()) })?.custom).toBe(3008);
    }
  });

  it('token accounts that are not writable: ConstraintMut', () => {
    const { good, errorWith } = market();
    for (const place of TOKEN_PLACES) {
      const account = good.accounts[place];
      if (account === undefined) throw new Error(`no account ${place}`);
      expect(errorWith({ [place]: readonly(account.address) })?.custom).toBe(2000);
    }
  });

  it('token accounts of another owner: ConstraintTokenOwner', () => {
    const { parties, errorWith } = market();
    const stranger = parties.network.newWallet();
    const others: Readonly<Record<number, Address>> = {
      [Place.TAKER_INPUT]: parties.newTokenAccount(stranger, 'token'),
      [Place.MAKER_INPUT]: parties.newTokenAccount(parties.taker, 'token'),
      [Place.TAKER_OUTPUT]: parties.newTokenAccount(parties.maker, 'token-2022'),
      [Place.MAKER_OUTPUT]: parties.newTokenAccount(stranger, 'token-2022'),
    };
    for (const place of TOKEN_PLACES) {
      expect(errorWith({ [place]: writable(others[place] as Address) })?.custom).toBe(2015);
    }
  });

  it('token accounts of another mint: ConstraintTokenMint', () => {
    const { parties, errorWith } = market();
    for (const place of TOKEN_PLACES) {
      const owner =
        place === Place.TAKER_INPUT || place === Place.TAKER_OUTPUT ? parties.taker : parties.maker;
      const other = parties.newTokenAccount(owner, 'wrapped');
      expect(errorWith({ [place]: writable(other) })?.custom).toBe(2014);
    }
  });

  it('the other token program: ConstraintTokenTokenProgram', () => {
    const { errorWith } = market();
    expect(errorWith({ [Place.INPUT_PROGRAM]: readonly(TOKEN_2022_PROGRAM) })?.custom).toBe(2021);
    expect(errorWith({ [Place.OUTPUT_PROGRAM]: readonly(TOKEN_PROGRAM) })?.custom).toBe(2021);
  });

  it('an expired quote only after its accounts: RequireGteViolated', () => {
    const parties = new Parties();
    const expired = parties.fill(parties.side('token'), parties.side('token-2022'), { expireAt: NOW - 1n });
    expect(parties.send(expired).error?.custom).toBe(2506);
    const unsigned = withAccounts(expired, { [Place.TAKER]: writable(parties.taker) });
    expect(parties.send(unsigned).error?.custom).toBe(3010);
  });
});

/** Places of the accounts of `fill`. */
const Place = {
  TAKER: 0,
  MAKER: 1,
  TAKER_INPUT: 2,
  MAKER_INPUT: 3,
  TAKER_OUTPUT: 4,
  MAKER_OUTPUT: 5,
  INPUT_MINT: 6,
  INPUT_PROGRAM: 7,
  OUTPUT_MINT: 8,
  OUTPUT_PROGRAM: 9,
  SYSTEM_PROGRAM: 10,
  TEMPORARY: 11,
} as const;
const TOKEN_PLACES = [Place.TAKER_INPUT, Place.MAKER_INPUT, Place.TAKER_OUTPUT, Place.MAKER_OUTPUT] as const;

function market() {
  const parties = new Parties();
  const good = parties.fill(parties.side('token'), parties.side('token-2022'));
  const errorWith = (replace: Parameters<typeof withAccounts>[1]) =>
    parties.send(withAccounts(good, replace)).error;
  return { parties, good, errorWith };
}
