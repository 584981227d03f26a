import type { Pools } from '../../market/pools/pools.ts';
import type { Address } from '../../solana/address.ts';
import { TOKEN_PROGRAM } from '../../solana/program-addresses.ts';
import { type Bps, bps } from '../../solana/units.ts';
import type { TokenAccountMints } from '../../transactions/token-account-mints.ts';
import { SwapRefused } from '../refusals.ts';
import { chooseFeeMint } from './mint-classes.ts';
import type { InstructionVersion } from '../../market/aggregator/route-plan.ts';

/**
 * The fee of an integrator, a referrer or the house. The mint of the collecting account decides whether it is taken
 * from input or output.
 */
export interface PlatformFee {
  readonly bps: Bps;
  readonly account: Address;
  readonly mint: Address;
  readonly side: 'input' | 'output';
  /** Rounded down, as the aggregator does. */
  readonly amountOf: (amount: bigint) => bigint;
}

/** The input and output mints of a swap. */
export interface SwapPair {
  readonly inputMint: Address;
  readonly outputMint: Address;
}

/**
 * Returns null when no fee is requested.
 * @throws SwapRefused when the account cannot collect the fee
 */
export async function findPlatformFee(
  mints: TokenAccountMints,
  request: SwapPair & { readonly platformFee: { readonly bps: Bps; readonly account: Address } | undefined },
): Promise<PlatformFee | null> {
  if (request.platformFee === undefined) return null;
  const { bps, account } = request.platformFee;
  const mint = await mints.of(account);
  if (mint !== request.inputMint && mint !== request.outputMint) {
    const found = mint === null ? 'is not a token account' : `is a token account of ${mint}`;
    throw new SwapRefused(
      `feeAccount must be a token account of inputMint or outputMint, but ${account} ${found}`,
    );
  }
  return createPlatformFee(account, mint, bps, request.inputMint);
}

/**
 * @throws SwapRefused when the instructions of `V1`, which know one token program, are to collect a fee of the other
 */
export function checkFeeProgram(pools: Pools, fee: PlatformFee | null, version: InstructionVersion): void {
  if (fee === null || version === 'V2' || pools.account(fee.mint)?.owner === TOKEN_PROGRAM) return;
  throw new SwapRefused(
    `feeAccount is of the Token-2022 mint ${fee.mint}, which V1 instructions cannot move: ask for instructionVersion=V2`,
  );
}

/** The fees of a quote. */
export interface QuotedFees {
  /** The mint that a fee is collected in, or would be. */
  readonly mint: Address;
  /** The rate of the integrator or the house. */
  readonly platformBps: Bps;
  /** The amount at that rate, in atoms of `mint`. */
  readonly platformAmount: bigint;
  /** The rate that the taker is charged for gas that a sponsor pays. */
  readonly gasBps: Bps;
}

/**
 * @param platform - The fee of an integrator or the house; null without one.
 * @param gas - The fee that pays a sponsor back; null without a sponsor.
 * @param amounts - What the taker pays and what the route pays out, before any fee.
 */
export function computeQuotedFees(
  { inputMint, outputMint }: SwapPair,
  { platform, gas }: { readonly platform: PlatformFee | null; readonly gas: PlatformFee | null },
  { paid, out }: { readonly paid: bigint; readonly out: bigint },
): QuotedFees {
  return {
    mint: platform?.mint ?? gas?.mint ?? chooseFeeMint(inputMint, outputMint),
    platformBps: platform?.bps ?? bps(0),
    platformAmount: platform === null ? 0n : platform.amountOf(platform.side === 'input' ? paid : out),
    gasBps: gas?.bps ?? bps(0),
  };
}

/** A fee into an account of `mint`, which is the input or the output mint. */
export function createPlatformFee(
  account: Address,
  mint: Address,
  bps: Bps,
  inputMint: Address,
): PlatformFee {
  const side = mint === inputMint ? 'input' : 'output';
  return { bps, account, mint, side, amountOf: (amount) => (amount * BigInt(bps)) / 10_000n };
}
