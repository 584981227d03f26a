import { describe, expect, it } from 'vitest';
import { address } from '../../solana/address.ts';
import { SYSTEM_PROGRAM, TOKEN_PROGRAM } from '../../solana/program-addresses.ts';
import {
  derivePredictionOrderAta,
  JUPUSD_MINT,
} from '../../protocols/jupiter-prediction/prediction-program.ts';
import { fetchForWallet, writeTestTokenAccount } from '../../testing/protocols/accounts.ts';
import { TestView } from '../../testing/protocols/wallet-view.ts';
import type { ValuedPosition } from '../lists/prediction-lists.ts';
import type {
  OpenPredictionOrder,
  OpenPredictionPosition,
  PredictionEvent,
  PredictionMarket,
} from '../prediction.ts';
import { createPredictionPositions } from './prediction-positions.ts';

describe('createPredictionPositions', () => {
  it('shows a position with what it is worth, and what was paid for it', async () => {
    expect(await fetchElements([valued()])).toEqual([
      {
        type: 'multiple',
        label: 'Deposit',
        assets: [
          {
            type: 'generic',
            name: 'Mayor of Lindenburg: Ada Brook',
            ref: POSITION.address,
            link: 'https://jup.ag/prediction/EVENT-1',
            amount: 12.5,
            price: 0.48,
            value: 6,
            attributes: {
              prediction: {
                market: {
                  marketTitle: 'Ada Brook',
                  eventTitle: 'Mayor of Lindenburg',
                  closeTime: 1_800_100_000_000,
                },
                sideName: 'Yes',
                feesPaidValue: 0.21,
                pnlValue: 0.375,
                pnlPercent: 6.67,
                pnlAfterFeesValue: 0.165,
                pnlAfterFeesPercent: 2.93,
                createdAt: 1_799_990_000_000,
              },
            },
          },
        ],
      },
    ]);
  });

  it('shows a position that has won as its payout, which can be claimed', async () => {
    const won = { status: 'closed', result: 'no', resolvedAt: 1_800_200_000 } as const;
    const settled = { ...NOT_TRADED, isClaimable: true, claimableAt: 1_800_200_000 };
    const [element] = await fetchElements([valued(settled, won, { isYes: false })]);
    expect(element).toMatchObject({
      assets: [
        {
          price: 1,
          value: 12.5,
          attributes: {
            isClaimable: true,
            prediction: {
              sideName: 'No',
              market: { closeTime: 1_800_100_000_000, resolveAt: 1_800_200_000_000 },
            },
          },
        },
      ],
    });
    const { pnlValue, pnlPercent } = readPrediction(element) ?? {};
    expect([pnlValue, pnlPercent]).toEqual([undefined, undefined]);
  });

  it('shows a position whose market waits for its result without a value', async () => {
    const [element] = await fetchElements([valued(NOT_TRADED, { status: 'closed' })]);
    expect(element).toMatchObject({ assets: [{ value: null }] });
    expect(readPrediction(element)?.market).not.toHaveProperty('resolveAt');
  });

  it.each([
    ['has lost', valued(NOT_TRADED, { status: 'closed', result: 'no', resolvedAt: 1 }), true],
    ['was paid', valued({}, {}, { isClaimed: true }), true],
    ['holds no contracts', valued({}, {}, { contracts: 0n }), true],
    ['is closed meanwhile', valued(), false],
  ])('leaves a position out that %s', async (_, position, exists) => {
    expect(await fetchElements([position], exists)).toEqual([]);
  });

  it('shows what the accounts of orders hold, and no empty ones', async () => {
    const view = new TestView();
    const [resting, spent] = [OWNER, POSITION.address].map((address) => ({ ...ORDER, address }));
    if (resting === undefined || spent === undefined) throw new Error('no orders');
    view.set(
      derivePredictionOrderAta(resting.address),
      TOKEN_PROGRAM,
      writeTestTokenAccount(JUPUSD_MINT, 4_250_000n),
    );
    view.set(derivePredictionOrderAta(spent.address), TOKEN_PROGRAM, writeTestTokenAccount(JUPUSD_MINT, 0n));
    const fetcher = createPredictionPositions({
      accounts: { positionsOf: () => [], ordersOf: (owner) => (owner === OWNER ? [resting, spent] : []) },
      lists: { valuePosition: () => null },
    });
    const asset = { type: 'token', mint: JUPUSD_MINT, amount: 4_250_000n, ref: resting.address };
    expect((await fetchForWallet(fetcher, view, OWNER)).elements).toEqual([
      { type: 'multiple', label: 'Deposit', name: 'Orders', assets: [asset] },
    ]);
  });

  it('leaves positions out whose market is not known here, and those of others', async () => {
    expect(await fetchElements([])).toEqual([]);
    const view = new TestView();
    const fetcher = createPredictionPositions({
      accounts: { positionsOf: () => [POSITION], ordersOf: () => [] },
      lists: { valuePosition: () => null },
    });
    view.set(POSITION.address, SYSTEM_PROGRAM, new Uint8Array(1));
    expect((await fetchForWallet(fetcher, view, OWNER)).elements).toEqual([]);
  });
});

const OWNER = address('A5yMoCcVUnEjRBLFfh6WvYtaCUXY2oSdPEVsFEfyGvCL');
const POSITION: OpenPredictionPosition = {
  address: address('92Z3z17z7aeZtzRzGY39CuEczxheWk4dtaxtuP3kKHL5'),
  owner: OWNER,
  payer: OWNER,
  marketIdHash: '00112233445566778899aabbccddeeff',
  isYes: true,
  contracts: 12_500_000n,
  totalCost: 5_625_000n,
  feesPaid: 210_000n,
  realizedPnl: 0n,
  openOrders: 0,
  isClaimed: false,
  claimed: 0n,
  openedAt: 1_799_990_000n,
  updatedAt: 1_799_990_000n,
  bump: 255,
};
const ORDER: OpenPredictionOrder = {
  address: OWNER,
  owner: OWNER,
  position: POSITION.address,
  payer: OWNER,
  marketIdHash: POSITION.marketIdHash,
  externalOrderId: 'ffeeddccbbaa99887766554433221100',
  isYes: true,
  isBuy: true,
  isLimit: true,
  status: 'pending',
  contracts: 10_000_000n,
  limitPrice: 400_000n,
  filledContracts: 0n,
  createdAt: 1_799_990_000n,
  filledAt: 0n,
  averageFillPrice: 0n,
  orderId: null,
  filledCost: 0n,
  filledFees: 0n,
  integrator: null,
  integratorFeeBps: 0,
  bump: 255,
};
const MARKET: PredictionMarket = {
  marketId: 'EVENT-1-1',
  eventId: 'EVENT-1',
  marketIdHash: POSITION.marketIdHash,
  title: 'Ada Brook',
  rulesPrimary: '',
  rulesSecondary: '',
  openAt: 1_799_900_000,
  closeAt: 1_800_100_000,
  status: 'open',
  result: null,
  resolvedAt: null,
  feeBps: 700,
  house: { startCents: 46, levelContracts: 100_000_000n },
  forecast: null,
};
const EVENT: PredictionEvent = {
  eventId: 'EVENT-1',
  title: 'Mayor of Lindenburg',
  subtitle: '',
  slug: 'mayor-of-lindenburg',
  series: '',
  category: 'politics',
  subcategory: 'elections',
  tags: [],
  imageUrl: null,
  beginAt: null,
  closeAt: MARKET.closeAt,
  closeCondition: '',
  createdAt: 1_799_900_000,
  markets: [MARKET],
  score: null,
};
/** 12.5 contracts at 0.48, which were bought for 5.625 and a fee of 0.21. */
const TRADED = {
  value: 6_000_000n,
  markPrice: 480_000n,
  sellPrice: 470_000n,
  averagePrice: 450_000n,
  pnl: 375_000n,
  pnlPercent: 6.67,
  pnlAfterFees: 165_000n,
  pnlAfterFeesPercent: 2.93,
  payout: 12_500_000n,
  isClaimable: false,
  claimableAt: null,
};
const NOT_TRADED = {
  value: null,
  markPrice: null,
  sellPrice: null,
  pnl: null,
  pnlPercent: null,
  pnlAfterFees: null,
  pnlAfterFeesPercent: null,
};

function valued(
  figures: Partial<ValuedPosition> = {},
  market: Partial<PredictionMarket> = {},
  position: Partial<OpenPredictionPosition> = {},
): ValuedPosition {
  return {
    ...TRADED,
    ...figures,
    position: { ...POSITION, ...position },
    event: EVENT,
    market: { ...MARKET, ...market },
  };
}

/** @param exist - Whether the accounts are on the chain. */
async function fetchElements(all: readonly ValuedPosition[], exist = true) {
  const fetcher = createPredictionPositions({
    accounts: {
      positionsOf: (owner) => all.map(({ position }) => position).filter((each) => each.owner === owner),
      ordersOf: () => [],
    },
    lists: { valuePosition: (position) => all.find((each) => each.position === position) ?? null },
  });
  const view = new TestView();
  if (exist) for (const { position } of all) view.set(position.address, SYSTEM_PROGRAM, new Uint8Array(1));
  return (await fetchForWallet(fetcher, view, OWNER)).elements;
}

function readPrediction(element: Awaited<ReturnType<typeof fetchElements>>[number] | undefined) {
  return element?.type === 'multiple' ? element.assets[0]?.attributes?.prediction : undefined;
}
