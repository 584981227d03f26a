import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { SwapMessageType } from '../../src/gateway/grpc/generated/market_maker_pb.js';
import { LAST_LOOK_MS } from '../../src/rfq/fills/fill-results.ts';
import { createKeypairFromSeed } from '../../src/solana/keypair.ts';
import { sha256 } from '../../src/solana/encoding/sha256.ts';
import { now } from '../../src/testing/waits.ts';
import { FaultWorld, SOL, TESTED_STORES, USDC } from './fault-world.ts';
import { BETTER, ScriptedMaker } from './scripted-maker.ts';

let world: FaultWorld;
let key: string;
let maker: ScriptedMaker;

describe.runIf(TESTED_STORES.includes('two instances'))(
  'a maker that is connected to another instance',
  () => {
    beforeAll(setUp);
    afterAll(tearDown);

    it('is quoted from here, to the atom, and signs what is executed here', async () => {
      world.turnTo(1);
      await world.until(isQuoted);
      const order = await world.order(ONE_SOL);
      expect(await world.execute(order)).toMatchObject({
        status: 'Success',
        code: 0,
        totalOutputAmount: order.outAmount,
      });
      await world.until(() => heard(order.signature, SwapMessageType.TRANSACTION_CONFIRMED).length === 1);
      await world.until(async () => {
        const { orders } = await world.admin('gateway', 'GET', `makers/${ID}`);
        return (orders as { readonly won: number }).won > 0;
      });
      const here = await shown();
      const swaps = { filled: 1, missed: 0, tampered: 0 };
      expect(here).toEqual({ status: 'prod', connected: true, instance: expect.any(String), swaps });
      world.turnTo(0);
      expect(await shown()).toEqual(here);
    });

    it('has its inventory promised once, and takes its swaps and orders with it when it moves', async () => {
      world.turnTo(0);
      const order = await world.order(ONE_SOL);
      world.turnTo(1);
      const [first, second] = [await world.order(6n * ONE_SOL), await world.order(6n * ONE_SOL + 1n)];
      expect([order.labels, first.labels, second.labels]).toEqual([[RFQ], [RFQ], [RFQ]]);
      const before = maker;
      before.ignored.add(first.signature);
      const waiting = world.execute(first);
      await world.until(() => heard(first.signature, SwapMessageType.SWAP_AVAILABLE).length === 1);
      expect(await world.execute(second)).toMatchObject({ code: -2_004 });
      // Nor is it quoted again.
      await world.until(async () => (await world.order(6n * ONE_SOL)).labels.join() !== RFQ);
      maker = await makerAt(1);
      // What waited for it there is pushed here, and settled there.
      expect(await waiting).toMatchObject({ status: 'Success', code: 0 });
      await world.until(() => heard(first.signature, SwapMessageType.TRANSACTION_CONFIRMED).length === 1);
      world.turnTo(0);
      expect(await world.execute(order)).toMatchObject({ status: 'Success', code: 0 });
      expect(heard(order.signature, SwapMessageType.SWAP_AVAILABLE)).toHaveLength(1);
      expect(before.toldOf(order.signature)).toEqual([]);
      await before.close();
      const swaps = { filled: 3, missed: 0, tampered: 0 };
      expect(await shown()).toMatchObject({ status: 'prod', connected: true, swaps });
    });

    it('has signed in time when its signature came while its instance stood still', async () => {
      world.turnTo(1);
      const order = await world.order(ONE_SOL);
      expect(order.labels).toEqual([RFQ]);
      maker.ignored.add(order.signature);
      const waiting = world.execute(order);
      await world.until(() => heard(order.signature, SwapMessageType.SWAP_AVAILABLE).length === 1);
      const offeredAt = now();
      world.pauseGateway();
      maker.sign(order.signature);
      await world.until(() => now() > offeredAt + LAST_LOOK_MS + 500);
      world.continueGateway();
      expect(await waiting).toMatchObject({ status: 'Success', code: 0 });
      await world.until(() => heard(order.signature, SwapMessageType.TRANSACTION_CONFIRMED).length === 1);
      expect(heard(order.signature, SwapMessageType.SWAP_AVAILABLE)).toHaveLength(1);
      expect(heard(order.signature, SwapMessageType.ERROR)).toEqual([]);
      const swaps = { filled: 4, missed: 0, tampered: 0 };
      await world.until(async () => (await shown()).connected === true);
      expect(await shown()).toMatchObject({ status: 'prod', swaps });
    });

    it('is not traded with when its instance is killed, and again when it comes back', async () => {
      world.turnTo(0);
      await world.until(isQuoted);
      const order = await world.order(ONE_SOL);
      expect(order.labels).toEqual([RFQ]);
      world.turnTo(1);
      await world.killGateway();
      world.turnTo(0);
      expect(await world.execute(order)).toMatchObject({ code: -2_003 });
      await world.until(async () => !(await isQuoted()));
      await world.until(async () => (await shown()).connected === false);
      expect(await shown()).toMatchObject({ status: 'offline', instance: null, swaps: { filled: 4 } });
      await maker.close();
      maker = await makerAt(0);
      const again = await world.order(ONE_SOL);
      expect(again.labels).toEqual([RFQ]);
      expect(await world.execute(again)).toMatchObject({ status: 'Success', code: 0 });
      expect(await shown()).toMatchObject({ status: 'prod', connected: true, swaps: { filled: 5 } });
    });

    async function setUp(): Promise<void> {
      world = await FaultWorld.open('two instances');
      ({ key } = (await world.admin('gateway', 'POST', 'makers', { id: ID, address: wallet.address })) as {
        key: string;
      });
      for (const [mint, amount] of [
        [SOL, '100000000000'],
        [USDC, '1000000000000'],
      ]) {
        await world.admin('network', 'POST', 'network/faucet', { wallet: wallet.address, mint, amount });
      }
      maker = await makerAt(0);
    }

    async function tearDown(): Promise<void> {
      await maker?.close();
      await world?.close();
    }
  },
);

const ID = 'maker-elsewhere';
const RFQ = 'JupiterRfqV2';
const ONE_SOL = 1_000_000_000n;
const wallet = createKeypairFromSeed(sha256(Buffer.from('a maker elsewhere')));

/** The maker, connected to one of the two. */
async function makerAt(index: number): Promise<ScriptedMaker> {
  const connected = new ScriptedMaker({ id: ID, key, wallet, ...BETTER });
  world.turnTo(index);
  await world.until(async () =>
    connected.connect(world.grpcPort).then(
      () => true,
      () => false,
    ),
  );
  return connected;
}

/** What the gateway that is talked to says of the maker. */
async function shown() {
  const { status, connected, instance, swaps } = await world.admin('gateway', 'GET', `makers/${ID}`);
  return { status, connected, instance, swaps };
}

const isQuoted = async () => (await world.order(ONE_SOL)).labels.includes(RFQ);
const heard = (signature: string, type: SwapMessageType) =>
  maker.toldOf(signature).filter(({ messageType }) => messageType === type);
