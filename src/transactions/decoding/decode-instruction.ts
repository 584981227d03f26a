import type { LandedCall } from '../../chain/landed-transactions.ts';
import {
  LAMPORTS,
  type PresentedAmount,
  type PresentedPart,
} from '../../protocol/instructions/program-instructions.ts';
import type { Address } from '../../solana/address.ts';
import { formatDecimalAmount } from '../../solana/codec/decimal-amount.ts';
import type { AccountFacts } from './account-facts.ts';
import { formatShortAddress } from './form/short-address.ts';
import { SOL_UNIT } from './form/sol-unit.ts';
import type { DecodedInstruction, DecodedUnit } from './form/decoded-transaction.ts';
import type { InstructionReader, NamedInstruction } from './read-instruction.ts';

/** Decodes an instruction, or a call of a landed transaction, at its depth. */
export type InstructionDecoder = (call: LandedCall, depth: number) => DecodedInstruction;

/** What the instructions of one transaction are decoded with. */
export interface InstructionContext {
  readonly reader: InstructionReader;
  readonly facts: AccountFacts;
  readonly labels: ReadonlyMap<Address, string>;
  /** The roles of accounts in the message. */
  readonly roles: ReadonlyMap<Address, { readonly signer: boolean; readonly writable: boolean }>;
}

export function createInstructionDecoder({
  reader,
  facts,
  labels,
  roles,
}: InstructionContext): InstructionDecoder {
  return (call, depth) => {
    const read = reader.read(call);
    const { program, accounts, data } = call;
    const findUnit = (unit: string) => findFieldUnit(unit, read, accounts, facts);
    return {
      program,
      programLabel: reader.findLabel(program),
      name: read.name,
      fields: read.fields.map(({ name, value, unit }) => ({
        name,
        value: typeof value === 'string' ? value : joinParts(value, findUnit, facts),
        unit: unit === undefined ? null : findUnit(unit),
      })),
      accounts: accounts.map((address, place) => ({
        address,
        label:
          address === program && isLeftOut(read.roles[place]) ? 'not given' : (labels.get(address) ?? null),
        role: read.roles[place] ?? null,
        signer: roles.get(address)?.signer ?? false,
        writable: roles.get(address)?.writable ?? false,
      })),
      data: Buffer.from(data).toString('hex'),
      depth,
    };
  };
}

/** Programs that are made with Anchor take their own address in the place of an optional account for one that is left out. */
function isLeftOut(role: string | undefined): boolean {
  return role !== undefined && role !== 'program';
}

function joinParts(
  parts: readonly PresentedPart[],
  findUnit: (unit: string) => DecodedUnit | null,
  { mints }: AccountFacts,
): string {
  return parts
    .map((part) => {
      if (typeof part === 'string') return part;
      if ('amount' in part) return formatAmount(part, mints.get(part.mint as Address) ?? null);
      const [unit] = part.tokenOf.flatMap((role) => findUnit(role) ?? []);
      return unit === undefined ? 'a token' : (unit.symbol ?? formatShortAddress(unit.mint));
    })
    .join('');
}

function formatAmount({ amount, mint }: PresentedAmount, unit: DecodedUnit | null): string {
  const symbol = unit?.symbol ?? formatShortAddress(mint);
  return unit === null
    ? `${amount} atoms of ${symbol}`
    : `${formatDecimalAmount(amount, unit.decimals)} ${symbol}`;
}

/** A unit names an account: the mint of the amount, or a token account of that mint. */
function findFieldUnit(
  unit: string,
  { roles }: NamedInstruction,
  accounts: readonly Address[],
  { holdings, mints }: AccountFacts,
): DecodedUnit | null {
  if (unit === LAMPORTS) return SOL_UNIT;
  const account = accounts[roles.indexOf(unit)];
  if (account === undefined) return null;
  const found = mints.get(holdings.get(account)?.mint ?? account);
  return found === undefined ? null : { mint: found.mint, symbol: found.symbol, decimals: found.decimals };
}
