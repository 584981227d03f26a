import { difference, firstOf, unless } from '../../answer.ts';
import type { Statement } from '../../statement.ts';
import type { World } from '../../world.ts';
import { associatedAccount, COMPUTE_BUDGET, JUP, SOL, USDC } from '../mints.ts';
import {
  AMOUNT,
  cancelOrder,
  checkSoleSigner,
  createOrder,
  DCA_PROGRAM,
  execute,
  type Json,
  listInstructions,
  openOrder,
} from './recurring-requests.ts';

const OPEN = '8e772b6da2340bb1';
const CLOSE = '16072162a8b722f3';
/** Two transactions with one signature each may bid for priority, too. */
const MOST_FEES = 200_000n;

export const recurringOrderStatements: readonly Statement[] = [
  {
    id: 'recurring/create',
    says: '`createOrder` answers `requestId` and `transaction`, which the user alone signs: one `open_dca_v2` of 43 bytes, when nothing optional is given.',
    check: async (world) => {
      const { json } = await createOrder(world);
      const names = Object.keys(json ?? {})
        .sort()
        .join();
      if (names !== 'requestId,transaction') return unless(false, json);
      const all = listInstructions(json.transaction);
      const [opening, ...others] = all.filter(({ program }) => program !== COMPUTE_BUDGET);
      const { data, accounts = [] } = opening ?? {};
      const [order = '', user, payer, input, output, source, inAccount, outAccount] = accounts;
      const { address } = world.wallet;
      const seen = { accounts, data: data?.toString('hex'), others };
      return firstOf(
        checkSoleSigner(world, json.transaction),
        unless(opening?.program === DCA_PROGRAM && others.length === 0 && accounts.length === 13, seen),
        unless(data?.length === 43 && data.subarray(0, 8).toString('hex') === OPEN, seen),
        unless(user === address && payer === address && input === USDC && output === JUP, seen),
        unless(source === (await associatedAccount(address, USDC)), seen),
        unless(inAccount === (await associatedAccount(order, USDC)), seen),
        unless(outAccount === (await associatedAccount(order, JUP)), seen),
      );
    },
  },
  {
    id: 'recurring/cycles',
    says: 'An order deposits `inAmount`, and trades it divided by `numberOfOrders`, rounded down, every `interval` seconds.',
    check: async (world) => {
      const { json } = await createOrder(world, { numberOfOrders: 2, interval: 86_400 });
      const data = listInstructions(json.transaction).at(-1)?.data ?? Buffer.alloc(43);
      const numbers = [16, 24, 32].map((at) => data.readBigUInt64LE(at));
      return unless(`${numbers}` === `${AMOUNT},52000000,86400`, numbers);
    },
  },
  {
    id: 'recurring/options',
    says: '`minPrice`, `maxPrice` and `startAt` are in the instruction when they are given. Prices are input for one token of the output.',
    check: async (world) => {
      const startAt = Number(await readNetworkTime(world)) + 3_600;
      // 52 USDC for an order, and JUP have as many decimals.
      const { json } = await createOrder(world, { minPrice: 0.1, maxPrice: 2, startAt });
      const data = listInstructions(json.transaction).at(-1)?.data ?? Buffer.alloc(0);
      const expected = Buffer.alloc(27);
      expected.writeUInt8(1, 0);
      expected.writeBigUInt64LE(26_000_000n, 1);
      expected.writeUInt8(1, 9);
      expected.writeBigUInt64LE(520_000_000n, 10);
      expected.writeUInt8(1, 18);
      expected.writeBigInt64LE(BigInt(startAt), 19);
      return unless(data.subarray(40).equals(expected), data.toString('hex'));
    },
  },
  {
    id: 'recurring/sol',
    says: 'An order that sells SOL wraps exactly what it deposits, and closes the account again if the user had none.',
    check: async (world) => {
      const wallet = await world.newWallet(5_000_000_000n);
      const { json } = await createOrder(
        world,
        { inAmount: 4_000_000_000 },
        { user: wallet.address, inputMint: SOL, outputMint: USDC },
      );
      if (typeof json?.transaction !== 'string') return unless(false, json);
      const data = listInstructions(json.transaction)
        .filter(({ program }) => program !== COMPUTE_BUDGET && program !== DCA_PROGRAM)
        .map((each) => each.data.toString('hex'));
      const lamports = Buffer.alloc(8);
      lamports.writeBigUInt64LE(4_000_000_000n);
      const expected = ['01', `02000000${lamports.toString('hex')}`, '11', '09'];
      return unless(`${data}` === `${expected}`, data);
    },
  },
  {
    id: 'recurring/execute',
    says: '`execute` answers `signature`, `status` and `order`, and no `error` after a success. The same request again has the same answer.',
    check: async (world) => {
      const { json: created } = await createOrder(world);
      const answer = await execute(world, created);
      const again = await execute(world, created);
      const { error, ...body } = answer.json ?? {};
      const order = await world.rpc
        .getAccountInfo(body.order, { commitment: 'confirmed', encoding: 'base64' })
        .send();
      return firstOf(
        difference(answer, { status: 200, body: { status: 'Success' } }),
        unless(error === undefined && typeof body.signature === 'string', answer.json),
        unless(order.value?.owner === DCA_PROGRAM, order.value),
        difference(again, { status: 200, body }),
      );
    },
  },
  {
    id: 'recurring/execute-foreign',
    says: '`execute` lands only what was handed out with the request id.',
    check: async (world) => {
      const [one, other]: readonly Json[] = [
        (await createOrder(world)).json,
        (await createOrder(world)).json,
      ];
      const answer = await execute(world, { ...one, requestId: other.requestId });
      return difference(answer, { status: 400, body: { code: 400, status: 'Bad Request' } });
    },
  },
  {
    id: 'recurring/several',
    says: 'Orders of one pair that are opened in the same second are different orders.',
    check: async (world) => {
      const created = await Promise.all([1, 2, 3].map(async () => (await createOrder(world)).json));
      const executed = await Promise.all(created.map((each) => execute(world, each)));
      const orders = new Set(executed.map(({ json }) => json?.order));
      return unless(
        orders.size === 3 && !orders.has(null),
        executed.map(({ json }) => json),
      );
    },
  },
  {
    id: 'recurring/cancel',
    says: '`cancelOrder` answers a transaction with one `close_dca`, which gives back the deposit and all rent.',
    check: async (world) => {
      const before = await readBalances(world);
      const order = await openOrder(world);
      const { json: cancelled } = await cancelOrder(world, order);
      const instructions = listInstructions(cancelled.transaction).filter(
        ({ program }) => program !== COMPUTE_BUDGET,
      );
      const [closing] = instructions;
      const answer = await execute(world, cancelled);
      const after = await readBalances(world);
      const fees = before.lamports - after.lamports;
      return firstOf(
        checkSoleSigner(world, cancelled.transaction),
        unless(instructions.length === 1 && closing?.data.toString('hex') === CLOSE, instructions),
        difference(answer, { status: 200, body: { status: 'Success', order } }),
        unless(after.usdc === before.usdc && fees > 0n && fees < MOST_FEES, { before, after }),
      );
    },
  },
];

async function readNetworkTime(world: World): Promise<bigint> {
  const slot = await world.rpc.getSlot({ commitment: 'confirmed' }).send();
  return (await world.rpc.getBlockTime(slot).send()) ?? 0n;
}

async function readBalances({ rpc, wallet }: World) {
  const account = await associatedAccount(wallet.address, USDC);
  const [lamports, tokens] = [
    await rpc.getBalance(wallet.address, { commitment: 'confirmed' }).send(),
    await rpc.getTokenAccountBalance(account as typeof wallet.address, { commitment: 'confirmed' }).send(),
  ];
  return { lamports: BigInt(lamports.value), usdc: tokens.value.amount };
}
