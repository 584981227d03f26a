import type { Address } from '../../address.ts';
import { ByteWriter } from '../../codec/byte-writer.ts';

// The account of a project, as `@jup-ag/referral-sdk` reads it.

const PROJECT_LENGTH = 284;
const DISCRIMINATOR = Uint8Array.of(205, 168, 189, 202, 181, 247, 142, 19);

export interface ReferralProject {
  /** The key from which the project's address is derived. */
  readonly base: Address;
  readonly admin: Address;
  readonly name: string;
  /** The share of new partners, in basis points. */
  readonly defaultShareBps: number;
}

/**
 * Encodes a project as the program writes it.
 *
 * @throws RangeError when the name is longer than its field.
 */
export function encodeReferralProject(project: ReferralProject): Uint8Array {
  const name = Buffer.from(project.name);
  const writer = new ByteWriter(PROJECT_LENGTH).bytes(DISCRIMINATOR);
  writer.address(project.base).address(project.admin);
  writer.u32(name.length).bytes(name).u16(project.defaultShareBps);
  return writer.zeros(PROJECT_LENGTH - writer.length).finish();
}
