import { expect, it } from 'vitest';
import { encodeLimitOrder } from '../../../protocols/jupiter-limit-order/layout.ts';
import { LIMIT_ORDER_PROGRAM } from '../../../protocols/jupiter-limit-order/program.ts';
import { type Address, toAddress } from '../../../solana/address.ts';
import { TOKEN_PROGRAM } from '../../../solana/program-addresses.ts';
import { OpenProgramOrders } from './open-program-orders.ts';

it('queues all orders that a price has reached, however many, also if it does not move any more', () => {
  let price = 1;
  const ready: Address[] = [];
  const orders = new OpenProgramOrders({
    dollarsPerAtom: (mint) => (mint === INPUT ? price : 1),
    onReady: ({ known }) => ready.push(known.address),
    onMint: () => undefined,
    isFilled: () => true,
  });
  const placed = Array.from({ length: 600 }, (_, index) => createUpdate(index));
  orders.apply(placed, 0);
  // Each is tried as soon as it is seen, and waits for its price from then on.
  for (const address of ready.splice(0)) {
    orders.begin(address);
    orders.release(address, { kind: 'waits', reason: 'price', until: 0, hasFailed: false }, 0);
  }
  orders.wake({ now: 1, chainSecond: 1n });
  expect(ready).toEqual([]);
  price = 2;
  orders.noteAllMoved();
  for (let looks = 0; looks < 3; looks++) orders.look(1, 512);
  expect(new Set(ready).size).toBe(600);
  orders.look(1, 512);
  expect(ready).toHaveLength(600);
});

const INPUT = addressOf(1);

function addressOf(number: number): Address {
  const bytes = new Uint8Array(32);
  new DataView(bytes.buffer).setUint32(0, number);
  return toAddress(bytes);
}

/** An order that wants twice of what the market pays at first. */
function createUpdate(index: number) {
  const order = {
    maker: addressOf(3),
    inputMint: INPUT,
    outputMint: addressOf(2),
    inputTokenProgram: TOKEN_PROGRAM,
    outputTokenProgram: TOKEN_PROGRAM,
    inputReserve: addressOf(4),
    uniqueId: BigInt(index),
    originalMaking: 100n,
    originalTaking: 200n,
    making: 100n,
    taking: 200n,
    borrowedMaking: 0n,
    expiredAt: null,
    feeBps: 10,
    feeAccount: addressOf(5),
    createdAt: 1n,
    updatedAt: 1n,
    bump: 255,
    slippageBps: 0,
    stopLossTaking: 0n,
  };
  const data = encodeLimitOrder(order);
  const account = { lamports: 1n, owner: LIMIT_ORDER_PROGRAM, data, executable: false, rentEpoch: 0n };
  return { address: addressOf(1_000 + index), slot: 1n, account };
}
