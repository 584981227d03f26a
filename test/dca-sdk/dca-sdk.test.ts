import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { AccountInfo, PublicKey } from '@solana/web3.js';
import { describe, expect, it } from 'vitest';
import { DcaWorld, HOLDING, type OpenOrder } from '../../programs/dca/tests/world.ts';
import {
  createEndAndCloseDca,
  createFulfillFlashFill,
  createInitiateFlashFill,
  createTransferDca,
} from '../../src/protocols/jupiter-dca/dca-fills.ts';
import {
  createCloseDca,
  createDepositDca,
  createOpenDca,
  createOpenDcaV1,
  createWithdrawDca,
  createWithdrawDcaFees,
} from '../../src/protocols/jupiter-dca/dca-instructions.ts';
import {
  DCA_EVENT_AUTHORITY,
  DCA_FEE_AUTHORITY,
  DCA_PROGRAM,
  deriveDcaOrderAddress,
} from '../../src/protocols/jupiter-dca/dca-program.ts';
import { DCA_FEE_BPS, DCA_MIN_FREQUENCY } from '../../src/protocols/jupiter-dca/dca-schedule.ts';
import { DCA_ERRORS } from '../../src/protocols/jupiter-dca/errors.ts';
import { type Address, address } from '../../src/solana/address.ts';
import { createKeypairFromSeed } from '../../src/solana/keypair.ts';
import { AccountRole, type Instruction } from '../../src/solana/messages/instruction.ts';
import { WRAPPED_SOL_MINT } from '../../src/solana/program-addresses.ts';

// The public client has dependencies that the project does not want, so it is installed beside this test or not at all.
const isInstalled = existsSync(new URL('node_modules/@jup-ag/dca-sdk/package.json', import.meta.url));

describe.skipIf(!isInstalled)('the public client of recurring orders (npm ci --prefix test/dca-sdk)', () => {
  it('has the same constants and errors', () => {
    const { sdk } = open();
    expect(BigInt(sdk.FEE_BPS)).toBe(DCA_FEE_BPS);
    expect(BigInt(sdk.MINIMUM_ORDER_INTERVAL_IN_SECONDS)).toBe(DCA_MIN_FREQUENCY);
    expect(sdk.IDL.errors.map(({ code, name }) => [code, name])).toEqual(
      DCA_ERRORS.map((name, index) => [6_000 + index, name]),
    );
  });

  it.each([false, true])(
    'opens, reads, fills up, empties and closes an order (its input is SOL: %s)',
    async (sol) => {
      const { world, dca, key, read } = open(sol ? { input: WRAPPED_SOL_MINT } : {});
      const { user, input, output } = world;
      const made = await dca.createDcaV2({
        payer: key(user),
        user: key(user),
        inAmount: 1_000n,
        inAmountPerCycle: 300n,
        cycleSecondsApart: 60n,
        inputMint: key(input),
        outputMint: key(output),
        minOutAmountPerCycle: null,
        maxOutAmountPerCycle: null,
        startAt: null,
      });
      world.must(...read(made.tx));
      const order = world.order(address(made.dcaPubKey.toBase58()));
      const own = findOwn(read(made.tx));
      const zero = { minOutAmount: 0n, maxOutAmount: 0n, startAt: 0n };
      expect(own).toEqual(createOpenDca({ ...order, inAmount: 1_000n, ...zero }));
      const fetched = await dca.fetchDCA(made.dcaPubKey);
      for (const [field, value] of Object.entries(fetched)) {
        if (field in order) expect(String(value), field).toBe(String(order[field as keyof OpenOrder]));
      }

      const { tx: deposit } = await dca.deposit({ user: key(user), dca: made.dcaPubKey, amount: 500n });
      expect(findOwn(read(deposit))).toEqual(createDepositDca(order, 500n));
      world.must(...read(deposit));
      world.must(...world.fill(world.again(order), 2_000n));
      const withdrawal = await dca.withdraw({
        user: key(user),
        dca: made.dcaPubKey,
        inputMint: key(input),
        outputMint: key(output),
        withdrawInAmount: 100n,
        withdrawOutAmount: 998n,
      });
      world.must(...read(withdrawal.tx));
      expect(world.again(order)).toMatchObject({
        inDeposited: 1_500n,
        inUsed: 300n,
        inWithdrawn: 100n,
        outReceived: 1_998n,
        outWithdrawn: 998n,
      });
      const { in: held, out: bought } = await dca.getBalancesByAccount(made.dcaPubKey);
      expect([held.dcaBalance, bought.dcaBalance]).toEqual([1_100n, 1_000n]);

      if (sol) world.hold(user, input, 0n);
      const { tx: closing } = await dca.closeDCA({ user: key(user), dca: made.dcaPubKey });
      expect(findOwn(read(closing))).toEqual(createCloseDca(order));
      world.must(...read(closing));
      expect(world.network.account(order.address)).toBeNull();
      expect(world.balance(world.tokens(user, output))).toBe(HOLDING + 1_998n);
      if (!sol) expect(world.balance(world.tokens(user, input))).toBe(HOLDING - 300n);
    },
  );

  it('opens an order in the older form, from SOL', async () => {
    const { world, dca, key, read } = open({ input: WRAPPED_SOL_MINT });
    const made = await dca.createDCA({
      user: key(world.user),
      inAmount: 1_000n,
      inAmountPerCycle: 300n,
      cycleSecondsApart: 60n,
      inputMint: key(world.input),
      outputMint: key(world.output),
      minOutAmountPerCycle: 5n,
      maxOutAmountPerCycle: 9n,
      startAt: world.now + 10n,
    });
    world.must(...read(made.tx));
    const order = world.order(address(made.dcaPubKey.toBase58()));
    expect(order).toMatchObject({ minOutAmount: 5n, maxOutAmount: 9n, nextCycleAt: world.now + 10n });
    const opening = { ...order, inAmount: 1_000n, startAt: world.now + 10n };
    expect(findOwn(read(made.tx))).toEqual(createOpenDcaV1(opening, false));
  });

  it('lists the accounts of every instruction in the same order and with the same rights, in its interface', async () => {
    const { sdk, world, dca, key, toInstruction } = open();
    const opening = world.opening();
    const at = deriveDcaOrderAddress(opening).address;
    const order = {
      ...opening,
      address: at,
      inAccount: world.tokens(at, world.input),
      outAccount: world.tokens(at, world.output),
    };
    const { keeper, admin, output: mint } = world;
    const receiver = world.tokens(admin, mint);
    const built: Readonly<Record<string, Instruction>> = {
      openDca: createOpenDcaV1(opening, false),
      openDcaV2: createOpenDca(opening),
      closeDca: createCloseDca(order),
      withdraw: createWithdrawDca(order, 'in', 1n),
      deposit: createDepositDca(order, 1n),
      withdrawFees: createWithdrawDcaFees(admin, { mint, amount: 1n, receiver }),
      initiateFlashFill: createInitiateFlashFill(keeper, order),
      fulfillFlashFill: createFulfillFlashFill(keeper, order, 1n),
      transfer: createTransferDca(keeper, order),
      endAndClose: createEndAndCloseDca(keeper, order),
    };
    for (const [name, own] of Object.entries(built)) {
      const declared = sdk.IDL.instructions.find((each) => each.name === name);
      const factory = dca.program.instruction[name];
      if (declared === undefined || factory === undefined) throw new Error(`the client has no ${name}`);
      const parties = declared.accounts.map(
        (party, index) => [party.name, key(own.accounts[index]?.address ?? DCA_PROGRAM)] as const,
      );
      const keys = factory.accounts(Object.fromEntries(parties));
      const listed = toInstruction({ keys, data: own.data, programId: key(DCA_PROGRAM) });
      const written = WRITTEN_BY_THE_PROGRAM[name] ?? [];
      const expected = own.accounts.map((meta, index) =>
        written.includes(index) ? { ...meta, role: AccountRole.READONLY } : meta,
      );
      expect(listed.accounts, name).toEqual(expected);
      expect(dca.program.coder.instruction.decode(Buffer.from(own.data))?.name, name).toBe(name);
    }
  });

  it('reads the events', () => {
    const { world, dca } = open();
    const order = world.open();
    const { inner } = world.send(...world.fill(order, 2_000n));
    const names = inner
      .flat()
      .filter(({ program, data }) => program === DCA_PROGRAM && data.length > 16)
      .map(({ data }) => dca.program.coder.events.decode(Buffer.from(data.subarray(8)).toString('base64')));
    expect(names.map((event) => event?.name)).toEqual(['CollectedFee', 'Filled']);
    expect(String(names[1]?.data.outAmount)).toBe('1998');
    expect(String(names[1]?.data.fee)).toBe('2');
    expect(DCA_EVENT_AUTHORITY.bump).toBe(254);
    expect(DCA_FEE_AUTHORITY.bump).toBe(254);
  });
});

/** Places that the interface lists as read-only, though the program writes them and recorded transactions say so. */
const WRITTEN_BY_THE_PROGRAM: Readonly<Record<string, readonly number[]>> = { fulfillFlashFill: [4, 5, 6] };

interface SdkInstruction {
  readonly keys: readonly {
    readonly pubkey: PublicKey;
    readonly isSigner: boolean;
    readonly isWritable: boolean;
  }[];
  readonly data: Uint8Array;
  readonly programId: PublicKey;
}

interface SdkTransaction {
  readonly tx: { readonly instructions: readonly SdkInstruction[] };
}

/** What the test uses of the client, whose own types need the packages that it brings. */
interface Sdk {
  readonly FEE_BPS: number;
  readonly MINIMUM_ORDER_INTERVAL_IN_SECONDS: number;
  readonly IDL: {
    readonly errors: readonly { readonly code: number; readonly name: string }[];
    readonly instructions: readonly {
      readonly name: string;
      readonly accounts: readonly { readonly name: string }[];
    }[];
  };
  readonly DCA: new (connection: object) => SdkClient;
}

interface SdkClient {
  readonly program: {
    readonly instruction: Readonly<
      Record<string, { accounts(parties: Record<string, PublicKey>): SdkInstruction['keys'] }>
    >;
    readonly coder: {
      readonly instruction: { decode(data: Buffer): { readonly name: string } | null };
      readonly events: {
        decode(data: string): { readonly name: string; readonly data: Record<string, unknown> } | null;
      };
    };
  };
  createDCA(params: object): Promise<SdkTransaction & { readonly dcaPubKey: PublicKey }>;
  createDcaV2(params: object): Promise<SdkTransaction & { readonly dcaPubKey: PublicKey }>;
  fetchDCA(order: PublicKey): Promise<Record<string, unknown>>;
  deposit(params: object): Promise<SdkTransaction>;
  withdraw(params: object): Promise<SdkTransaction>;
  closeDCA(params: object): Promise<SdkTransaction>;
  getBalancesByAccount(order: PublicKey): Promise<Record<'in' | 'out', { readonly dcaBalance: bigint }>>;
}

/** Opens a world, and the client over its accounts. */
function open(mints: ConstructorParameters<typeof DcaWorld>[0] = {}) {
  const require = createRequire(import.meta.url);
  const sdk = require('@jup-ag/dca-sdk') as Sdk;
  const web3 = require('@solana/web3.js') as { readonly PublicKey: typeof PublicKey };
  // The client derives accounts only for wallets that can have a key.
  const world = new DcaWorld({ ...mints, user: createKeypairFromSeed(new Uint8Array(32).fill(7)).address });
  const key = (at: Address) => new web3.PublicKey(at);
  const getAccountInfo = async (at: PublicKey): Promise<AccountInfo<Buffer> | null> => {
    const account = world.network.account(address(at.toBase58()));
    if (account === null) return null;
    const { lamports, data, executable } = account;
    return { lamports: Number(lamports), data: Buffer.from(data), executable, owner: key(account.owner) };
  };
  const connection = {
    commitment: 'confirmed',
    getAccountInfo,
    getAccountInfoAndContext: async (at: PublicKey) => ({
      context: { slot: 1 },
      value: await getAccountInfo(at),
    }),
    getBalance: async (at: PublicKey) => Number(world.lamports(address(at.toBase58()))),
    getTokenAccountBalance: async (at: PublicKey) => ({
      value: { amount: String(world.balance(address(at.toBase58()))) },
    }),
  };
  const toInstruction = ({ keys, data, programId }: SdkInstruction): Instruction => ({
    programAddress: address(programId.toBase58()),
    accounts: keys.map(({ pubkey, isSigner, isWritable }) => ({
      address: address(pubkey.toBase58()),
      role: (Number(isSigner) * 2 + Number(isWritable)) as AccountRole,
    })),
    data: Uint8Array.from(data),
  });
  const read = ({ instructions }: SdkTransaction['tx']) => instructions.map(toInstruction);
  return { sdk, world, key, toInstruction, read, dca: new sdk.DCA(connection) };
}

/** Returns the one instruction of the program. */
function findOwn(instructions: readonly Instruction[]): Instruction | undefined {
  return instructions.find(({ programAddress }) => programAddress === DCA_PROGRAM);
}
