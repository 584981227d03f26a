import fc from 'fast-check';
import { encodeStakePool, type StakePoolAccount } from '../../../src/protocols/spl-stake-pool/layout.ts';
import type { Address } from '../../../src/solana/address.ts';
import { encodePriceFeed, type PriceFeed } from '../../../src/solana/programs/price-feed/feed.ts';
import { SYSTEM_PROGRAM } from '../../../src/solana/program-addresses.ts';
import { initOracle, initOracleAdmin } from '../../../src/protocols/jupiter-lend/oracle/instructions.ts';
import type { OracleSource, SourceType } from '../../../src/protocols/jupiter-lend/oracle/layouts.ts';
import type { OracleClock } from '../../../src/protocols/jupiter-lend/oracle/rate.ts';
import { type Failure, TestNetwork } from '../../../src/testing/svm/network.ts';

/** A network with the oracle program and its admin. */
export class OracleWorld {
  readonly network = new TestNetwork(['oracle']);
  readonly admin = this.network.newWallet(10n ** 15n);
  #nonces = 0;

  constructor() {
    const { error } = this.network.send([initOracleAdmin(this.admin, this.admin)]);
    if (error !== null) throw new Error(JSON.stringify(error));
  }

  /** Creates an oracle and returns its number, or the error. */
  oracle(sources: readonly OracleSource[]): number | Failure {
    const nonce = ++this.#nonces;
    return this.network.send([initOracle(this.admin, nonce, sources)]).error ?? nonce;
  }

  /** Writes an account that a source reads. */
  write(data: Uint8Array): Address {
    const address = this.network.newAddress();
    this.network.setData(address, SYSTEM_PROGRAM, data);
    return address;
  }

  data(address: Address): Uint8Array | null {
    return this.network.account(address)?.data ?? null;
  }

  setClock({ unixTimestamp, epoch, epochStartTimestamp }: OracleClock): void {
    const clock = this.network.svm.getClock();
    clock.unixTimestamp = unixTimestamp;
    clock.epoch = epoch;
    clock.epochStartTimestamp = epochStartTimestamp;
    this.network.svm.setClock(clock);
  }
}

export const NOW = 1_800_000_000n;

export function feed(changes: Partial<PriceFeed> = {}): Uint8Array {
  return encodePriceFeed({
    writeAuthority: SYSTEM_PROGRAM,
    feedId: new Uint8Array(32),
    price: 20_000_000_000n,
    confidence: 10_000_000n,
    exponent: -8,
    publishTime: NOW,
    previousPublishTime: NOW,
    averagePrice: 0n,
    averageConfidence: 0n,
    postedSlot: 0n,
    ...changes,
  });
}

const NO_FEE = { denominator: 0n, numerator: 0n };
const POOL: StakePoolAccount = {
  manager: SYSTEM_PROGRAM,
  staker: SYSTEM_PROGRAM,
  stakeDepositAuthority: SYSTEM_PROGRAM,
  withdrawAuthorityBump: 255,
  validatorList: SYSTEM_PROGRAM,
  reserve: SYSTEM_PROGRAM,
  mint: SYSTEM_PROGRAM,
  managerFeeAccount: SYSTEM_PROGRAM,
  tokenProgram: SYSTEM_PROGRAM,
  totalLamports: 1_228_000_000n,
  tokenSupply: 1_000_000_000n,
  lastUpdateEpoch: 10n,
  lockup: { unixTimestamp: 0n, epoch: 0n, custodian: SYSTEM_PROGRAM },
  epochFee: NO_FEE,
  nextEpochFee: null,
  preferredDepositValidator: null,
  preferredWithdrawValidator: null,
  stakeDepositFee: NO_FEE,
  stakeWithdrawalFee: NO_FEE,
  nextStakeWithdrawalFee: null,
  stakeReferralFee: 0,
  solDepositAuthority: null,
  solDepositFee: NO_FEE,
  solReferralFee: 0,
  solWithdrawAuthority: null,
  solWithdrawalFee: { denominator: 1000n, numerator: 1n },
  nextSolWithdrawalFee: null,
  lastEpochTokenSupply: 0n,
  lastEpochTotalLamports: 0n,
};

export function stakePool(changes: Partial<StakePoolAccount> = {}): Uint8Array {
  return encodeStakePool({ ...POOL, ...changes });
}

/** Returns Marinade's state with these numbers. All fields have fixed offsets. */
export function msolPool(fields: Readonly<Record<keyof typeof MSOL, bigint>>): Uint8Array {
  const data = Buffer.alloc(576);
  for (const name of MSOL_FIELDS) data.writeBigUInt64LE(fields[name], MSOL[name]);
  return new Uint8Array(data);
}

const MSOL = { coolingDown: 226, active: 376, reserve: 496, supply: 504, tickets: 528, emergency: 568 };
const MSOL_FIELDS = Object.keys(MSOL) as (keyof typeof MSOL)[];

export function source(address: Address, sourceType: SourceType, invert = false): OracleSource {
  return { source: address, invert, multiplier: 1n, divisor: 1n, sourceType };
}

/** A hop's account with its kind. */
export interface Hop {
  readonly kind: 'pyth' | 'stakePool' | 'msolPool';
  readonly invert: boolean;
  readonly data: Uint8Array;
}

const u64 = fc.bigInt(0n, (1n << 62n) - 1n);
const size = fc.integer({ min: 0, max: 18 }).chain((zeros) => fc.bigInt(0n, 10n ** BigInt(zeros)));
const pyth = fc
  .record({
    price: fc.oneof({ weight: 9, arbitrary: size }, { weight: 1, arbitrary: fc.constant(-5n) }),
    share: fc.constantFrom(0n, 1n, 2n, 3n, 5n),
    exponent: fc.oneof(
      { weight: 9, arbitrary: fc.integer({ min: -18, max: 0 }) },
      { weight: 1, arbitrary: fc.integer({ min: -53, max: 2 }) },
    ),
    age: fc.constantFrom(0n, 0n, 0n, 1n, 600n, 601n, 7_200n, 7_201n, -5n),
  })
  .map(({ price, share, exponent, age }) => {
    const confidence = price > 0n ? (price * share) / 100n : 0n;
    return feed({ price, confidence, exponent, publishTime: NOW - age });
  });
const fee = fc.record({
  denominator: fc.constantFrom(0n, 1000n, 7n),
  numerator: fc.constantFrom(0n, 0n, 5n, 6n),
});
const futureFee = fc.option(fc.record({ epochs: fc.constantFrom(1 as const, 2 as const), fee }), { freq: 2 });
const address = fc.option(fc.constant(SYSTEM_PROGRAM));
const pool = fc
  .record({
    totalLamports: u64,
    tokenSupply: fc.oneof({ weight: 9, arbitrary: u64 }, { weight: 1, arbitrary: fc.constant(0n) }),
    lastUpdateEpoch: fc.constantFrom(10n, 10n, 9n, 8n),
    nextEpochFee: futureFee,
    preferredDepositValidator: address,
    solDepositAuthority: address,
    solWithdrawAuthority: address,
    nextStakeWithdrawalFee: futureFee,
    nextSolWithdrawalFee: futureFee,
    stakeWithdrawalFee: fee,
    solWithdrawalFee: fc.constantFrom(NO_FEE, { denominator: 1000n, numerator: 1n }),
  })
  .map((changes) => stakePool(changes as Partial<StakePoolAccount>));
const msol = fc
  .record({ coolingDown: size, active: size, reserve: size, supply: size, tickets: size, emergency: size })
  .map(msolPool);

export const hop: fc.Arbitrary<Hop> = fc
  .oneof(
    { weight: 4, arbitrary: pyth.map((data) => ({ kind: 'pyth' as const, data })) },
    { weight: 1, arbitrary: pool.map((data) => ({ kind: 'stakePool' as const, data })) },
    { weight: 1, arbitrary: msol.map((data) => ({ kind: 'msolPool' as const, data })) },
  )
  .chain((each) => fc.boolean().map((invert) => ({ ...each, invert })));
