import { beforeEach, describe, expect, test } from 'vitest';
import { AGGREGATOR_PROGRAM } from '../../../src/protocol/venue/aggregator-program.ts';
import {
  type LedgerTermsV1,
  routeWithTokenLedger,
  sharedAccountsRouteWithTokenLedger,
} from '../../../src/market/aggregator/route-v1.ts';
import {
  createTokenLedger,
  decodeTokenLedger,
  setTokenLedger,
  TOKEN_LEDGER_SIZE,
} from '../../../src/market/aggregator/token-accounts.ts';
import type { Address } from '../../../src/solana/address.ts';
import {
  type Instruction,
  readonly,
  readonlySigner,
  writable,
} from '../../../src/solana/messages/instruction.ts';
import { SYSTEM_PROGRAM } from '../../../src/solana/program-addresses.ts';
import { eventsOf, HOLDING, RouteWorld, returned, transfersOf } from './route-world.ts';
import { openForEach } from '../../../src/testing/opened.ts';

let ledger: Address;
const world = openForEach(() => new RouteWorld());
beforeEach(setUp);

describe('create_token_ledger', () => {
  test('makes an empty ledger that the payer pays for', () => {
    expect(world.send(createTokenLedger(ledger, world.user)).error).toBeNull();
    expect(ledgerAt(ledger)).toEqual({ tokenAccount: SYSTEM_PROGRAM, amount: 0n });
    const account = world.network.account(ledger);
    expect(account?.data.length).toBe(TOKEN_LEDGER_SIZE);
    expect(account?.lamports).toBe(world.network.svm.minimumBalanceForRentExemption(48n));
  });

  test('refuses an address in use, even if it only holds lamports', () => {
    const used = world.network.newWallet(5n);
    expect(world.send(createTokenLedger(used, world.user)).error?.custom).toBe(0);
  });

  test('refuses a payer who cannot pay', () => {
    const poor = world.network.newWallet(100n);
    expect(world.send(createTokenLedger(ledger, poor)).error?.custom).toBe(1);
  });

  test.each([
    ['without the signature of the ledger', 0, () => writable(ledger), 'PrivilegeEscalation'],
    ['without the signature of the payer', 1, () => writable(world.stranger), 'PrivilegeEscalation'],
    ['with a payer that it may not write', 1, () => readonlySigner(world.stranger), 'PrivilegeEscalation'],
    ['without the system program', 2, () => readonly(world.stranger), 'MissingAccount'],
  ])('fails %s', (_, place, account, kind) => {
    const { accounts, ...rest } = createTokenLedger(ledger, world.user);
    const changed = accounts.map((each, index) => (index === place ? account() : each));
    expect(world.send({ ...rest, accounts: changed }).error?.kind).toBe(kind);
  });

  test('fails without all of its accounts', () => {
    const { accounts, ...rest } = createTokenLedger(ledger, world.user);
    expect(world.send({ ...rest, accounts: accounts.slice(0, 2) }).error?.kind).toBe('NotEnoughAccountKeys');
  });
});

describe('set_token_ledger', () => {
  beforeEach(() => {
    world.send(createTokenLedger(ledger, world.user));
  });

  test('notes the account and its balance, and may be set again', () => {
    expect(world.send(setTokenLedger(ledger, world.users.a)).error).toBeNull();
    expect(ledgerAt(ledger)).toEqual({ tokenAccount: world.users.a, amount: HOLDING });
    expect(world.send(setTokenLedger(ledger, world.strangers.b)).error).toBeNull();
    expect(ledgerAt(ledger)).toEqual({ tokenAccount: world.strangers.b, amount: 0n });
  });

  test('takes a longer account, as the public program does', () => {
    const long = owned(padded(60));
    expect(world.send(setTokenLedger(long, world.users.a)).error).toBeNull();
  });

  test.each([
    [
      'an account of nobody as token account',
      () => setTokenLedger(ledger, world.stranger),
      { kind: 'IllegalOwner' },
    ],
    ['a mint as token account', () => setTokenLedger(ledger, world.mints.a), { custom: 6025 }],
    [
      'an account of nobody as ledger',
      () => setTokenLedger(world.stranger, world.users.a),
      { kind: 'IllegalOwner' },
    ],
    ['a ledger without data', () => setTokenLedger(owned(Buffer.alloc(4)), world.users.a), { custom: 3001 }],
    [
      'another kind of account',
      () => setTokenLedger(owned(Buffer.alloc(48)), world.users.a),
      { custom: 3002 },
    ],
    ['a ledger cut short', () => setTokenLedger(owned(padded(47)), world.users.a), { custom: 3003 }],
  ])('refuses %s', (_, build, error) => {
    expect(world.send(build()).error).toMatchObject(error);
  });

  test('fails on a ledger that it may not write', () => {
    const { accounts, ...rest } = setTokenLedger(ledger, world.users.a);
    const changed = accounts.map(({ address }) => readonly(address));
    expect(world.send({ ...rest, accounts: changed }).error?.kind).toBe('ReadonlyDataModified');
  });

  test('fails without all of its accounts', () => {
    const { accounts, ...rest } = setTokenLedger(ledger, world.users.a);
    expect(world.send({ ...rest, accounts: accounts.slice(0, 1) }).error?.kind).toBe('NotEnoughAccountKeys');
  });
});

type Terms = Omit<LedgerTermsV1, 'steps'>;
type Build = (terms?: Partial<Terms>, source?: Address) => Instruction;

const plain: Build = (terms = {}, source = world.users.a) => {
  const steps = [{ step: world.step(source, world.users.b), percent: 100, inputIndex: 0, outputIndex: 1 }];
  const rest = { quotedOutAmount: 0n, slippageBps: 0, platformFeeBps: 0, ...terms, steps };
  return routeWithTokenLedger(rest, world.accounts({ userSourceTokenAccount: source }), ledger);
};

const shared: Build = (terms = {}, source = world.users.a) => {
  const step = world.step(world.programs.a, world.programs.b, { authority: world.authority });
  const steps = [{ step, percent: 100, inputIndex: 0, outputIndex: 1 }];
  const rest = { quotedOutAmount: 0n, slippageBps: 0, platformFeeBps: 0, ...terms, steps };
  return sharedAccountsRouteWithTokenLedger(
    rest,
    world.sharedAccounts({ sourceTokenAccount: source }),
    ledger,
  );
};

describe.each([
  ['route_with_token_ledger', plain],
  ['shared_accounts_route_with_token_ledger', shared],
])('%s', (_, build) => {
  beforeEach(() => {
    world.send(createTokenLedger(ledger, world.user), setTokenLedger(ledger, world.users.a));
  });

  test('spends what came in since the ledger was set, and leaves the ledger as it is', () => {
    hold(HOLDING + 500_000n);
    const outcome = world.send(build());
    expect(returned(outcome)).toBe(1_000_000n);
    expect(world.balance(world.users.a)).toBe(HOLDING);
    expect(ledgerAt(ledger)).toEqual({ tokenAccount: world.users.a, amount: HOLDING });
  });

  test('takes an input fee of that', () => {
    hold(HOLDING + 500_000n);
    const outcome = world.send(build({ platformFeeBps: 100, platformFeeAccount: world.strangers.a }));
    expect(returned(outcome)).toBe(990_000n);
    expect(transfersOf(outcome)[0]).toEqual({ from: world.users.a, to: world.strangers.a, amount: 5000n });
  });

  test('runs on nothing when nothing came in, and leaves it to the venue', () => {
    const [event] = eventsOf(world.send(build()));
    expect(event).toMatchObject({ kind: 'swap', inputAmount: 0n });
  });

  test('is refused below the quote', () => {
    hold(HOLDING + 500_000n);
    expect(world.send(build({ quotedOutAmount: 1_000_001n })).error?.custom).toBe(6001);
  });

  test('is refused when the account holds less than the ledger says', () => {
    hold(HOLDING - 1n);
    expect(world.send(build()).error?.custom).toBe(6013);
  });

  test('is refused for a ledger of another token account', () => {
    const other = world.newTokenAccount(world.mints.a, world.user, HOLDING);
    expect(world.send(build({}, other)).error?.custom).toBe(6012);
  });

  test.each([
    ['an account of nobody', () => world.stranger],
    ['another kind of account', () => owned(Buffer.alloc(48))],
    ['a ledger cut short', () => owned(padded(47))],
    ['a token account', () => world.users.a],
  ])('is refused for %s in place of the ledger', (_, other) => {
    ledger = other();
    expect(world.send(build()).error?.custom).toBe(6013);
  });

  const hold = (amount: bigint) => world.setTokenAccount(world.users.a, world.mints.a, world.user, amount);
});

function setUp(): void {
  ledger = world.network.newAddress();
}

function ledgerAt(address: Address) {
  const account = world.network.account(address);
  return account === null ? null : decodeTokenLedger(account);
}

/** Returns an account of the aggregator's own with this data. */
function owned(data: Uint8Array): Address {
  const address = world.network.newAddress();
  world.network.setData(address, AGGREGATOR_PROGRAM, data);
  return address;
}

const DISCRIMINATOR = Buffer.from('9cf709bc366c554d', 'hex');
const padded = (size: number) => Buffer.concat([DISCRIMINATOR, Buffer.alloc(size - 8)]);
