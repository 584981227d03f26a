import type { ProgramBinary } from '../../chain/clone/program-binary.ts';
import type { ProtocolProgram, UnlikeCalls } from '../../protocol/genesis/stand-in.ts';
import type { Address } from '../../solana/address.ts';

/** A program that calls another in a form that public builds do not share with stand-ins. */
type UnlikeCaller = ProtocolProgram & { readonly unlikeCalls: UnlikeCalls };

/**
 * Finds what may fail because a public program was loaded, while another one that it calls, or that calls it, is a stand-in.
 *
 * @param programs - The programs of all protocols.
 * @param standIns - The binaries of the stand-ins. One that is loaded in its own place is no public program.
 * @param loaded - The programs that the operator loads.
 * @returns a text for each program that is loaded beside stand-ins which may not fit
 */
export function findMixedPrograms(
  programs: readonly ProtocolProgram[],
  standIns: readonly ProgramBinary[],
  loaded: readonly ProgramBinary[],
): string[] {
  const own = new Map(standIns.map(({ address, elf }) => [address, elf]));
  const replaced = new Set(
    loaded.filter(({ address, elf }) => !isSameBinary(own.get(address), elf)).map(({ address }) => address),
  );
  const callers = programs.filter((each): each is UnlikeCaller => each.unlikeCalls !== undefined);
  return programs.flatMap((program) => {
    if (!replaced.has(program.address)) return [];
    const before = callers.filter(
      ({ address, unlikeCalls }) => unlikeCalls.callee === program.address && !replaced.has(address),
    );
    return [...describeCallee(program, before), ...describeCaller(program, programs, replaced)];
  });
}

function isSameBinary(one: Uint8Array | undefined, other: Uint8Array): boolean {
  return one !== undefined && Buffer.compare(one, other) === 0;
}

function describeCallee({ name, address }: ProtocolProgram, callers: readonly UnlikeCaller[]): string[] {
  const [first] = callers;
  if (first === undefined) return [];
  const names = listInWords(callers.map((each) => each.name));
  const failing = callers.map(({ unlikeCalls }) => unlikeCalls.failing.withPublicCallee).join('; ');
  return [
    `the program ${name} that was loaded at ${address} is called by stand-ins of this installation (${names}), so that some calls may be refused: ${failing}. ${first.unlikeCalls.difference} Load ${names} of the same release too`,
  ];
}

function describeCaller(
  { name, address, unlikeCalls }: ProtocolProgram,
  programs: readonly ProtocolProgram[],
  replaced: ReadonlySet<Address>,
): string[] {
  if (unlikeCalls === undefined || replaced.has(unlikeCalls.callee)) return [];
  const { callee, difference, failing } = unlikeCalls;
  const called = programs.find((each) => each.address === callee)?.name ?? callee;
  return [
    `the program ${name} that was loaded at ${address} calls a stand-in of this installation (${called}), so that some calls may be refused: ${failing.withPublicCaller}. ${difference} Load ${called} of the same release too`,
  ];
}

function listInWords(words: readonly string[]): string {
  return words.length < 2 ? words.join('') : `${words.slice(0, -1).join(', ')} and ${words.at(-1)}`;
}
