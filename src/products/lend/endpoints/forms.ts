import { type Instruction, isSigner, isWritable } from '../../../solana/messages/instruction.ts';

/** A number as plain decimal digits, without an exponent and trailing zeros. */
export function formatDecimal(value: number): string {
  const digits = value >= 1 ? 8 : 18;
  return value.toFixed(digits).replace(/\.?0+$/, '');
}

/** A time as the public interface writes it: with an offset instead of a Z. */
export function formatTime(unixSeconds: bigint): string {
  return new Date(Number(unixSeconds) * 1000).toISOString().replace('Z', '+00:00');
}

/** An instruction as answers carry it. */
export function toInstructionForm({ programAddress, accounts, data }: Instruction) {
  return {
    programId: programAddress as string,
    accounts: accounts.map(({ address, role }) => ({
      pubkey: address as string,
      isSigner: isSigner(role),
      isWritable: isWritable(role),
    })),
    data: Buffer.from(data).toString('base64'),
  };
}
