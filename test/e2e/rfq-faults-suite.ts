import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { SwapMessageType } from '../../src/gateway/grpc/generated/market_maker_pb.js';
import { createKeypairFromSeed } from '../../src/solana/keypair.ts';
import { sha256 } from '../../src/solana/encoding/sha256.ts';
import { FaultWorld, SOL, type SignedOrder, type StoresKind, TESTED_STORES, USDC } from './fault-world.ts';
import { BETTER, ScriptedMaker } from './scripted-maker.ts';

const { SWAP_AVAILABLE, TRANSACTION_CONFIRMED, ERROR } = SwapMessageType;
const ID = 'maker-of-faults';
const wallet = createKeypairFromSeed(sha256(Buffer.from('a maker of faults')));

/** Where a fill is when something happens to it. */
const STEPS = [
  'before the push',
  'after the push',
  'after the submit',
  'after the send',
  'before the confirmation',
] as const;
type Step = (typeof STEPS)[number];

interface Fault {
  readonly what: string;
  /** Null: the gateway is killed. */
  readonly cut: 'end' | 'reset' | 'silence' | null;
  /** The gateway that all turn to afterwards, when it is not the same one, started again. */
  readonly turnTo?: number;
  /** The answers that takers may get; only success where none is listed. */
  readonly codes: Partial<Record<Step, readonly number[]>>;
}

const LATE = [0, -2_003];

const FAULTS: Readonly<Record<StoresKind, readonly Fault[]>> = {
  'embedded stores': [
    { what: 'the maker ends', cut: 'end', codes: { 'before the push': [-2_003] } },
    { what: 'the connection is reset', cut: 'reset', codes: { 'before the push': [-2_003] } },
    { what: 'the connection is silent', cut: 'silence', codes: {} },
    // The order was in the memory of the process; who was pushed it has what is left of ten seconds.
    { what: 'the gateway is killed', cut: null, codes: { 'before the push': [-1], 'after the push': LATE } },
  ],
  // Another process takes over after as long as the maker has.
  'two instances': [
    { what: 'the gateway is killed', cut: null, codes: { 'after the push': LATE } },
    { what: 'it is killed and stays away', cut: null, turnTo: 1, codes: { 'after the push': LATE } },
  ],
};

type Answer = Awaited<ReturnType<FaultWorld['execute']>>;

let world: FaultWorld;
let maker: ScriptedMaker;

async function openWorld(stores: StoresKind): Promise<void> {
  world = await FaultWorld.open(stores);
  const { key } = await world.admin('gateway', 'POST', 'makers', { id: ID, address: wallet.address });
  for (const [mint, amount] of [
    [SOL, '100000000000'],
    [USDC, '1000000000000'],
  ]) {
    await world.admin('network', 'POST', 'network/faucet', { wallet: wallet.address, mint, amount });
  }
  maker = new ScriptedMaker({ id: ID, key: String(key), wallet, ...BETTER });
  await maker.connect(world.grpcPort);
}

/** What the gateway says of the maker. */
async function makerShown() {
  const { status, swaps, volume } = await world.admin('gateway', 'GET', `makers/${ID}`);
  const { mints } = volume as { readonly mints: readonly { readonly mint: string; readonly paid: string }[] };
  return {
    status,
    swaps: swaps as Record<'filled' | 'missed' | 'tampered', number>,
    usdcPaid: BigInt(mints.find(({ mint }) => mint === USDC)?.paid ?? 0),
  };
}

const heard = (signature: string, type: SwapMessageType) =>
  maker.toldOf(signature).filter(({ messageType }) => messageType === type);

/** Brings a fill to each step; resolves with what the takers will be answered. */
async function underWay(orders: Record<Step, SignedOrder>): Promise<Map<Step, Promise<Answer>>> {
  const answers = new Map<Step, Promise<Answer>>();
  const execute = (step: Step) => answers.set(step, world.execute(orders[step]));
  const signatureAt = (step: Step) => orders[step].signature;

  world.unseen.add(signatureAt('before the confirmation'));
  execute('before the confirmation');
  await world.until(() => world.isConfirmed(signatureAt('before the confirmation')));

  await world.congest(true);
  execute('after the send');
  world.held.add(signatureAt('after the submit'));
  execute('after the submit');
  for (const step of ['after the send', 'after the submit'] as const) {
    await world.until(() => world.tried.has(signatureAt(step)));
  }

  maker.ignored.add(signatureAt('after the push'));
  execute('after the push');
  await world.until(() => heard(signatureAt('after the push'), SWAP_AVAILABLE).length === 1);
  return answers;
}

async function strike(
  { cut }: Fault,
  orders: Record<Step, SignedOrder>,
  answers: Map<Step, Promise<Answer>>,
) {
  if (cut === null) {
    await world.killGateway();
    return;
  }
  maker.cut(cut);
  if (cut !== 'silence') await world.until(async () => (await makerShown()).status === 'offline');
  const order = orders['before the push'];
  answers.set('before the push', world.execute(order));
  // Where the maker is taken to be there, the swap is pushed to it once its simulation is answered.
  if (cut === 'silence') await world.until(() => world.simulated.has(order.signature));
}

/** The tests of gateways with such stores. They are a file for each, which run side by side. */
export function describeFillFaults(stores: StoresKind): void {
  describe.runIf(TESTED_STORES.includes(stores))(`on ${stores}`, () => {
    beforeAll(() => openWorld(stores));
    afterAll(async () => {
      await maker?.close();
      await world?.close();
    });

    describe.each(FAULTS[stores])('when $what', (fault) => {
      const orders = {} as Record<Step, SignedOrder>;
      const told = new Map<Step, Answer>();
      const before = { filled: 0, missed: 0, usdcPaid: 0n, usdc: 0n };

      beforeAll(async () => {
        for (const [index, step] of STEPS.entries()) {
          const { labels, ...order } = await world.order(100_000_000n + BigInt(index));
          expect(labels).toEqual(['JupiterRfqV2']);
          orders[step] = order;
        }
        const { swaps, usdcPaid } = await makerShown();
        // What the maker was given at first lands when the network comes to it.
        await world.until(async () => (await world.holding(wallet.address, USDC)) > 0n);
        Object.assign(before, swaps, { usdcPaid, usdc: await world.holding(wallet.address, USDC) });
        const answers = await underWay(orders);
        await strike(fault, orders, answers);

        for (const set of [world.held, world.unseen, maker.ignored]) set.clear();
        await world.congest(false);
        if (fault.turnTo !== undefined) world.turnTo(fault.turnTo);
        else if (fault.cut === null) await world.startGateway();
        await maker.connect(world.grpcPort);
        for (const step of STEPS) {
          const first = (await answers.get(step)) ?? null;
          // Who got no answer asks again.
          told.set(step, first ?? (await world.execute(orders[step])));
        }
      });

      it.each(STEPS)('%s, taker, maker and chain agree', async (step) => {
        const { signature } = orders[step];
        const answer = told.get(step);
        const code = answer?.code;
        expect(fault.codes[step] ?? [0], JSON.stringify(answer)).toContain(code);
        expect(await world.isConfirmed(signature)).toBe(code === 0);
        if (code === 0) {
          expect(answer).toMatchObject({
            status: 'Success',
            signature,
            totalInputAmount: orders[step].inAmount,
          });
          await world.until(() => heard(signature, TRANSACTION_CONFIRMED).length > 0);
        }
        const confirmed = heard(signature, TRANSACTION_CONFIRMED);
        expect(confirmed.length > 0).toBe(code === 0);
        for (const { transactionSignature } of confirmed) expect(transactionSignature).toBe(signature);
        const wasPushed = code === 0 || step !== 'before the push';
        if (code !== 0 && wasPushed) await world.until(() => heard(signature, ERROR).length > 0);
        else expect(heard(signature, ERROR)).toEqual([]);
        const swaps = new Set(maker.toldOf(signature).map(({ swapUuid }) => swapUuid));
        expect(swaps.size).toBe(wasPushed ? 1 : 0);
        expect(await world.execute(orders[step])).toEqual(answer);
      });

      it('every fill is made and counted once', async () => {
        const landed = [...told.values()].filter((answer) => answer?.code === 0);
        const { swaps, usdcPaid } = await makerShown();
        expect([swaps.filled - before.filled, swaps.missed - before.missed]).toEqual([landed.length, 0]);
        const paid = landed.reduce((sum, answer) => sum + BigInt(String(answer?.totalOutputAmount)), 0n);
        expect(usdcPaid - before.usdcPaid).toBe(paid);
        expect(before.usdc - (await world.holding(wallet.address, USDC))).toBe(paid);
      });
    });

    describe('in the end', () => {
      it.runIf(stores === 'embedded stores')(
        'a maker that does not come back in time has missed the swap, and is notified when it comes back',
        async () => {
          const { swaps } = await makerShown();
          const order = await world.order(100_000_000n);
          maker.ignored.add(order.signature);
          const answer = world.execute(order);
          await world.until(() => heard(order.signature, SWAP_AVAILABLE).length === 1);
          maker.cut('silence');
          expect(await answer).toMatchObject({ status: 'Failed', code: -2_003 });
          await maker.connect(world.grpcPort);
          await world.until(() => heard(order.signature, ERROR).length === 1);
          expect(heard(order.signature, SWAP_AVAILABLE)).toHaveLength(1);
          expect(await world.isConfirmed(order.signature)).toBe(false);
          expect((await makerShown()).swaps).toEqual({ ...swaps, missed: swaps.missed + 1 });
        },
      );

      it('nothing is reserved any more: the whole book can be taken', async () => {
        const whole = BETTER.depth - 1_000_000n;
        await world.until(async () => (await world.order(whole)).labels.join() === 'JupiterRfqV2');
        const order = await world.order(whole);
        expect(await world.execute(order)).toMatchObject({
          status: 'Success',
          totalInputAmount: String(whole),
        });
      });
    });
  });
}
