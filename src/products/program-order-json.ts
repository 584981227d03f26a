import { type Static, type TSchema, Type } from 'typebox';
import type { Chain } from '../chain/chain.ts';
import { decodeMintFacts } from '../market/mint-facts.ts';
import type { ProgramOrderTrade, ShownProgramOrder } from '../program-orders/program-order.ts';
import type { Address } from '../solana/address.ts';
import { formatDecimalAmount } from '../solana/codec/decimal-amount.ts';
import { maximum, minimum } from '../solana/units.ts';
import type { LazyList } from './json-in-turns.ts';
import { named } from './named-schema.ts';

/** How many orders a page of a list has. */
export const ORDERS_PER_PAGE = 10;
/** Nobody has so many orders, and a page number beyond that is a mistake. */
export const MAX_ORDER_PAGE = 1_000_000;

/** Computes how many pages a list has, which is one even if it is empty. */
export function countOrderPages(orders: number): number {
  return Math.max(1, Math.ceil(orders / ORDERS_PER_PAGE));
}

/** A fill, as it is shown with orders of every program. */
export const ProgramOrderTradeJson = named(
  'ProgramOrderTrade',
  Type.Object({
    orderKey: Type.String(),
    keeper: Type.String({ description: 'Who filled it.' }),
    inputMint: Type.String(),
    outputMint: Type.String(),
    inputAmount: Type.String({ description: 'In whole tokens.' }),
    outputAmount: Type.String({ description: 'In whole tokens, without the fee.' }),
    rawInputAmount: Type.String({ description: 'In base units.' }),
    rawOutputAmount: Type.String({ description: 'In base units.' }),
    feeMint: Type.String({ description: 'The output.' }),
    feeAmount: Type.String({ description: 'In whole tokens.' }),
    rawFeeAmount: Type.String({ description: 'In base units.' }),
    txId: Type.String({ description: 'The signature.' }),
    confirmedAt: Type.String({ description: 'When it was filled. ISO 8601.' }),
    action: Type.Literal('Fill'),
    productMeta: Type.Null(),
  }),
);

/** An order whose trades are made when they are written. */
export type LazyTrades<Order extends TSchema> = Omit<Static<Order>, 'trades'> & {
  readonly trades: LazyList<ProgramOrderTrade>;
};

/** Returns the decimals of a mint. */
export type DecimalsOf = (mint: Address) => number;

export function toProgramTradeJson(
  { address, inputMint, outputMint }: ShownProgramOrder,
  { keeper, inputAmount, outputAmount, feeAmount, signature, at }: ProgramOrderTrade,
  decimalsOf: DecimalsOf,
): Static<typeof ProgramOrderTradeJson> {
  const outputDecimals = decimalsOf(outputMint);
  return {
    orderKey: address,
    keeper,
    inputMint,
    outputMint,
    inputAmount: formatDecimalAmount(inputAmount, decimalsOf(inputMint)),
    outputAmount: formatDecimalAmount(outputAmount, outputDecimals),
    rawInputAmount: String(inputAmount),
    rawOutputAmount: String(outputAmount),
    feeMint: outputMint,
    feeAmount: formatDecimalAmount(feeAmount, outputDecimals),
    rawFeeAmount: String(feeAmount),
    txId: signature,
    confirmedAt: formatSeconds(at),
    action: 'Fill',
    productMeta: null,
  };
}

/** The last second of the year 9999. */
const LAST_SECOND = 253_402_300_799n;

/**
 * Writes a time in ISO 8601 without fractions of a second, as the public service does. Orders can be placed with any i64 as
 * their expiry, so a time before 1970 or after 9999 is shown as the first or last second of these years.
 */
export function formatSeconds(seconds: bigint): string {
  const shown = maximum(0n, minimum(seconds, LAST_SECOND));
  return new Date(Number(shown) * 1_000).toISOString().replace('.000Z', 'Z');
}

/**
 * Reads the decimals of the mints of orders.
 *
 * @throws ChainUnavailable when the network does not answer
 */
export async function readOrderDecimals(
  chain: Pick<Chain, 'getAccounts'>,
  orders: readonly Pick<ShownProgramOrder, 'inputMint' | 'outputMint'>[],
): Promise<DecimalsOf> {
  const mints = [...new Set(orders.flatMap(({ inputMint, outputMint }) => [inputMint, outputMint]))];
  const found = mints.length === 0 ? [] : await chain.getAccounts(mints);
  const decimals = new Map<Address, number>();
  for (const { address, account } of found) {
    const facts = account === null ? null : decodeMintFacts(account);
    if (facts !== null) decimals.set(address, facts.decimals);
  }
  // A mint of Token-2022 can be closed once nothing of it exists any more. Its amounts are shown in base units then.
  return (mint) => decimals.get(mint) ?? 0;
}
