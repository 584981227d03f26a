import { beforeAll, describe, expect, it } from 'vitest';
import { type Address, toAddressBytes, toAddress } from '../../../src/solana/address.ts';
import {
  type AccountMeta,
  readonly,
  writable,
  writableSigner,
} from '../../../src/solana/messages/instruction.ts';
import { deriveAssociatedTokenAddress, findProgramAddress } from '../../../src/solana/pda.ts';
import { SYSTEM_PROGRAM, TOKEN_PROGRAM, WRAPPED_SOL_MINT } from '../../../src/solana/program-addresses.ts';
import { type TestOutcome, TestNetwork } from '../../../src/testing/svm/network.ts';
import { NEEDS_TOOLCHAIN, ProgramCompiler, toolchain } from '../../../src/testing/svm/program-compiler.ts';
import { openForAll } from '../../../src/testing/opened.ts';

describe.skipIf(toolchain === null)(`the base crate on chain (${NEEDS_TOOLCHAIN})`, () => {
  let elf: Uint8Array;
  const compiler = openForAll(() => ProgramCompiler.open(), 'close');
  beforeAll(setUp);

  class Fixture {
    readonly network = new TestNetwork();
    readonly program: Address = this.network.newAddress();
    /** Owned by the program, with 4 bytes of data. */
    readonly own = this.network.newAddress();

    constructor() {
      this.network.loadProgram(this.program, elf);
      this.network.setData(this.own, this.program, Uint8Array.of(5, 0, 0, 0));
    }

    run(action: number, accounts: readonly AccountMeta[], length = 1): TestOutcome {
      const data = new Uint8Array(length);
      data[0] = action;
      return this.network.send([{ programAddress: this.program, accounts, data }]);
    }
  }

  it('gives 255 accounts, repeated ones as the same account', () => {
    const fixture = new Fixture();
    const addresses = Array.from({ length: 9 }, () => fixture.network.newAddress());
    const order = Array.from({ length: 255 }, (_, index) => (index * index) % 9);
    const accounts = order.map((which) => {
      const address = addresses[which] as Address;
      return which % 2 === 0 ? readonly(address) : writable(address);
    });
    const { error, returnData } = fixture.run(0, accounts);
    expect(error).toBeNull();
    const firsts = new Uint8Array(255);
    firsts.set(returnData);
    expect([...firsts]).toEqual(order.map((which) => order.indexOf(which)));
  });

  it('lends data to one writer or to any number of readers, through every handle', () => {
    const fixture = new Fixture();
    const twice = [writable(fixture.own), writable(fixture.own)];
    expect(fixture.run(1, twice).error?.kind).toBe('AccountBorrowFailed');
    expect(fixture.run(2, twice).error?.kind).toBe('AccountBorrowFailed');
    expect(fixture.run(3, twice).error).toBeNull();
    expect(fixture.network.account(fixture.own)?.data[0]).toBe(6);
    const other = fixture.network.newAddress();
    fixture.network.setData(other, fixture.program, new Uint8Array(1));
    expect(fixture.run(1, [writable(fixture.own), writable(other)]).error).toBeNull();
  });

  it('makes no call that could change data under a borrow', () => {
    const fixture = new Fixture();
    const accounts = [writable(fixture.own), readonly(fixture.program)];
    expect(fixture.run(4, accounts).error?.kind).toBe('AccountBorrowFailed');
    const { error, inner } = fixture.run(5, accounts);
    expect(error?.kind).toBe('AccountBorrowFailed');
    expect(inner.flat().map((call) => call.accounts)).toEqual([[fixture.own, fixture.own]]);
  });

  it('fails with InvalidRealloc when the heap is exhausted', () => {
    expect(new Fixture().run(6, []).error?.kind).toBe('InvalidRealloc');
  });

  it.each([1, 165, 637])('knows the clock and the rent of %d bytes', (length) => {
    const fixture = new Fixture();
    fixture.network.setUnixTime(1_771_335_592n);
    fixture.network.setEpoch(77n);
    const answer = Buffer.alloc(24);
    answer.set(fixture.run(7, [], length).returnData);
    expect(answer.readBigInt64LE(0)).toBe(1_771_335_592n);
    expect(answer.readBigUInt64LE(8)).toBe(77n);
    const rent = fixture.network.svm.minimumBalanceForRentExemption(BigInt(length));
    expect(answer.readBigUInt64LE(16)).toBe(rent);
  });

  it('derives the addresses that clients derive', () => {
    const fixture = new Fixture();
    for (let round = 0; round < 20; round++) {
      const wallet = fixture.network.newAddress();
      const { error, returnData } = fixture.run(8, [readonly(wallet)]);
      expect(error).toBeNull();
      const derived = findProgramAddress(fixture.program, [
        Buffer.from('seed'),
        toAddressBytes(wallet),
      ]).address;
      expect(toAddress(returnData)).toBe(derived);
      const associated = deriveAssociatedTokenAddress(wallet, WRAPPED_SOL_MINT, TOKEN_PROGRAM);
      expect(toAddress(returnData, 32)).toBe(associated);
    }
  });

  it.each([
    [0n, RENT_OF_100],
    [1n, RENT_OF_100],
    [10n ** 9n, 10n ** 9n],
  ])('creates an account at an address that holds %d lamports, which then holds %d', (present, lamports) => {
    const fixture = new Fixture();
    const { network, program } = fixture;
    const { address } = findProgramAddress(program, [Buffer.from('made')]);
    if (present > 0n) {
      const nothing = new Uint8Array(0);
      network.setAccount(address, {
        lamports: present,
        owner: SYSTEM_PROGRAM,
        data: nothing,
        executable: false,
        rentEpoch: 0n,
      });
    }
    const accounts = [writableSigner(network.payer), writable(address), readonly(SYSTEM_PROGRAM)];
    expect(fixture.run(9, accounts).error).toBeNull();
    const made = network.account(address);
    expect(made?.owner).toBe(program);
    expect([...(made?.data ?? [])]).toEqual([...Array(99).fill(0), 7]);
    expect(made?.lamports).toBe(lamports);
    // The account is in use now, so a second creation fails in the system program.
    expect(fixture.run(9, accounts).error).toMatchObject({ custom: 0 });
  });

  async function setUp(): Promise<void> {
    elf = await compiler.compile(SOURCE);
  }
});

/** Lamports that exempt an account with 100 bytes of data. */
const RENT_OF_100 = 1_586_880n;

/** A program whose action depends on the first byte of its data. */
const SOURCE = `
#![no_std]
#![deny(unsafe_code)]
use sluice_program::heap::List;
use sluice_program::sysvar::{Clock, Rent};
use sluice_program::{associated_token, cpi, system, token, Account, Address, ProgramError, Result};

sluice_program::entrypoint!(process);

fn process(program: &Address, accounts: &[Account], data: &[u8]) -> Result {
    match data[0] {
        0 => describe(accounts),
        1 => write_twice(accounts),
        2 => read_then_write(accounts),
        3 => read_twice(accounts),
        4 => call_while_writing(accounts),
        5 => call_while_reading(accounts),
        6 => exhaust_heap(),
        7 => sysvars(data),
        8 => addresses(program, accounts),
        9 => create(program, accounts),
        _ => Err(ProgramError::INVALID_INSTRUCTION_DATA),
    }
}

/// For each account the index of its first occurrence, or 255 where the flags of the two differ.
fn describe(accounts: &[Account]) -> Result {
    let mut firsts = List::<u8>::with_capacity(accounts.len())?;
    for account in accounts {
        let first = accounts.iter().position(|other| other.is(*account)).unwrap_or(255);
        let original = accounts[first];
        let same = original.address() == account.address() && original.is_writable() == account.is_writable();
        firsts.push(if same { first as u8 } else { 255 })?;
    }
    cpi::set_return_data(&firsts);
    Ok(())
}

fn write_twice(accounts: &[Account]) -> Result {
    let _first = accounts[0].data_mut()?;
    accounts[1].data_mut().map(|_| ())
}

fn read_then_write(accounts: &[Account]) -> Result {
    let _first = accounts[0].data()?;
    accounts[1].data_mut().map(|_| ())
}

fn read_twice(accounts: &[Account]) -> Result {
    let first = accounts[0].data()?;
    let second = accounts[1].data()?;
    let mut bytes = [0; 2];
    bytes[0] = first.len() as u8;
    bytes[1] = second[0];
    drop((first, second));
    let mut last = accounts[0].data_mut()?;
    last[0] = bytes[1] + 1;
    Ok(())
}

fn call_while_writing(accounts: &[Account]) -> Result {
    let _data = accounts[0].data_mut()?;
    cpi::invoke(accounts[1].address(), &[accounts[0].readonly()], &[3], &[])
}

/// A call may read what the caller reads, but not write it.
fn call_while_reading(accounts: &[Account]) -> Result {
    let _data = accounts[0].data()?;
    let same = [accounts[0].readonly(), accounts[0].readonly()];
    cpi::invoke(accounts[1].address(), &same, &[0], &[])?;
    cpi::invoke(accounts[1].address(), &[accounts[0].writable()], &[0], &[])
}

fn exhaust_heap() -> Result {
    for _ in 0..7 {
        List::<[u64; 512]>::with_capacity(1)?;
    }
    Err(match List::<[u64; 512]>::with_capacity(1) {
        Ok(_) => ProgramError::custom(1),
        Err(error) => error,
    })
}

fn sysvars(data: &[u8]) -> Result {
    let clock = Clock::get()?;
    let rent = Rent::get()?.minimum_balance(data.len());
    let mut bytes = [0; 24];
    bytes[..8].copy_from_slice(&clock.unix_timestamp.to_le_bytes());
    bytes[8..16].copy_from_slice(&clock.epoch.to_le_bytes());
    bytes[16..].copy_from_slice(&rent.to_le_bytes());
    cpi::set_return_data(&bytes);
    Ok(())
}

fn addresses(program: &Address, accounts: &[Account]) -> Result {
    let seeds: &[&[u8]] = &[b"seed", &accounts[0].address().0];
    let (found, bump) = Address::find(seeds, program)?;
    if Address::derive(&[seeds[0], seeds[1], &[bump]], program)? != found {
        return Err(ProgramError::INVALID_SEEDS);
    }
    let associated = associated_token::find(accounts[0].address(), &token::NATIVE_MINT, &token::PROGRAM)?;
    let mut bytes = [0; 64];
    bytes[..32].copy_from_slice(&found.0);
    bytes[32..].copy_from_slice(&associated.0);
    cpi::set_return_data(&bytes);
    Ok(())
}

fn create(program: &Address, accounts: &[Account]) -> Result {
    let (_, bump) = Address::find(&[b"made"], program)?;
    system::Create { payer: accounts[0], account: accounts[1], space: 100, owner: program }
        .invoke(&[&[b"made", &[bump]]])?;
    if !accounts[1].is_owned_by(program) || accounts[1].data_len() != 100 {
        return Err(ProgramError::INVALID_ACCOUNT_DATA);
    }
    accounts[1].data_mut()?[99] = 7;
    Ok(())
}
`;
