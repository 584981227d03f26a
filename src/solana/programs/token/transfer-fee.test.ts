import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { assertProperty } from '../../../testing/random.ts';
import { TestNetwork } from '../../../testing/svm/network.ts';
import { createAssociatedToken } from '../associated-token.ts';
import { deriveAssociatedTokenAddress } from '../../pda.ts';
import { TOKEN_2022_PROGRAM } from '../../program-addresses.ts';
import { U64_MAX } from '../../units.ts';
import { decodeTokenAccount, encodeTokenAccount } from './account.ts';
import { ExtensionType, findExtension } from './extensions.ts';
import { transferChecked } from './instructions.ts';
import { decodeMint, encodeMint } from './mint.ts';
import {
  computeAmountBeforeTransferFee,
  type TransferFee,
  computeTransferFee,
  getTransferFeeAt,
  encodeTransferFeeConfigExtension,
  findTransferFeeConfig,
} from './transfer-fee.ts';

describe('transfer fee', () => {
  it('decodes the configuration that it encoded in a mint', () => {
    assertProperty(
      fc.property(fee, fee, u64, (older, newer, withheldAmount) => {
        const config = {
          configAuthority: null,
          withdrawWithheldAuthority: TOKEN_2022_PROGRAM,
          withheldAmount,
          older,
          newer,
        };
        const base = { mintAuthority: null, supply: 0n, decimals: 6, freezeAuthority: null };
        const mint = decodeMint(
          encodeMint({ ...base, extensions: [encodeTransferFeeConfigExtension(config)] }),
        );
        expect(findTransferFeeConfig(mint.extensions)).toEqual(config);
        expect(findTransferFeeConfig([])).toBeNull();
        for (const epoch of [newer.epoch - 1n, newer.epoch, newer.epoch + 1n]) {
          expect(getTransferFeeAt(config, epoch)).toEqual(epoch >= newer.epoch ? newer : older);
        }
      }),
      { cases: 100, seed: 108 },
    );
  });

  it('throws LayoutInvalid for a fee above 100%', () => {
    const extension = encodeTransferFeeConfigExtension({
      configAuthority: null,
      withdrawWithheldAuthority: null,
      withheldAmount: 0n,
      older: { ...NO_FEE, basisPoints: 10_001 },
      newer: NO_FEE,
    });
    expect(() => findTransferFeeConfig([extension])).toThrow('at most 10000 basis points, got 10001');
  });

  it('computes the smallest amount to send', () => {
    assertProperty(
      fc.property(fee, u64, (each, received) => {
        const sent = computeAmountBeforeTransferFee(each, received);
        if (sent === null) return;
        const arrives = (amount: bigint) => amount - computeTransferFee(each, amount);
        expect(arrives(sent)).toBeGreaterThanOrEqual(received);
        if (each.basisPoints < 10_000 && sent > 0n) expect(arrives(sent - 1n)).toBeLessThan(received);
      }),
      { cases: 2000, seed: 109 },
    );
  });

  it('returns null when the amount does not fit in a u64', () => {
    const one: TransferFee = { epoch: 0n, maximumFee: U64_MAX, basisPoints: 1 };
    expect(computeAmountBeforeTransferFee(one, U64_MAX)).toBeNull();
    expect(computeAmountBeforeTransferFee({ ...one, maximumFee: 1n }, U64_MAX)).toBeNull();
    expect(computeAmountBeforeTransferFee({ ...one, maximumFee: 1n }, U64_MAX - 1n)).toBe(U64_MAX);
    expect(computeAmountBeforeTransferFee(NO_FEE, U64_MAX)).toBe(U64_MAX);
    expect(computeAmountBeforeTransferFee({ ...one, basisPoints: 10_000, maximumFee: 5n }, 7n)).toBe(12n);
    expect(computeAmountBeforeTransferFee({ ...one, basisPoints: 10_000, maximumFee: 5n }, 0n)).toBe(0n);
  });

  it('computes the same fee as Token-2022, to the atom', () => {
    const network = new TestNetwork();
    const tokenProgram = TOKEN_2022_PROGRAM;
    const mint = network.newAddress();
    const owner = network.payer;
    const source = deriveAssociatedTokenAddress(owner, mint, tokenProgram);
    const receiver = network.newWallet();
    const destination = deriveAssociatedTokenAddress(receiver, mint, tokenProgram);
    const writeMint = (older: TransferFee, newer: TransferFee) => {
      const config = {
        configAuthority: null,
        withdrawWithheldAuthority: null,
        withheldAmount: 0n,
        older,
        newer,
      };
      const extensions = [encodeTransferFeeConfigExtension(config)];
      const base = { mintAuthority: null, supply: U64_MAX, decimals: 3, freezeAuthority: null };
      network.setData(mint, tokenProgram, encodeMint({ ...base, extensions }));
    };
    writeMint(NO_FEE, NO_FEE);
    for (const each of [owner, receiver]) {
      const created = network.send([
        createAssociatedToken({ payer: owner, owner: each, mint, tokenProgram }),
      ]);
      expect(created.error).toBeNull();
    }
    const amounts = fc.bigInt({ min: 0n, max: U64_MAX });
    assertProperty(
      fc.property(fee, fee, fc.nat({ max: 1000 }), fc.oneof(amounts, u64), (older, newer, epoch, amount) => {
        writeMint(older, newer);
        network.setEpoch(BigInt(epoch));
        for (const [account, held] of [
          [source, amount],
          [destination, 0n],
        ] as const) {
          const data = network.account(account)?.data ?? new Uint8Array();
          const extensions = decodeTokenAccount(data).extensions.map(({ type, data }) => ({
            type,
            data: new Uint8Array(data.length),
          }));
          network.setData(
            account,
            tokenProgram,
            encodeTokenAccount({ ...decodeTokenAccount(data), amount: held, extensions }),
          );
        }
        const moved = transferChecked(tokenProgram, {
          source,
          mint,
          destination,
          authority: owner,
          amount,
          decimals: 3,
        });
        expect(network.send([moved]).error).toBeNull();
        const arrived = decodeTokenAccount(network.account(destination)?.data ?? new Uint8Array());
        const config = decodeMint(network.account(mint)?.data ?? new Uint8Array());
        const current = findTransferFeeConfig(config.extensions);
        if (current === null) throw new Error('the mint lost its fee');
        const expected = computeTransferFee(getTransferFeeAt(current, BigInt(epoch)), amount);
        const withheld = findExtension(arrived.extensions, ExtensionType.TRANSFER_FEE_AMOUNT);
        expect(arrived.amount).toBe(amount - expected);
        expect(Buffer.from(withheld ?? []).readBigUInt64LE(0)).toBe(expected);
      }),
      { cases: 300, seed: 2022, against: 'the program' },
    );
  });
});

const u64 = fc.oneof(
  fc.bigInt({ min: 0n, max: U64_MAX }),
  fc.bigInt({ min: 0n, max: 100_000n }),
  fc.bigInt({ min: U64_MAX - 100_000n, max: U64_MAX }),
);
const fee = fc.record({
  epoch: fc.bigInt({ min: 0n, max: 1000n }),
  maximumFee: u64,
  basisPoints: fc.oneof(fc.integer({ min: 0, max: 10_000 }), fc.constantFrom(0, 1, 9_999, 10_000)),
});

const NO_FEE: TransferFee = { epoch: 0n, maximumFee: 0n, basisPoints: 0 };
