import {
  AGGREGATOR_PROGRAM,
  DISCRIMINATOR,
  EVENT_AUTHORITY,
} from '../../protocol/venue/aggregator-program.ts';
import type { Address } from '../../solana/address.ts';
import { ByteReader } from '../../solana/codec/byte-reader.ts';
import { isTokenProgram, TOKEN_PROGRAM } from '../../solana/program-addresses.ts';
import { type ReadInstruction, refuseInvalid } from './checked-message.ts';
import { readStepLayout } from '../../protocol/venue/aggregator-step.ts';

/** The accounts that every route of the form `route_v2` begins with. */
const FIXED_ACCOUNTS = 10;
const WHOLE = 10_000;
const WHOLE_BPS = BigInt(WHOLE);

/** What a route of the aggregator does, read from its bytes. */
export interface ReadRoute {
  readonly authority: Address | null;
  readonly source: Address | null;
  /** Null for a mint that is looked up in a table. The program compares it with the accounts. */
  readonly sourceMint: Address | null;
  readonly destinationMint: Address | null;
  /** The account that the last step pays into. */
  readonly destination: Address | null;
  /** The account that all of the output is handed on to; null when it stays where it is. */
  readonly handedOnTo: Address | null;
  readonly amount: bigint;
  /** The least atoms of the output that the program accepts, after its fee. */
  readonly threshold: bigint;
  readonly feeBps: number;
  /** The account that gets the fee; null without a fee, or when it is looked up in a table. */
  readonly feeAccount: Address | null;
}

/** Whether an instruction is a route of the form that fills have. */
export function isRoute({ program, data }: ReadInstruction): boolean {
  return program === AGGREGATOR_PROGRAM && hasDiscriminator(data, DISCRIMINATOR.routeV2);
}

/** Whether the data of an instruction begins with a discriminator. */
export function hasDiscriminator(data: Uint8Array, discriminator: Uint8Array): boolean {
  return Buffer.compare(data.subarray(0, discriminator.length), discriminator) === 0;
}

/**
 * Reads a route and all of its steps. The program measures the output on the account that the last step pays into, and takes
 * the input from the account that the first ones name, whatever its fixed accounts say. So both are compared here.
 *
 * @throws SigningRefused when the route does not take from its source alone, or does not pay into its destination
 */
export function readRoute({ accounts, data }: ReadInstruction): ReadRoute {
  return refuseInvalid(() => {
    const reader = new ByteReader(data, 'route', DISCRIMINATOR.routeV2.length);
    const [amount, quoted] = [reader.u64(), reader.u64()];
    const [slippageBps, feeBps, positiveSlippageBps] = [reader.u16(), reader.u16(), reader.u16()];
    if (BigInt(slippageBps) > WHOLE_BPS) reader.fail(`its slippage is ${slippageBps} bps`);
    if (positiveSlippageBps > 0) reader.fail(`it gives away ${positiveSlippageBps} bps above the quote`);
    if (accounts.length < FIXED_ACCOUNTS) reader.fail(`it has ${accounts.length} accounts`);
    const [authority = null, source = null, destination = null, sourceMint = null, destinationMint = null] =
      accounts;
    const [sourceProgram, destinationProgram, passed, eventAuthority, program] = accounts.slice(5);
    for (const tokenProgram of [sourceProgram, destinationProgram]) {
      if (!isTokenProgram(tokenProgram ?? TOKEN_PROGRAM)) reader.fail(`${tokenProgram} is no token program`);
    }
    if (passed === null) reader.fail('the account that it hands on to is looked up in a table');
    if (program !== AGGREGATOR_PROGRAM || (eventAuthority ?? EVENT_AUTHORITY) !== EVENT_AUTHORITY) {
      reader.fail('its last fixed accounts are not those of the aggregator');
    }
    const feeAccounts = feeBps > 0 ? 1 : 0;
    checkSteps(reader, accounts.slice(FIXED_ACCOUNTS + feeAccounts), { source, destination });
    return {
      authority,
      source,
      sourceMint,
      destination,
      destinationMint,
      handedOnTo: passed === AGGREGATOR_PROGRAM ? null : (passed ?? null),
      amount,
      threshold: computeThreshold(quoted, BigInt(slippageBps)),
      feeBps,
      feeAccount: feeAccounts > 0 ? (accounts[FIXED_ACCOUNTS] ?? null) : null,
    };
  });
}

/** The program rounds up, except that it demands nothing where less than an atom is demanded. */
function computeThreshold(quoted: bigint, slippageBps: bigint): bigint {
  const exact = quoted * (WHOLE_BPS - slippageBps);
  const whole = exact / WHOLE_BPS;
  return whole > 0n && exact % WHOLE_BPS > 0n ? whole + 1n : whole;
}

interface RouteEnds {
  readonly source: Address | null;
  readonly destination: Address | null;
}

function checkSteps(reader: ByteReader, accounts: readonly (Address | null)[], ends: RouteEnds): void {
  const steps = reader.u32();
  if (steps === 0 || steps > accounts.length) reader.fail(`it has ${steps} steps`);
  let at = 0;
  let paidInto: Address | null = null;
  let last = 0;
  const filled = new Set([0]);
  const shares = new Map<number, number>();
  for (let step = 0; step < steps; step++) {
    const layout = readStepLayout(reader);
    const bps = reader.u16();
    const [inputIndex, outputIndex] = [reader.u8(), reader.u8()];
    if (!filled.has(inputIndex)) reader.fail(`step ${step} spends index ${inputIndex}, which holds nothing`);
    filled.add(outputIndex);
    last = outputIndex;
    shares.set(inputIndex, (shares.get(inputIndex) ?? 0) + bps);
    const program = accounts[at];
    // A program that is looked up in a table is compared by the aggregator.
    if (program !== null && program !== layout.program) {
      reader.fail(`step ${step} calls ${program}, not ${layout.program}`);
    }
    const own = accounts.slice(at + 1, at + 1 + layout.count);
    if (own.length < layout.count) reader.fail(`step ${step} has ${own.length} accounts`);
    const takenFrom = own[layout.input] ?? null;
    if (inputIndex === 0 && takenFrom !== ends.source) {
      reader.fail(`step ${step} takes from ${takenFrom ?? 'an account of a table'}, not from ${ends.source}`);
    }
    paidInto = own[layout.output] ?? null;
    at += 1 + layout.count + countTail(accounts.slice(at + 1 + layout.count), layout.tail, layout.sliced);
  }
  reader.end();
  // What a step leaves would stay in an account that is closed in favour of the payer.
  for (const index of filled) {
    const share = shares.get(index) ?? 0;
    if (share !== (index === last ? 0 : WHOLE)) reader.fail(`it spends ${share} bps of index ${index}`);
  }
  if (paidInto !== ends.destination) {
    reader.fail(`it pays into ${paidInto ?? 'an account of a table'}, not into ${ends.destination}`);
  }
}

/** Returns how many accounts follow those that a step always has, with the one that ends them. */
function countTail(rest: readonly (Address | null)[], tail: string, sliced: number): number {
  if (tail === 'none') return 0;
  if (tail === 'slices') return sliced;
  const end = rest.indexOf(AGGREGATOR_PROGRAM);
  return end === -1 ? rest.length : end + 1;
}
