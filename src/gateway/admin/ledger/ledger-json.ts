import type { Static } from 'typebox';
import {
  computeLastLookMs,
  type LedgerBid,
  type LedgerFill,
  type LedgerOrder,
} from '../../../swaps/ledger/ledger-records.ts';
import type { OwnerNames } from '../../../platform/traffic/names.ts';
import type { BidLine, FillLine, OrderLine } from './ledger-schema.ts';

/** Returns an order as the admin interface shows it. */
export function toOrderLine(order: LedgerOrder, names: OwnerNames): Static<typeof OrderLine> {
  const { organisationId, inAmount, outAmount, feeAmount, makerId, execution, ...rest } = order;
  return {
    ...rest,
    organisation: nameOwner(organisationId, names),
    inAmount: toText(inAmount),
    outAmount: toText(outAmount),
    feeAmount: toText(feeAmount),
    maker: makerId,
    execution:
      execution === null
        ? null
        : {
            begunAt: execution.begunAt,
            endedAt: execution.result?.endedAt ?? null,
            code: execution.result?.code ?? null,
            reason: execution.result?.reason ?? null,
            signature: execution.result?.signature ?? null,
            slot: toText(execution.result?.slot ?? null),
            totalInput: toText(execution.result?.totalInput ?? null),
            totalOutput: toText(execution.result?.totalOutput ?? null),
          },
  };
}

/** Returns a maker's part in an order as the admin interface shows it. */
export function toBidLine(bid: LedgerBid): Static<typeof BidLine> {
  const { requestId, at, makerId, channel, inputMint, outputMint, lost, detail, fill } = bid;
  return {
    requestId,
    at,
    maker: makerId,
    channel,
    inputMint,
    outputMint,
    inAmount: toText(bid.inAmount),
    outAmount: toText(bid.outAmount),
    lost,
    detail,
    fill: fill === null ? null : toFillJson(fill),
  };
}

/** Returns a fill as the admin interface lists it. */
export function toFillLine(bid: LedgerBid, names: OwnerNames): Static<typeof FillLine> {
  return { ...toBidLine(bid), organisation: nameOwner(bid.organisationId, names), taker: bid.taker };
}

function toFillJson({ paid, received, microDollars, ...fill }: LedgerFill) {
  return {
    ...fill,
    lastLookMs: computeLastLookMs(fill),
    paid: paid === null ? null : { mint: paid.mint, atoms: paid.atoms.toString() },
    received: received === null ? null : { mint: received.mint, atoms: received.atoms.toString() },
    microDollars: toText(microDollars),
  };
}

function nameOwner(organisationId: string | null, names: OwnerNames): string | null {
  return organisationId === null || organisationId === '' ? null : names.organisation(organisationId);
}

function toText(value: bigint | null): string | null {
  return value === null ? null : value.toString();
}
