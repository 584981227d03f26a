import type { Account, AccountUpdate } from '../../../chain/accounts.ts';
import type { ProgramAccounts } from '../../../protocol/accounts/program-accounts.ts';
import type { ProgramInstructions } from '../../../protocol/instructions/program-instructions.ts';
import { type Address, toAddressBytes } from '../../../solana/address.ts';
import { isOnCurve } from '../../../solana/curve.ts';
import { isTokenProgram, SYSTEM_PROGRAM } from '../../../solana/program-addresses.ts';
import { deriveMetadataAddress } from '../../../solana/programs/token-metadata/program.ts';
import { isMint } from '../../../solana/programs/token/mint.ts';
import { deriveProgramDataAddress } from '../../../solana/programs/upgradeable-loader.ts';
import { type AccountFacts, type FactSources, findAccountFacts } from '../account-facts.ts';
import { createAccountLabels } from '../account-labels.ts';
import { NATIVE_INSTRUCTIONS } from '../native-instructions.ts';
import { createInstructionReader } from '../read-instruction.ts';
import { type AccountTypeReader, createAccountTypeReader, type ReadAccount } from './account-type-reader.ts';
import type { RelatedAccount, ShownAccount, ShownField } from './shown-account.ts';
import { describeFields } from './describe-fields.ts';

/** What accounts are decoded with. */
export interface AccountSources extends FactSources {
  /** The accounts that programs declare, without those of native programs. */
  readonly accounts: readonly ProgramAccounts[];
  readonly programs: readonly ProgramInstructions[];
}

/** Decodes accounts so that people can read them. */
export interface AccountDecoder {
  /**
   * Decodes an account as it is now. It reads the account, and the accounts that it names, in at most three calls of an
   * outside RPC.
   *
   * @throws ChainUnavailable when the network does not answer.
   */
  readonly decode: (address: Address) => Promise<ShownAccount>;
}

/** The addresses that are read to label them. One call of an outside RPC reads a hundred accounts. */
const MAX_RELATED = 90;
const HEAD_BYTES = 1_024;
const MAX_LISTED = 8;
const MAX_POOL_MINTS = 9;

/** Creates a decoder of the accounts of one network. */
export function createAccountDecoder(sources: AccountSources): AccountDecoder {
  const reader = createAccountTypeReader(sources.accounts);
  const instructions = createInstructionReader([...NATIVE_INSTRUCTIONS, ...sources.programs]);
  const names = new Map(
    [...NATIVE_INSTRUCTIONS, ...sources.programs].map((each) => [
      each.program,
      each.instructions.map(({ name }) => name),
    ]),
  );
  const findLabel = (address: Address) => instructions.findLabel(address) ?? reader.findLabel(address);
  return {
    decode: async (address) => {
      const chain = rememberAccounts(sources.chain);
      const [update] = await chain.getAccounts([address]);
      if (update === undefined || update.account === null) return showMissing(address, update);
      const { account } = update;
      const read = reader.read(address, account);
      const named = listNamed(address, account, read);
      const mints = listPoolMints(sources, [address, ...named]);
      const facts = await findAccountFacts({ ...sources, chain }, [address, ...named, ...mints], new Map());
      const known = new Map(
        (await chain.getAccounts(named)).map((each) => [each.address, each.account] as const),
      );
      const labels = new Map(
        createAccountLabels({ facts, signers: [], findLabel }, [address, account.owner, ...named]),
      );
      for (const [each, its] of known) {
        const type = its === null || labels.has(each) ? null : reader.read(each, its);
        if (type !== null) labels.set(each, type.type.name);
      }
      return showAccount({ address, update, account, read, facts, labels, names, named, reader, known });
    },
  };
}

/** Reads each account once, because the facts and the labels need the same ones. */
function rememberAccounts(chain: FactSources['chain']): FactSources['chain'] {
  const read = new Map<Address, AccountUpdate>();
  return {
    getAccounts: async (addresses, commitment) => {
      const missing = addresses.filter((address) => !read.has(address));
      if (missing.length > 0) {
        for (const update of await chain.getAccounts(missing, commitment)) read.set(update.address, update);
      }
      return addresses.flatMap((address) => read.get(address) ?? []);
    },
  };
}

function showMissing(address: Address, update: AccountUpdate | undefined): ShownAccount {
  return {
    address,
    slot: String(update?.slot ?? 0n),
    exists: false,
    lamports: '0',
    owner: null,
    ownerLabel: null,
    executable: false,
    bytes: 0,
    kind: null,
    summary: isOnCurve(toAddressBytes(address))
      ? 'There is no account at this address. It may be a wallet that holds no SOL yet.'
      : 'There is no account at this address. Only a program could make one here.',
    label: null,
    program: null,
    fields: [],
    related: [],
    instructions: [],
    data: null,
    links: { pool: false, token: false },
  };
}

/** The addresses that the account names, and those that follow from its own. */
function listNamed(address: Address, account: Account, read: ReadAccount | null): readonly Address[] {
  const named = new Set<Address>(listDerived(address, account).map(({ address: derived }) => derived));
  if (read !== null) {
    const empty = { mints: new Map(), holdings: new Map() };
    const context = { address, hints: read.type.fields ?? {}, facts: empty, labels: new Map() };
    for (const field of walkFields(describeFields(read.value, context))) {
      if (field.kind === 'address' && field.value !== address) named.add(field.value as Address);
      if (named.size >= MAX_RELATED) break;
    }
  }
  return [...named];
}

function listDerived(address: Address, { owner, data, executable }: Account) {
  if (isTokenProgram(owner) && isMint(data))
    return [{ address: deriveMetadataAddress(address), role: 'metadata' }];
  if (executable) return [{ address: deriveProgramDataAddress(address), role: 'programData' }];
  return [];
}

/** The mints by which pools are called, which an account that names the pool need not name. */
function listPoolMints({ findPool }: FactSources, addresses: readonly Address[]): readonly Address[] {
  return addresses.flatMap((address) => findPool(address)?.pool.mints ?? []).slice(0, MAX_POOL_MINTS);
}

function* walkFields(fields: readonly ShownField[]): Generator<ShownField> {
  for (const field of fields) {
    yield field;
    if (field.children !== undefined) yield* walkFields(field.children);
  }
}

interface DecodedSubject {
  readonly address: Address;
  readonly update: AccountUpdate;
  readonly account: Account;
  readonly read: ReadAccount | null;
  readonly facts: AccountFacts;
  readonly labels: ReadonlyMap<Address, string>;
  readonly names: ReadonlyMap<Address, readonly string[]>;
  readonly named: readonly Address[];
  readonly reader: AccountTypeReader;
  readonly known: ReadonlyMap<Address, Account | null>;
}

function showAccount(subject: DecodedSubject): ShownAccount {
  const { address, update, account, read, facts, labels, names } = subject;
  const { owner, data, lamports, executable } = account;
  const hints = read?.type.fields ?? {};
  const fields = read === null ? [] : describeFields(read.value, { address, hints, facts, labels });
  const program = executable ? address : owner;
  return {
    address,
    slot: String(update.slot),
    exists: true,
    lamports: String(lamports),
    owner,
    ownerLabel: labels.get(owner) ?? null,
    executable,
    bytes: data.length,
    ...describeKind(subject),
    label: labels.get(address) ?? null,
    program: labels.get(program) ?? null,
    fields: [...fields, ...showProgramCode(subject)],
    related: listRelated(subject, fields),
    instructions: executable ? (names.get(address) ?? []) : [],
    data: data.length === 0 ? null : Buffer.from(data.subarray(0, HEAD_BYTES)).toString('base64'),
    links: { pool: facts.pools.has(address), token: isTokenProgram(owner) && isMint(data) },
  };
}

function describeKind(subject: DecodedSubject): Pick<ShownAccount, 'kind' | 'summary'> {
  const { address, account, read, labels } = subject;
  if (account.executable) return { kind: 'Program', summary: describeProgram(subject) };
  if (read !== null) return { kind: read.type.name, summary: read.type.summary };
  if (account.owner === SYSTEM_PROGRAM && account.data.length === 0) {
    return isOnCurve(toAddressBytes(address))
      ? { kind: 'Wallet', summary: 'It holds SOL for whoever has its key.' }
      : {
          kind: 'Account of a program',
          summary: 'It holds SOL, or signs, for the program that its address derives from.',
        };
  }
  const program = labels.get(account.owner);
  return {
    kind: null,
    summary:
      program === undefined
        ? 'An account of a program whose layouts are not known here.'
        : `An account of the program ${program}, of a type whose layout is not known here.`,
  };
}

function describeProgram(subject: DecodedSubject): string {
  const { read } = subject;
  if (read === null) return 'A program that is a part of the network itself.';
  const authority = showProgramCode(subject).find(({ name }) => name === 'authority');
  if (authority === undefined) return read.type.summary;
  return authority.kind === 'address'
    ? 'A program. Its authority, which is named below, can replace its code.'
    : 'A program. Nobody can replace its code.';
}

/** The authority of a program is in the account with its code, and people look for it on the program's page. */
function showProgramCode({
  address,
  account,
  reader,
  known,
  facts,
  labels,
}: DecodedSubject): readonly ShownField[] {
  if (!account.executable) return [];
  const at = deriveProgramDataAddress(address);
  const code = known.get(at) ?? null;
  const read = code === null ? null : reader.read(at, code);
  if (read === null) return [];
  return describeFields(read.value, { address: at, hints: read.type.fields ?? {}, facts, labels });
}

function listRelated(
  { address, account, labels, known }: DecodedSubject,
  fields: readonly ShownField[],
): readonly RelatedAccount[] {
  const related = new Map<string, RelatedAccount>();
  const add = (each: Address, role: string) => {
    if (each === address || related.has(each)) return;
    related.set(each, { role, label: labels.get(each) ?? null, address: each });
  };
  for (const derived of listDerived(address, account)) {
    if (known.get(derived.address) != null) add(derived.address, derived.role);
  }
  for (const [role, named] of listRoles(fields)) add(named, role);
  return [...related.values()].slice(0, MAX_RELATED);
}

/** The addresses of the fields. Those of a long list stand there, and are no roles. */
function* listRoles(
  fields: readonly ShownField[],
  list: string | null = null,
): Generator<readonly [string, Address]> {
  for (const { name, kind, value, children = [] } of fields) {
    const role = list ?? name;
    if (kind === 'address') yield [role, value as Address];
    if (kind !== 'list') yield* listRoles(children);
    else if (children.length <= MAX_LISTED) yield* listRoles(children, role);
  }
}
