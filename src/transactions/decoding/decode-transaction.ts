import type { Chain } from '../../chain/chain.ts';
import type { LandedCall, LandedTransaction } from '../../chain/landed-transactions.ts';
import type { ProgramInstructions } from '../../protocol/instructions/program-instructions.ts';
import type { Address } from '../../solana/address.ts';
import { LayoutInvalid } from '../../solana/codec/byte-reader.ts';
import { type Instruction, isSigner, isWritable } from '../../solana/messages/instruction.ts';
import { decodeLookupTable } from '../../solana/messages/lookup-table.ts';
import {
  type LoadedAddresses,
  listMessageAccounts,
  listMessageInstructions,
  loadAddresses,
  type Message,
} from '../../solana/messages/message.ts';
import {
  getTransactionSignature,
  isSignedBy,
  parseTransaction,
  type Transaction,
} from '../../solana/messages/transaction.ts';
import {
  ADDRESS_LOOKUP_TABLE_PROGRAM,
  ASSOCIATED_TOKEN_PROGRAM,
  COMPUTE_BUDGET_PROGRAM,
} from '../../solana/program-addresses.ts';
import type { DescribeFailure } from '../transaction-failure.ts';
import { collectHoldings, type FactSources, findAccountFacts, type KnownHolding } from './account-facts.ts';
import { createAccountLabels } from './account-labels.ts';
import type { DecodedTransaction } from './form/decoded-transaction.ts';
import { createInstructionDecoder, type InstructionDecoder } from './decode-instruction.ts';
import { decodeResult } from './decode-result.ts';
import { NATIVE_INSTRUCTIONS } from './native-instructions.ts';
import { createInstructionReader, type InstructionReader } from './read-instruction.ts';

/** What transactions are decoded with. */
export interface DecoderSources extends Omit<FactSources, 'chain'> {
  readonly chain: Pick<Chain, 'getAccounts' | 'transaction'>;
  /** The instructions that programs declare, without those of native programs. */
  readonly programs: readonly ProgramInstructions[];
  readonly describeFailure: DescribeFailure;
  /** Whether faults can be set in the network that fail transactions without running them. Default: no. */
  readonly hasFaults?: boolean;
}

/** Decodes transactions so that people can read them. */
export interface TransactionDecoder {
  /**
   * Decodes a transaction in its wire form, signed or not.
   *
   * @throws TransactionInvalid when the bytes are no transaction, or name a lookup table or an entry of one that does not exist.
   * @throws ChainUnavailable when the network does not answer.
   */
  readonly decode: (wire: Uint8Array) => Promise<DecodedTransaction>;
  /**
   * Decodes a landed transaction with what it did. Returns null when it is not confirmed, or no longer in the network's history.
   *
   * @throws ChainUnavailable when the network does not answer.
   */
  readonly decodeLanded: (signature: string) => Promise<DecodedTransaction | null>;
}

/** Creates a decoder of the transactions of one network. */
export function createTransactionDecoder(sources: DecoderSources): TransactionDecoder {
  const reader = createInstructionReader([...NATIVE_INSTRUCTIONS, ...sources.programs]);
  return {
    decode: async (wire) => {
      const transaction = parseTransaction(wire);
      const loaded = await readLookups(sources.chain, transaction.message);
      return decodeWith({ sources, reader }, { transaction, wire, loaded, landed: null });
    },
    decodeLanded: async (signature) => {
      const landed = await sources.chain.transaction(signature);
      if (landed === null) return null;
      const { wire } = landed;
      const transaction = parseTransaction(wire);
      const loaded = splitLoaded(transaction.message, landed.accounts);
      return decodeWith({ sources, reader }, { transaction, wire, loaded, landed });
    },
  };
}

interface Subject {
  readonly transaction: Transaction;
  readonly wire: Uint8Array;
  readonly loaded: LoadedAddresses;
  readonly landed: LandedTransaction | null;
}

async function decodeWith(
  { sources, reader }: { readonly sources: DecoderSources; readonly reader: InstructionReader },
  { transaction, wire, loaded, landed }: Subject,
): Promise<DecodedTransaction> {
  const { message } = transaction;
  const instructions = listMessageInstructions(message, loaded);
  const addresses = [...new Set([...listMessageAccounts(message, loaded), ...listLookupTables(message)])];
  const holdings = listHoldings(instructions, landed, new Set(addresses));
  const facts = await findAccountFacts(sources, addresses, holdings);
  const signers = message.staticAccounts.slice(0, message.signers);
  const labels = createAccountLabels({ facts, signers, findLabel: reader.findLabel }, addresses);
  const decoder = createInstructionDecoder({ reader, facts, labels, roles: listRoles(instructions) });
  const decodedInstructions = instructions.map((each) => decodeTop(decoder, each));
  const context = { decoder, facts, labels, reader, instructions: decodedInstructions };
  return {
    version: message.version,
    signature: isFirstSet(transaction) ? getTransactionSignature(transaction) : null,
    feePayer: message.staticAccounts[0] ?? '',
    blockhash: message.blockhash,
    signers: signers.map((address, index) => ({
      address,
      label: labels.get(address) ?? null,
      signed: isSignedBy(transaction, index),
    })),
    ...readBudget(instructions, reader),
    lookupTables: listLookupTables(message),
    bytes: wire.length,
    instructions: decodedInstructions,
    result:
      landed === null
        ? null
        : decodeResult(landed, {
            ...context,
            describeFailure: sources.describeFailure,
            hasFaults: sources.hasFaults ?? false,
          }),
  };
}

function decodeTop(decoder: InstructionDecoder, instruction: Instruction) {
  const { programAddress: program, accounts, data } = instruction;
  return decoder({ program, accounts: accounts.map(({ address }) => address), data }, 1);
}

function isFirstSet({ signatures }: Transaction): boolean {
  return signatures[0]?.some((byte) => byte !== 0) ?? false;
}

function listLookupTables({ lookups }: Message): readonly Address[] {
  return lookups.map(({ table }) => table);
}

async function readLookups(chain: Pick<Chain, 'getAccounts'>, message: Message): Promise<LoadedAddresses> {
  const tables = [...new Set(listLookupTables(message))];
  const read = tables.length === 0 ? [] : await chain.getAccounts(tables);
  const contents = new Map(
    read.flatMap(({ address, account }) => {
      if (account?.owner !== ADDRESS_LOOKUP_TABLE_PROGRAM) return [];
      const addresses = readTable(account.data);
      return addresses === null ? [] : [[address, addresses] as const];
    }),
  );
  return loadAddresses(message, (table) => contents.get(table) ?? null);
}

function readTable(data: Uint8Array): readonly Address[] | null {
  try {
    return decodeLookupTable(data).addresses;
  } catch (error) {
    if (error instanceof LayoutInvalid) return null;
    throw error;
  }
}

/**
 * A landed transaction keeps what it looked up, so its tables may have changed since. What an outside RPC reports beyond what the
 * message looks up is left out.
 */
function splitLoaded({ staticAccounts, lookups }: Message, accounts: readonly Address[]): LoadedAddresses {
  const writable = lookups.reduce((sum, lookup) => sum + lookup.writable.length, 0);
  const readonly = lookups.reduce((sum, lookup) => sum + lookup.readonly.length, 0);
  const from = staticAccounts.length;
  return {
    writable: accounts.slice(from, from + writable),
    readonly: accounts.slice(from + writable, from + writable + readonly),
  };
}

/** The places of the account, its owner and its mint in an instruction that creates an associated token account. */
const CREATED = 1;
const OWNER = 2;
const MINT = 3;

function listHoldings(
  instructions: readonly Instruction[],
  landed: LandedTransaction | null,
  addresses: ReadonlySet<Address>,
): ReadonlyMap<Address, KnownHolding> {
  const holdings = new Map<Address, KnownHolding>();
  for (const { programAddress, accounts } of instructions) {
    const [account, owner, mint] = [CREATED, OWNER, MINT].map((at) => accounts[at]?.address);
    if (programAddress !== ASSOCIATED_TOKEN_PROGRAM) continue;
    if (account !== undefined && owner !== undefined && mint !== undefined)
      holdings.set(account, { mint, owner });
  }
  if (landed === null) return holdings;
  const recorded = collectHoldings([...landed.preTokenBalances, ...landed.postTokenBalances]);
  // An outside RPC may report balances of any number of accounts, whose mints would all be read.
  return new Map([...holdings, ...[...recorded].filter(([account]) => addresses.has(account))]);
}

/** The roles of accounts in the message, which are those of its instructions and of all their calls. */
function listRoles(instructions: readonly Instruction[]) {
  const roles = new Map<Address, { readonly signer: boolean; readonly writable: boolean }>();
  for (const { accounts } of instructions) {
    for (const { address, role } of accounts) {
      roles.set(address, { signer: isSigner(role), writable: isWritable(role) });
    }
  }
  return roles;
}

function readBudget(
  instructions: readonly Instruction[],
  reader: InstructionReader,
): Pick<DecodedTransaction, 'computeUnitLimit' | 'computeUnitPriceMicroLamports'> {
  const fields = new Map(
    instructions
      .filter(({ programAddress }) => programAddress === COMPUTE_BUDGET_PROGRAM)
      .flatMap(({ data }) => reader.read(createBareCall(data)).fields)
      .map(({ name, value }) => [name, String(value)]),
  );
  const units = fields.get('units');
  return {
    computeUnitLimit: units === undefined ? null : Number(units),
    computeUnitPriceMicroLamports: fields.get('micro_lamports') ?? null,
  };
}

function createBareCall(data: Uint8Array): LandedCall {
  return { program: COMPUTE_BUDGET_PROGRAM, accounts: [], data };
}
