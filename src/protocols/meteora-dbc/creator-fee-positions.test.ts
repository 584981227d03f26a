import { beforeEach, describe, expect, it } from 'vitest';
import { CREATOR, launch, PARTNER, prepare, QUOTE } from '../../../programs/meteora-dbc/tests/fixture.ts';
import { baseOf, buy, fundUser, readPool, USER } from '../../../programs/meteora-dbc/tests/swap-fixture.ts';
import { namedAddress, writeTokenAccount } from '../../../programs/raydium-cpmm/tests/fixture.ts';
import type { Address } from '../../solana/address.ts';
import { U64_MAX } from '../../solana/units.ts';
import { openForEach } from '../../testing/opened.ts';
import { fetchForWallet } from '../../testing/protocols/accounts.ts';
import { TestView } from '../../testing/protocols/wallet-view.ts';
import { SvmChain } from '../../testing/svm/chain.ts';
import { TestNetwork } from '../../testing/svm/network.ts';
import { meteoraDbcCreatorFees } from './creator-fee-positions.ts';
import { claimDbcCreatorTradingFee } from './program/instructions-claim.ts';
import { transferDbcPoolCreator } from './program/instructions-launch.ts';
import { DbcCollectFeeMode, METEORA_DBC_PROGRAM } from './program/program.ts';

const network = openForEach(() => new TestNetwork(['meteora-dbc', 'token-metadata']));
beforeEach(() => prepare(network));

describe('meteoraDbcCreatorFees', () => {
  it('shows what the creator of a launch has earned and not claimed', async () => {
    const { keys } = launched();
    expect(await shown(CREATOR)).toEqual([]);
    buyFor(keys, 100_000_000n);
    expect(await fees(CREATOR)).toEqual([
      {
        type: 'multiple',
        label: 'Rewards',
        name: 'Studio',
        assets: [{ type: 'token', mint: QUOTE.mint, amount: 240_000n, attributes: { isClaimable: true } }],
        sourceRefs: [{ name: 'Pool', address: keys.pool }],
      },
    ]);
    claim(keys, 100_000n);
    expect(await shown(CREATOR)).toEqual([[QUOTE.mint, 140_000n]]);
    claim(keys, U64_MAX);
    expect(await shown(CREATOR)).toEqual([]);
  });

  it('shows fees in the launched token beside those in the quote token', async () => {
    const { keys } = launched({ collectFeeMode: DbcCollectFeeMode.OUTPUT_TOKEN });
    buyFor(keys, 100_000_000n);
    const { creatorBaseFee } = readPool(network, keys.pool);
    expect(creatorBaseFee).toBeGreaterThan(0n);
    expect(await shown(CREATOR)).toEqual([[keys.baseMint, creatorBaseFee]]);
  });

  it('shows them to whom the rights of the creator were given, and to nobody else', async () => {
    const { keys } = launched();
    buyFor(keys, 100_000_000n);
    for (const other of [PARTNER, USER, keys.pool]) expect(await shown(other)).toEqual([]);
    const newCreator = network.newWallet();
    must([transferDbcPoolCreator(keys, { creator: CREATOR, newCreator })]);
    expect(await shown(CREATOR)).toEqual([]);
    expect(await shown(newCreator)).toEqual([[QUOTE.mint, 240_000n]]);
  });

  it('shows several launches beside one whose configuration cannot be read', async () => {
    const launches = ['one', 'two', 'three'].map((name) => launched({}, name).keys);
    for (const keys of launches) buyFor(keys, 100_000_000n);
    const view = await viewNow();
    const [first] = launches;
    view.set(first?.config as Address, METEORA_DBC_PROGRAM, new Uint8Array(8));
    const fetched = await fetchForWallet(meteoraDbcCreatorFees, view, CREATOR);
    expect(fetched.elements).toHaveLength(2);
    expect(fetched.unreadable?.map(({ address }) => address)).toEqual([first?.pool]);
  });
});

type Launched = ReturnType<typeof launch>;

/** Launches a token whose creator has 30 percent of the fees. */
function launched(
  changes: NonNullable<Parameters<typeof launch>[1]>['changes'] = {},
  name = 'plain',
): Launched {
  return launch(network, { name, changes: { creatorTradingFeePercentage: 30, ...changes } });
}

function buyFor(keys: Launched['keys'], amount: bigint): void {
  fundUser(network, keys, QUOTE, amount);
  must([buy(keys, amount)]);
}

function claim(keys: Launched['keys'], maxQuoteAmount: bigint): void {
  const [tokenBaseAccount, tokenQuoteAccount] = [namedAddress('fees base'), namedAddress('fees quote')];
  writeTokenAccount(network, tokenBaseAccount, CREATOR, baseOf(keys), 0n);
  writeTokenAccount(network, tokenQuoteAccount, CREATOR, QUOTE, 0n);
  const parties = { claimer: CREATOR, tokenBaseAccount, tokenQuoteAccount };
  must([claimDbcCreatorTradingFee(keys, parties, { maxBaseAmount: U64_MAX, maxQuoteAmount })]);
}

function must(instructions: Parameters<TestNetwork['send']>[0]): void {
  const { error, logs } = network.send(instructions);
  expect(error, logs.join('\n')).toBeNull();
}

/** The accounts of the program as they are now. */
async function viewNow(): Promise<TestView> {
  const view = new TestView();
  for (const { address, account } of await new SvmChain(network).getProgramAccounts(METEORA_DBC_PROGRAM)) {
    if (account !== null) view.set(address, account.owner, account.data);
  }
  return view;
}

async function fees(owner: Address) {
  const { elements, unreadable } = await fetchForWallet(meteoraDbcCreatorFees, await viewNow(), owner);
  expect(unreadable).toEqual([]);
  return elements;
}

/** The mints and the amounts of a wallet's fees. */
async function shown(owner: Address) {
  return (await fees(owner)).flatMap((element) =>
    element.type === 'multiple'
      ? element.assets.map((asset) => (asset.type === 'token' ? [asset.mint, asset.amount] : []))
      : [],
  );
}
