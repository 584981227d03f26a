import { describe, expect, it } from 'vitest';
import { type Address, toAddress } from '../../../solana/address.ts';
import { ByteWriter } from '../../../solana/codec/byte-writer.ts';
import { sha256 } from '../../../solana/encoding/sha256.ts';
import { decodeDbcEvent } from './events.ts';

describe('decodeDbcEvent', () => {
  it('reads a launch', () => {
    const fields = new ByteWriter()
      .address(POOL)
      .address(CONFIG)
      .address(CREATOR)
      .address(MINT)
      .u8(1)
      .u64(9n);
    expect(decodeDbcEvent(emit('EvtInitializePool', fields))).toEqual({
      kind: 'poolInitialized',
      pool: POOL,
      config: CONFIG,
      creator: CREATOR,
      baseMint: MINT,
      poolType: 1,
      activationPoint: 9n,
    });
  });

  it('reads what a swap has paid and taken', () => {
    const fields = new ByteWriter(179)
      .address(POOL)
      .address(CONFIG)
      .u8(1)
      .bool(true)
      .u64(1_000n)
      .u64(0n)
      .u8(1);
    fields
      .u64(900n)
      .u64(890n)
      .u64(100n)
      .u64(77n)
      .u128(1n << 70n)
      .u64(8n)
      .u64(1n)
      .u64(1n);
    expect(decodeDbcEvent(emit('EvtSwap2', fields.u64(5_000n).u64(6_000n).u64(1_700_000_000n)))).toEqual({
      kind: 'swapped',
      pool: POOL,
      config: CONFIG,
      tradeDirection: 1,
      hasReferral: true,
      swapMode: 1,
      includedFeeInputAmount: 900n,
      excludedFeeInputAmount: 890n,
      amountLeft: 100n,
      outputAmount: 77n,
      nextSqrtPrice: 1n << 70n,
      tradingFee: 8n,
      protocolFee: 1n,
      referralFee: 1n,
      quoteReserveAmount: 5_000n,
      migrationThreshold: 6_000n,
      currentTimestamp: 1_700_000_000n,
    });
  });

  it('reads the end of a curve, and who withdraws from it', () => {
    const events = [
      emit('EvtCurveComplete', new ByteWriter().address(POOL).address(CONFIG).u64(3n).u64(4n)),
      emit('EvtUpdatePoolCreator', new ByteWriter().address(POOL).address(CREATOR).address(MINT)),
      emit('EvtClaimTradingFee', new ByteWriter().address(POOL).u64(3n).u64(4n)),
      emit('EvtClaimCreatorTradingFee', new ByteWriter().address(POOL).u64(5n).u64(6n)),
      emit('EvtPartnerWithdrawSurplus', new ByteWriter().address(POOL).u64(7n)),
      emit('EvtCreatorWithdrawSurplus', new ByteWriter().address(POOL).u64(8n)),
      emit('EvtWithdrawLeftover', new ByteWriter().address(POOL).address(CREATOR).u64(9n)),
      emit('EvtWithdrawMigrationFee', new ByteWriter().address(POOL).u64(10n).u8(1)),
    ];
    expect(events.map(decodeDbcEvent)).toEqual([
      { kind: 'curveCompleted', pool: POOL, config: CONFIG, baseReserve: 3n, quoteReserve: 4n },
      { kind: 'creatorChanged', pool: POOL, creator: CREATOR, newCreator: MINT },
      { kind: 'partnerFeeClaimed', pool: POOL, tokenBaseAmount: 3n, tokenQuoteAmount: 4n },
      { kind: 'creatorFeeClaimed', pool: POOL, tokenBaseAmount: 5n, tokenQuoteAmount: 6n },
      { kind: 'partnerSurplusWithdrawn', pool: POOL, surplusAmount: 7n },
      { kind: 'creatorSurplusWithdrawn', pool: POOL, surplusAmount: 8n },
      { kind: 'leftoverWithdrawn', pool: POOL, leftoverReceiver: CREATOR, leftoverAmount: 9n },
      { kind: 'migrationFeeWithdrawn', pool: POOL, fee: 10n, flag: 1 },
    ]);
  });

  it('returns null for other events and for data that is cut short', () => {
    const fields = new ByteWriter().address(POOL).address(CONFIG).u64(3n).u64(4n);
    const data = emit('EvtCurveComplete', fields);
    expect(decodeDbcEvent(data.subarray(0, data.length - 1))).toBeNull();
    expect(decodeDbcEvent(emit('EvtSwap', fields))).toBeNull();
    expect(decodeDbcEvent(data.subarray(8))).toBeNull();
    expect(decodeDbcEvent(new Uint8Array(0))).toBeNull();
  });
});

const named = (byte: number): Address => toAddress(new Uint8Array(32).fill(byte));
const [POOL, CONFIG, CREATOR, MINT] = [named(1), named(2), named(3), named(4)];

/** The data of the call in which the program emits an event. */
function emit(name: string, fields: ByteWriter): Uint8Array {
  const tag = sha256(Buffer.from(`event:${name}`)).subarray(0, 8);
  return Buffer.concat([Buffer.from('e445a52e51cb9a1d', 'hex'), tag, fields.finish()]);
}
