import type { Pools } from '../../../market/pools/pools.ts';
import type { Address } from '../../../solana/address.ts';
import { TOKEN_PROGRAM } from '../../../solana/program-addresses.ts';
import type { Bps } from '../../../solana/units.ts';
import { SwapRefused } from '../errors.ts';
import type { SwapTerms } from '../build/swap-terms.ts';
import type { TokenAccountMints } from '../../../transactions/token-account-mints.ts';
import type { InstructionVersion } from '../build/forms.ts';

/** The integrator's share. The mint of the account that collects it decides whether input or output pays. */
export interface PlatformFee {
  readonly bps: Bps;
  readonly account: Address;
  readonly mint: Address;
  readonly side: 'input' | 'output';
  /** Rounded down, as the aggregator does. */
  readonly amountOf: (amount: bigint) => bigint;
}

/** Null when no fee is asked for. @throws SwapRefused when the account cannot collect it. */
export async function platformFee(mints: TokenAccountMints, request: SwapTerms): Promise<PlatformFee | null> {
  if (request.platformFee === undefined) return null;
  const { bps, account } = request.platformFee;
  const mint = await mints.of(account);
  if (mint !== request.inputMint && mint !== request.outputMint) {
    const found = mint === null ? 'is not a token account' : `is a token account of ${mint}`;
    throw new SwapRefused(
      `feeAccount must be a token account of inputMint or outputMint, but ${account} ${found}`,
    );
  }
  return feeInto(account, mint, bps, request.inputMint);
}

/** @throws SwapRefused when the older instructions, which know one token program, are to collect a fee of the other */
export function checkFeeProgram(pools: Pools, fee: PlatformFee | null, version: InstructionVersion): void {
  if (fee === null || version === 'V2' || pools.account(fee.mint)?.owner === TOKEN_PROGRAM) return;
  throw new SwapRefused(
    `feeAccount is of the Token-2022 mint ${fee.mint}, which V1 instructions cannot move: ask for instructionVersion=V2`,
  );
}

/** A fee into an account of `mint`, which is the input or the output mint. */
export function feeInto(account: Address, mint: Address, bps: Bps, inputMint: Address): PlatformFee {
  const side = mint === inputMint ? 'input' : 'output';
  return { bps, account, mint, side, amountOf: (amount) => (amount * BigInt(bps)) / 10_000n };
}
