import { beforeAll, describe, expect, it } from 'vitest';
import { lastLook, ownAccounts, type Streamed } from '../examples/last-look.ts';
import { loadedAddresses } from '../src/chain/embedded/runtime/loaded-addresses.ts';
import { compileMessage } from '../src/solana/messages/compile-message.ts';
import { type Instruction, readonlySigner, writable } from '../src/solana/messages/instruction.ts';
import { listMessageInstructions } from '../src/solana/messages/message.ts';
import { parseTransaction } from '../src/solana/messages/transaction.ts';
import { RFQ_FILL_PROGRAM } from '../src/protocols/rfq-fill/fill-step.ts';
import type { Address } from '../src/solana/address.ts';
import { createMaker, SOL } from '../src/testing/genesis-market/makers.ts';
import {
  ASK,
  BID,
  BUY,
  DEPTH,
  MAKER,
  openOneMakerSwap,
  SELL,
} from '../src/testing/genesis-market/one-maker.ts';
import { now } from '../src/testing/waits.ts';

beforeAll(setUp);

describe('the last look of the example', () => {
  it.each([
    ['a sale', SELL, -1_000_000_000n],
    ['a purchase', BUY, 2_000_000_000n],
    ['a sale for another wallet', { ...SELL, receiver: RECEIVER }, -1_000_000_000n],
    ['a purchase for another wallet', { ...BUY, receiver: RECEIVER }, 2_000_000_000n],
    ['a sale that is split over several steps', { ...SELL, amount: '60000000000' }, -19_920_000_000n],
    [
      'a purchase that goes on',
      { ...BUY, outputMint: 'DezXAZ8z7PnrnRJjz3wXBoRgixCa6xjnB7YaB1pPB263' },
      2_000_000_000n,
    ],
  ])('has nothing against %s at the streamed prices, and knows its size', async (_, query, sells) => {
    expect(lastLook(await messageOf(query), own, [STREAMED])).toEqual({ sells });
  });

  it.each([
    ['a bid that was lower', SELL, { ...STREAMED, bid: STREAMED.bid - 1n }, /is not what was streamed/],
    ['an ask that was higher', BUY, { ...STREAMED, ask: STREAMED.ask + 1n }, /is not what was streamed/],
    ['more than was streamed', SELL, { ...STREAMED, volume: 999_999_999n }, /is not what was streamed/],
  ])('refuses %s', async (_, query, streamed, words) => {
    const bytes = await messageOf(query);
    expect(lastLook(bytes, own, [streamed])).toMatch(words);
    expect(lastLook(bytes, own, [])).toMatch(words);
  });

  it('refuses a swap of another maker, and one without a fill', async () => {
    const other = await ownAccounts(createMaker('another').address, SELL.inputMint, SELL.outputMint, own.one);
    expect(lastLook(await messageOf(SELL), other, [STREAMED])).toMatch(/not its second signer/);
    const noFill = await messageOf({ ...SELL, excludeDexes: 'JupiterRfqV2' });
    expect(lastLook(noFill, own, [STREAMED])).toMatch(/not its second signer/);
  });

  it('refuses another instruction that names one of its accounts', async () => {
    for (const account of [own.maker, own.base, own.quote]) {
      const meta =
        account === own.maker ? readonlySigner(own.maker as Address) : writable(account as Address);
      const bytes = await changed((instructions) => [
        ...instructions,
        { programAddress: SOL.tokenProgram, accounts: [meta], data: Uint8Array.of(3) },
      ]);
      expect(lastLook(bytes, own, [STREAMED])).toMatch(/named outside the route/);
    }
    expect(lastLook(await changed((instructions) => instructions), own, [STREAMED])).toEqual({
      sells: -1_000_000_000n,
    });
  });

  it('refuses a route that names it twice, and another program in place of the aggregator', async () => {
    const twice = await changed((instructions) =>
      instructions.map((each) =>
        each.accounts.some(({ address }) => address === own.base)
          ? { ...each, accounts: [...each.accounts, writable(own.base as Address)] }
          : each,
      ),
    );
    expect(lastLook(twice, own, [STREAMED])).toMatch(/names us twice/);
    const elsewhere = await changed((instructions) =>
      instructions.map((each) =>
        each.accounts.some(({ address }) => address === own.base)
          ? { ...each, programAddress: swap.market.network.newAddress() }
          : each,
      ),
    );
    expect(lastLook(elsewhere, own, [STREAMED])).toMatch(/not the aggregator/);
  });

  it('refuses a fill by another program, and by one that it cannot read', async () => {
    const stranger = swap.market.network.newAddress();
    const by = (program: Address) => (instructions: Instruction[]) =>
      instructions.map((each) => ({
        ...each,
        accounts: each.accounts.map((meta) =>
          meta.address === RFQ_FILL_PROGRAM ? { ...meta, address: program } : meta,
        ),
      }));
    const words = /not where a fill has them/;
    expect(lastLook(await changed(by(stranger)), own, [STREAMED])).toMatch(words);
    const table = { [swap.market.network.newAddress()]: [stranger] };
    expect(lastLook(await changed(by(stranger), table), own, [STREAMED])).toMatch(words);
  });
});

const RECEIVER = createMaker('receiver').address;
const STREAMED: Streamed = { bid: BID, ask: ASK, volume: DEPTH };

const { swap } = await openOneMakerSwap();
const own = await ownAccounts(MAKER.address, SELL.inputMint, SELL.outputMint, 1_000_000_000n);

function setUp(): void {
  // Fills of this market expire by its clock.
  swap.market.network.setUnixTime(BigInt(Math.floor(now() / 1_000)));
}

async function messageOf(query: Record<string, string>): Promise<Uint8Array> {
  const { transaction } = await swap.order(query);
  return parseTransaction(Buffer.from(transaction ?? '', 'base64')).messageBytes;
}

/** The message with other instructions, whose accounts are all named in it. */
async function changed(
  change: (instructions: Instruction[]) => Instruction[],
  lookupTables: Record<Address, Address[]> | null = null,
): Promise<Uint8Array> {
  const { message } = parseTransaction(Buffer.from((await swap.order(SELL)).transaction ?? '', 'base64'));
  const { network } = swap.market;
  const loaded = loadedAddresses(message, (each) => network.account(each));
  if (loaded === null) throw new Error('a lookup table is missing');
  const instructions = listMessageInstructions(message, loaded);
  const source = { feePayer: message.staticAccounts[0] as Address, blockhash: new Uint8Array(32) };
  return compileMessage({ ...source, instructions: change([...instructions]), lookupTables });
}
