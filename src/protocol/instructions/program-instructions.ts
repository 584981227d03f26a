import type { Address } from '../../solana/address.ts';
import type { DeclaredType, IdlField, IdlType, ProgramInterface } from '../../solana/programs/idl/idl.ts';
import type { ArgumentValue } from './read-arguments.ts';

/** The unit of an amount of lamports. Every other unit is the name of an account: see `DescribedArgument`. */
export const LAMPORTS = 'lamports';

/** The arguments of an instruction that could be read. */
export type ReadArguments = Readonly<Record<string, ArgumentValue>>;

/**
 * The unit of an amount: `LAMPORTS`, or the name of an account of the instruction that is the mint of the amount or a token account
 * of that mint. A function is for instructions whose direction is an argument.
 */
export type ArgumentUnit = string | ((args: ReadArguments) => string);

/** An argument in the data of an instruction. Default of the unit: the argument is no amount. */
export type DescribedArgument = readonly [name: string, type: IdlType, unit?: ArgumentUnit];

/** What people want to read of an instruction, under the names of the public program. */
export interface DescribedInstruction {
  readonly name: string;
  /** What its data begins with, in hexadecimal. Default: the discriminator of Anchor for the name. */
  readonly tag?: string;
  /** The arguments in their order. Those that follow need not be described. Default: none are known. */
  readonly args?: readonly DescribedArgument[];
  /** The names of its accounts in their order, separated by spaces. Default: none are known. */
  readonly accounts?: string;
}

/** Stands in a presented value for the symbol of a token: that of the first account that the instruction has, by its name. */
export interface PresentedToken {
  readonly tokenOf: readonly string[];
}

/** Stands in a presented value for an amount in units, with the symbol of its token. */
export interface PresentedAmount {
  /** In atoms. */
  readonly amount: bigint;
  readonly mint: string;
}

/** A part of a presented value. */
export type PresentedPart = string | PresentedToken | PresentedAmount;

/** A field of an instruction as people read it, whose value is put together from parts. */
export interface PresentedField {
  readonly name: string;
  readonly value: readonly PresentedPart[];
}

/** The instructions of a program, by which transactions are shown to people. Nothing is executed or signed by them. */
export interface ProgramInstructions {
  readonly program: Address;
  /** The program's name, as people know it. */
  readonly label: string;
  readonly instructions: readonly DescribedInstruction[];
  /** The types that arguments name, and those of events. Default: none. */
  readonly types?: readonly DeclaredType[];
  /** The names of the types of the events that the program emits by a call to itself. Default: none are known. */
  readonly events?: readonly string[];
  /**
   * Called with each argument. Returns the fields that are shown for it, or null for one field with its plain value. Default: null
   * for all.
   *
   * @param findLabel - Returns the name of a program, or null.
   */
  readonly present?: (
    name: string,
    value: ArgumentValue,
    findLabel: (program: Address) => string | null,
  ) => readonly PresentedField[] | null;
}

/** Describes instructions of which only the names are known, separated by spaces. */
export function nameInstructions(names: string): readonly DescribedInstruction[] {
  return names.split(' ').map((name) => ({ name }));
}

/**
 * Describes the instructions of a program that declares its interface.
 *
 * @param units - The units of those arguments that are amounts, by the name of the argument. Of a list, the first counts that is an
 *   account of the instruction.
 */
export function describeInterface(
  declared: ProgramInterface,
  label: string,
  units: Readonly<Record<string, readonly string[] | ArgumentUnit>> = {},
): ProgramInstructions {
  return {
    program: declared.address,
    label,
    types: declared.types,
    events: declared.events,
    instructions: declared.instructions.map(({ name, args, accounts }) => {
      const parties = accounts.map(([party]) => party);
      return {
        name,
        args: args.map((field) => withUnit(field, units, parties)),
        accounts: parties.join(' '),
      };
    }),
  };
}

function withUnit(
  [name, type]: IdlField,
  units: Readonly<Record<string, readonly string[] | ArgumentUnit>>,
  parties: readonly string[],
): DescribedArgument {
  const stated = units[name];
  const unit = Array.isArray(stated) ? stated.find((each) => parties.includes(each)) : stated;
  return unit === undefined ? [name, type] : [name, type, unit];
}
