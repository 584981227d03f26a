import { describe, expect, it } from 'vitest';
import { AggregatorSide } from '../../../src/protocol/venue/aggregator-step.ts';
import {
  type AccountMeta,
  type Instruction,
  readonly,
  writable,
} from '../../../src/solana/messages/instruction.ts';
import { MEMO_PROGRAM_V1 } from '../../../src/solana/program-addresses.ts';
import { transferLamports } from '../../../src/solana/programs/system.ts';
import { transfer } from '../../../src/solana/programs/token/instructions.ts';
import { FillMarket, levels, order } from './fill-market.ts';

describe('fill_exact_in refuses a maker that another instruction names', () => {
  describe.each(['maker', 'makerBase', 'makerQuote'] as const)('%s', (name) => {
    it.each([
      ['first of its accounts', (account: AccountMeta) => [account]],
      [
        'last of many',
        (account: AccountMeta, market: FillMarket) => [
          ...Array.from({ length: 12 }, () => readonly(market.network.newAddress())),
          account,
        ],
      ],
    ])('before and after the route, %s', (_, accounts) => {
      const market = new FillMarket();
      for (const account of [readonly(market.parties[name]), writable(market.parties[name])]) {
        const other = naming(...accounts(account, market));
        const before = market.send(other, market.route(good));
        expect(before.error).toMatchObject({ instruction: 1, custom: MAKER_APPEARS_IN_OTHER_INSTRUCTION });
        const after = market.send(market.route(good), other);
        expect(after.error).toMatchObject({ instruction: 0, custom: MAKER_APPEARS_IN_OTHER_INSTRUCTION });
      }
    });
  });

  it('when lamports or tokens are sent to it', () => {
    const market = new FillMarket();
    const { taker, maker, takerBase, makerBase } = market.parties;
    const gifts = [
      transferLamports(taker, maker, 1n),
      transfer(market.pair.baseTokenProgram, {
        source: takerBase,
        destination: makerBase,
        authority: taker,
        amount: 1n,
      }),
    ];
    for (const gift of gifts) {
      const { error } = market.send(market.route(good), gift);
      expect(error?.custom).toBe(MAKER_APPEARS_IN_OTHER_INSTRUCTION);
    }
  });

  it('in a second route with a fill of its own', () => {
    const market = new FillMarket();
    const { error } = market.send(market.route(good), market.route(good));
    expect(error).toMatchObject({ instruction: 0, custom: MAKER_APPEARS_IN_OTHER_INSTRUCTION });
    expect(market.gains()).toMatchObject({ takerBase: 0n, makerBase: 0n });
  });
});

describe('fill_exact_in lets pass', () => {
  it('other instructions about the taker and strangers, wherever the route stands among them', () => {
    const others = (market: FillMarket): Instruction[] => [
      naming(readonly(market.parties.taker), writable(market.parties.takerBase)),
      naming(),
      transferLamports(market.parties.taker, market.network.newWallet(), 1_000n),
      naming(readonly(market.pair.baseMint), readonly(market.pair.quoteMint)),
    ];
    for (let place = 0; place <= 4; place++) {
      const market = new FillMarket();
      const instructions = others(market);
      instructions.splice(place, 0, market.route(good));
      expect(market.send(...instructions).error, `route at ${place}`).toBeNull();
      expect(market.gains()).toMatchObject({ takerBase: -5_000n });
    }
  });

  it('fills of two makers in two routes', () => {
    const market = new FillMarket();
    const other = market.withAnotherMaker();
    expect(market.send(market.route(good), market.route(good, other)).error).toBeNull();
    expect(market.gains()).toMatchObject({ takerBase: -10_000n, makerBase: 5_000n });
  });

  it('fills of two makers, and of one maker twice, within one route', () => {
    const two = new FillMarket();
    const { error, logs } = two.send(two.route(good, two.parties, two.withAnotherMaker()));
    expect(error).toBeNull();
    expect(two.gains()).toMatchObject({ takerBase: -4_000n, makerBase: 2_000n });
    expect(logs.filter((line) => line.includes('Fill executed: side=Ask, amount_in=2000,'))).toHaveLength(2);

    const one = new FillMarket();
    expect(one.send(one.route(good, one.parties, one.parties)).error).toBeNull();
    expect(one.gains()).toMatchObject({ takerBase: -4_000n, makerBase: 4_000n });
  });
});

const good = order(AggregatorSide.ASK, 5_000n, { levels: levels([3n, 10n]) });
const MAKER_APPEARS_IN_OTHER_INSTRUCTION = 6005;

/** Returns an instruction that does nothing and lists these accounts. */
function naming(...accounts: readonly AccountMeta[]): Instruction {
  return { programAddress: MEMO_PROGRAM_V1, accounts, data: new TextEncoder().encode('seen') };
}
