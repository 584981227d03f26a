import { describe, expect, it } from 'vitest';
import { ManualTimers } from '../../../../test/timers.ts';
import { type Address, addressBytes, addressFromBytes } from '../../../solana/address.ts';
import { TOKEN_PROGRAM } from '../../../solana/program-addresses.ts';
import type { TradeElement } from '../../element.ts';
import type { Fetched, PositionFetcher } from '../../fetcher.ts';
import { TestView } from '../../view-for-tests.ts';
import { openWalletReader } from '../../wallet-reader.ts';
import { LIMIT_ORDER_PROGRAM } from './layout.ts';
import { jupiterLimitOrders } from './limit.ts';

const named = (byte: number): Address => addressFromBytes(new Uint8Array(32).fill(byte));
const [OWNER, INPUT, OUTPUT, ORDER, RESERVE] = [1, 2, 3, 4, 5].map(named) as [
  Address,
  Address,
  Address,
  Address,
  Address,
];

type Field =
  | readonly [at: number, kind: 'address', value: Address]
  | readonly [at: number, kind: 'u64' | 'i64', value: bigint]
  | readonly [at: number, kind: 'u8', value: number];

/** Writes fields at the offsets of a public layout, independently of the codecs that are tested. */
function written(size: number, tag: string, fields: readonly Field[]): Uint8Array {
  const data = new Uint8Array(size);
  const view = new DataView(data.buffer);
  data.set(Buffer.from(tag, 'hex'));
  for (const [at, kind, value] of fields) {
    if (kind === 'address') data.set(addressBytes(value), at);
    else if (kind === 'u8') data[at] = value;
    else if (kind === 'u64') view.setBigUint64(at, value, true);
    else view.setBigInt64(at, value, true);
  }
  return data;
}

/** A token account of `amount` atoms. */
function tokenAccount(mint: Address, amount: bigint): Uint8Array {
  return written(165, '', [
    [0, 'address', mint],
    [64, 'u64', amount],
    [108, 'u8', 1],
  ]);
}

function fetchOf(fetcher: PositionFetcher, view: TestView): Promise<Fetched> {
  const wallet = openWalletReader(view, OWNER, [fetcher], () => undefined, new ManualTimers());
  return fetcher.fetch(wallet);
}

const tradesOf = ({ elements }: Fetched) => elements as readonly TradeElement[];

describe('jupiterLimitOrders', () => {
  /** An order over 1,000 atoms for 500, of which a fifth was filled. */
  const order = written(320, '86addfb94d561c33', [
    [8, 'address', OWNER],
    [40, 'address', INPUT],
    [72, 'address', OUTPUT],
    [168, 'address', RESERVE],
    [208, 'u64', 1_000n],
    [216, 'u64', 500n],
    [224, 'u64', 800n],
    [232, 'u64', 400n],
    [248, 'u8', 1],
    [249, 'i64', 1_800_000_100n],
    [291, 'i64', 1_799_000_000n],
  ]);

  it('counts what was filled as withdrawn, because a fill pays the maker at once', async () => {
    const view = new TestView();
    view.set(ORDER, LIMIT_ORDER_PROGRAM, order);
    view.set(RESERVE, TOKEN_PROGRAM, tokenAccount(INPUT, 800n));
    const fetched = await fetchOf(jupiterLimitOrders, view);
    expect(fetched.unreadable).toEqual([]);
    expect(tradesOf(fetched)).toMatchObject([
      {
        inputMint: INPUT,
        outputMint: OUTPUT,
        initialInput: 1_000n,
        remainingInput: 800n,
        heldOutput: 0n,
        withdrawnOutput: 100n,
        expectedOutput: 500n,
        createdAt: 1_799_000_000_000,
        expireAt: 1_800_000_100_000,
        ref: ORDER,
      },
    ]);
  });

  it('leaves out an order whose reserve is empty', async () => {
    const view = new TestView();
    view.set(ORDER, LIMIT_ORDER_PROGRAM, order);
    view.set(RESERVE, TOKEN_PROGRAM, tokenAccount(INPUT, 0n));
    expect((await fetchOf(jupiterLimitOrders, view)).elements).toEqual([]);
  });
});
