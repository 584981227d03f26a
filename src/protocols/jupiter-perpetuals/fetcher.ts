import { type Address, toAddressBytes } from '../../solana/address.ts';
import { LayoutInvalid } from '../../solana/codec/byte-reader.ts';
import type { IsolatedPosition } from '../../protocol/positions/element.ts';
import {
  type PositionFetcher,
  readEach,
  type Unreadable,
  type WalletReader,
} from '../../protocol/positions/fetcher.ts';
import {
  CUSTODIES,
  type Custody,
  decodeCustody,
  decodePerpetualPosition,
  decodePositionRequest,
  isPositionRequest,
  OWNER_AT,
  PERPETUALS_PROGRAM,
  type PerpetualPosition,
  type PositionRequest,
  derivePerpetualPositionAddress,
} from './layout.ts';
import { computeClosingFees, computeLiquidationPrice } from './liquidation.ts';
import { JUPITER_EXCHANGE_PLATFORM } from '../jupiter-exchange/platform.ts';

const PLATFORM = JUPITER_EXCHANGE_PLATFORM.id;
const DOLLAR = 1_000_000;

/** The kinds of positions. Long positions have their own token as collateral, and short ones have a stablecoin. */
const KINDS = (['SOL', 'ETH', 'BTC'] as const).flatMap((token) => [
  { custody: CUSTODIES[token], collateral: CUSTODIES[token], side: 'long' as const },
  { custody: CUSTODIES[token], collateral: CUSTODIES.USDC, side: 'short' as const },
  { custody: CUSTODIES[token], collateral: CUSTODIES.USDT, side: 'short' as const },
]);

/** Finds the wallet's perpetual positions, each with its own collateral. A wallet has at most one of each kind. */
export const jupiterPerpetuals: PositionFetcher = {
  id: `${PLATFORM}-perpetual`,
  platformId: PLATFORM,
  fetch: async (wallet) => {
    const addresses = KINDS.map(({ custody, collateral, side }) =>
      derivePerpetualPositionAddress(wallet.owner, custody, collateral, side),
    );
    const accounts = await wallet.accounts(addresses);
    const found = addresses.flatMap((address, index) => {
      const account = accounts[index] ?? null;
      return account?.owner === PERPETUALS_PROGRAM ? [{ address, account }] : [];
    });
    const read = readEach(found, ({ address, account }) => {
      const position = decodePerpetualPosition(account.data);
      return position.sizeUsd === 0n || position.side === 'none' ? null : { address, ...position };
    });
    if (read.positions.length === 0) return { elements: [], unreadable: read.unreadable };
    const [custodies, requests, { unixTimestamp }] = await Promise.all([
      readCustodies(wallet, read.positions),
      readRequests(wallet),
      wallet.clock(),
    ]);
    const { positions, unreadable } = readEach(read.positions, (position) =>
      isolated(position, custodies, requests.byPosition.get(position.address) ?? [], unixTimestamp),
    );
    return {
      elements:
        positions.length === 0
          ? []
          : [{ type: 'leverage', label: 'Leverage', isolated: positions, contract: PERPETUALS_PROGRAM }],
      unreadable: [...read.unreadable, ...requests.unreadable, ...unreadable],
    };
  },
};

async function readCustodies(
  wallet: WalletReader,
  positions: readonly PerpetualPosition[],
): Promise<ReadonlyMap<Address, Custody>> {
  const addresses = [
    ...new Set(positions.flatMap((position) => [position.custody, position.collateralCustody])),
  ];
  const accounts = await wallet.accounts(addresses);
  const found = addresses.flatMap((address, index) => {
    const account = accounts[index] ?? null;
    return account?.owner === PERPETUALS_PROGRAM ? [{ address, account }] : [];
  });
  const { positions: custodies } = readEach(found, ({ address, account }) => ({
    address,
    custody: decodeCustody(account.data),
  }));
  return new Map(custodies.map(({ address, custody }) => [address, custody]));
}

/** The orders of a wallet that wait for a price, by their position. */
interface WaitingRequests {
  readonly byPosition: ReadonlyMap<Address, readonly PositionRequest[]>;
  readonly unreadable: readonly Unreadable[];
}

async function readRequests(wallet: WalletReader): Promise<WaitingRequests> {
  const memcmp = { offset: OWNER_AT, bytes: toAddressBytes(wallet.owner) };
  // Requests are longer than their fields, by room that the program may use, so the search is not by their size.
  const found = (await wallet.programAccounts(PERPETUALS_PROGRAM, { memcmp })).filter(({ account }) =>
    isPositionRequest(account.data),
  );
  const { positions: requests, unreadable } = readEach(found, ({ account }) =>
    decodePositionRequest(account.data),
  );
  const byPosition = new Map<Address, PositionRequest[]>();
  for (const request of requests) {
    if (request.executed || request.triggerPrice === null) continue;
    byPosition.set(request.position, [...(byPosition.get(request.position) ?? []), request]);
  }
  return { byPosition, unreadable };
}

/**
 * Returns a position with its orders. A trigger price above the entry is a take-profit for a long position, and a
 * stop-loss for a short one.
 */
function isolated(
  position: PerpetualPosition & { readonly address: Address },
  custodies: ReadonlyMap<Address, Custody>,
  requests: readonly PositionRequest[],
  now: bigint,
): IsolatedPosition {
  const custody = custodies.get(position.custody);
  const collateral = custodies.get(position.collateralCustody);
  if (custody === undefined || collateral === undefined) {
    throw new LayoutInvalid(
      `its custody ${position.custody} or ${position.collateralCustody} cannot be read`,
    );
  }
  const side = position.side === 'long' ? 'long' : 'short';
  const fees = computeClosingFees(position, custody, collateral, now);
  const trigger = (above: boolean) =>
    requests.find(({ triggersAbove }) => triggersAbove === above)?.triggerPrice;
  const [tp, sl] = [trigger(side === 'long'), trigger(side !== 'long')];
  return {
    mint: custody.mint,
    side,
    entryPrice: dollars(position.price),
    entryValue: dollars(position.sizeUsd),
    collateralValue: dollars(position.collateralUsd),
    feesValue: dollars(fees),
    liquidationPrice: dollars(computeLiquidationPrice(position, custody, fees)),
    ...(tp == null ? {} : { tp: dollars(tp) }),
    ...(sl == null ? {} : { sl: dollars(sl) }),
    ref: position.address,
    sourceRefs: [{ address: position.custody, name: 'Custody' }],
  };
}

function dollars(amount: bigint): number {
  return Number(amount) / DOLLAR;
}
