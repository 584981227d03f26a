//! The instructions that create and close a position.

use crate::activation::is_enabled;
use crate::error::{CONSTRAINT_CLOSE, INVALID_AUTHORITY, POOL_DISABLED, POSITION_IS_NOT_EMPTY};
use crate::events;
use crate::keys::{AUTHORITY, POSITION_SEED, POSITION_TOKEN_SEED, PROGRAM};
use crate::state::pool::Pool;
use crate::state::position::{self, Position};
use crate::token::with_authority;
use sluice_program::bytes::Writer;
use sluice_program::sysvar::Rent;
use sluice_program::token::{self, Burn, CloseAccount, InitializeAccount3, Mint, MintTo, TokenAccount};
use sluice_program::{anchor, cpi, memory, system, Account, Address, ProgramError, Result};

const CREATED: [u8; 8] = anchor::event("EvtCreatePosition");
const CLOSED: [u8; 8] = anchor::event("EvtClosePosition");
/// The length of a mint with a metadata pointer and a close authority: the common part, one byte with the account's
/// type, and both extensions with their headers.
const MINT_LEN: usize = 165 + 1 + (4 + 64) + (4 + 32);
/// The metadata of a position's mint.
const NAME: &[u8] = b"Meteora Position NFT";
const SYMBOL: &[u8] = b"MPN";
const URI: &[u8] =
    b"https://raw.githubusercontent.com/MeteoraAg/token-metadata/main/meteora_position_nft.png";

/// The accounts of a position that is created.
pub struct NewPosition<'a> {
    pub owner: Account<'a>,
    pub mint: Account<'a>,
    pub holding: Account<'a>,
    pub position: Account<'a>,
    pub pool: Account<'a>,
    pub authority: Account<'a>,
    pub payer: Account<'a>,
    pub token_program: Account<'a>,
}

impl NewPosition<'_> {
    /// Checks the accounts that exist before: signers, writable accounts, programs.
    pub fn check(&self) -> Result {
        anchor::check_signer(self.payer, "payer")?;
        anchor::check_program(self.token_program, &[token::PROGRAM_2022], "token_2022_program")?;
        if !self.mint.is_signer() {
            return Err(anchor::ACCOUNT_NOT_SIGNER.of("position_nft_mint"));
        }
        for (account, name) in [
            (self.payer, "payer"),
            (self.mint, "position_nft_mint"),
            (self.holding, "position_nft_account"),
            (self.position, "position"),
        ] {
            anchor::check_writable(account, name)?;
        }
        anchor::check_address(self.authority, &AUTHORITY, "pool_authority")
    }

    /// Creates mint, token account and position, whose only content is the liquidity. [`Self::mint_token`] mints the
    /// token.
    #[inline(never)]
    pub fn create(&self, liquidity: u128) -> Result {
        create_derived(
            self.payer,
            self.position,
            (position::LEN, &PROGRAM),
            [POSITION_SEED, &self.mint.address().0, &[]],
        )?;
        Position::initialize(self.position, self.pool.address(), self.mint.address(), liquidity)
    }

    /// Creates the mint and the token account.
    #[inline(never)]
    pub fn create_token(&self) -> Result {
        let (payer, account) = (self.payer, self.mint);
        system::Create { payer, account, space: MINT_LEN, owner: &token::PROGRAM_2022 }.invoke(&[])?;
        self.initialize_mint()?;
        let seeds = [POSITION_TOKEN_SEED, &self.mint.address().0[..], &[]];
        let space = (token::ACCOUNT_LEN, &token::PROGRAM_2022);
        create_derived(self.payer, self.holding, space, seeds)?;
        let (program, mint) = (self.token_program, self.mint);
        InitializeAccount3 { program, account: self.holding, mint, owner: self.owner.address() }.invoke()
    }

    /// The pool is the freeze authority, so that a pool's positions can be found by their mints.
    #[inline(never)]
    fn initialize_mint(&self) -> Result {
        let pointer = written::<66>(|data| {
            data.array(&[39, 0])?;
            data.address(&AUTHORITY)?;
            data.address(self.mint.address())
        })?;
        self.call_mint(&pointer)?;
        let closing = written::<34>(|data| {
            data.array(&[25, 1])?;
            data.address(&AUTHORITY)
        })?;
        self.call_mint(&closing)?;
        let mint = written::<67>(|data| {
            data.array(&[20, 0])?;
            data.address(&AUTHORITY)?;
            data.u8(1)?;
            data.address(self.pool.address())
        })?;
        self.call_mint(&mint)
    }

    fn call_mint(&self, data: &[u8]) -> Result {
        cpi::invoke(self.token_program.address(), &[self.mint.writable()], data, &[])
    }

    /// Writes the metadata, pays for its room, and mints the only token.
    #[inline(never)]
    pub fn mint_token(&self) -> Result {
        const METADATA: [u8; 8] = [210, 225, 30, 162, 88, 184, 77, 141];
        let mut buffer = [0; 160];
        let mut data = Writer::new(&mut buffer);
        data.array(&METADATA)?;
        for text in [NAME, SYMBOL, URI] {
            data.u32(text.len() as u32)?;
            data.bytes(text)?;
        }
        let (mint, authority) = (self.mint, self.authority);
        let accounts = [mint.writable(), authority.readonly(), mint.readonly(), authority.readonly_signer()];
        let program = self.token_program;
        with_authority(|signers| cpi::invoke(program.address(), &accounts, data.written(), signers))?;
        let needed = Rent::get()?.minimum_balance(mint.data_len());
        if let Some(lamports @ 1..) = needed.checked_sub(mint.lamports()) {
            system::Transfer { from: self.payer, to: mint, lamports }.invoke(&[])?;
        }
        let destination = self.holding;
        with_authority(|signers| MintTo { program, mint, destination, authority, amount: 1 }.invoke(signers))
    }

    /// Emits the event of the new position.
    pub fn emit(&self, event_authority: Account) -> Result {
        let accounts = [self.pool, self.owner, self.position, self.mint];
        emit(&CREATED, event_authority, &accounts)
    }
}

#[inline(never)]
fn emit(tag: &[u8; 8], event_authority: Account, accounts: &[Account; 4]) -> Result {
    events::emit(event_authority, tag, |event| {
        accounts.iter().try_for_each(|account| event.address(account.address()))
    })
}

fn written<const N: usize>(write: impl FnOnce(&mut Writer) -> Result) -> Result<[u8; N]> {
    let mut data = [0; N];
    write(&mut Writer::new(&mut data))?;
    Ok(data)
}

/// Creates the account with zeroed data at the address that the seeds derive. The last seed may be empty.
#[inline(never)]
pub fn create_derived(
    payer: Account,
    account: Account,
    (space, owner): (usize, &Address),
    [first, second, third]: [&[u8]; 3],
) -> Result {
    let (expected, bump) = Address::find(&[first, second, third], &PROGRAM)?;
    if *account.address() != expected {
        return Err(anchor::CONSTRAINT_SEEDS.into());
    }
    system::Create { payer, account, space, owner }.invoke(&[&[first, second, third, &[bump]]])
}

/// Creates a position. It belongs to the holder of the only token that is minted. There are no arguments.
pub fn create(accounts: &[Account], _: &[u8]) -> Result {
    let (&[owner, mint, holding, pool_account, position, authority, payer, ref rest @ ..], _) =
        anchor::accounts::<11>(accounts)?;
    let &[token_program, system_program, event_authority, program] = rest;
    let mut pool = Pool::load(pool_account, "pool")?;
    let made =
        NewPosition { owner, mint, holding, position, pool: pool_account, authority, payer, token_program };
    made.check()?;
    anchor::check_writable(pool_account, "pool")?;
    anchor::check_program(system_program, &[system::PROGRAM], "system_program")?;
    events::check_accounts(event_authority, program)?;
    made.create_token()?;
    made.create(0)?;
    if !is_enabled(&pool)? {
        return Err(POOL_DISABLED.into());
    }
    pool.positions = pool.positions.wrapping_add(1);
    pool.save(pool_account)?;
    made.mint_token()?;
    made.emit(event_authority)
}

/// Burns the token of an empty position, and pays all rent to the receiver. There are no arguments.
pub fn close(accounts: &[Account], _: &[u8]) -> Result {
    let (&[mint, holding, pool_account, position_account, authority, receiver, owner, ref rest @ ..], _) =
        anchor::accounts::<10>(accounts)?;
    let &[token_program, event_authority, program] = rest;
    Mint::load(mint, "position_nft_mint")?;
    let held = TokenAccount::load(holding, "position_nft_account")?;
    let mut pool = Pool::load(pool_account, "pool")?;
    let position = Position::load(position_account, "position")?;
    anchor::check_signer(owner, "owner")?;
    anchor::check_program(token_program, &[token::PROGRAM_2022], "token_program")?;
    for (account, name) in [
        (mint, "position_nft_mint"),
        (holding, "position_nft_account"),
        (pool_account, "pool"),
        (position_account, "position"),
        (receiver, "rent_receiver"),
    ] {
        anchor::check_writable(account, name)?;
    }
    anchor::check_address(mint, &position.mint, "position_nft_mint")?;
    check_token(&held, &position)?;
    if held.owner != *owner.address() {
        return Err(anchor::CONSTRAINT_TOKEN_OWNER.of("position_nft_account"));
    }
    if position.pool != *pool_account.address() {
        return Err(anchor::CONSTRAINT_HAS_ONE.of("position"));
    }
    if position_account.is(receiver) {
        return Err(CONSTRAINT_CLOSE.of("position"));
    }
    anchor::check_address(authority, &AUTHORITY, "pool_authority")?;
    events::check_accounts(event_authority, program)?;
    if !position.is_empty()? {
        return Err(POSITION_IS_NOT_EMPTY.into());
    }
    pool.positions = pool.positions.wrapping_sub(1);
    pool.save(pool_account)?;
    // The public program borrows the pool during this, so that the pool cannot be the receiver of the rent.
    let kept = pool_account.data_mut()?;
    Burn { program: token_program, source: holding, mint, authority: owner, amount: 1 }.invoke(&[])?;
    let closing = |account, authority| CloseAccount {
        program: token_program,
        account,
        destination: receiver,
        authority,
    };
    closing(holding, owner).invoke(&[])?;
    with_authority(|signers| closing(mint, authority).invoke(signers))?;
    drop(kept);
    emit(&CLOSED, event_authority, &[pool_account, owner, position_account, mint])?;
    erase(position_account, receiver)
}

/// Fails with ConstraintRaw unless the account holds the position's token.
pub fn check_token(held: &TokenAccount, position: &Position) -> Result {
    if held.mint == position.mint && held.amount == 1 {
        Ok(())
    } else {
        Err(anchor::CONSTRAINT_RAW.of("position_nft_account"))
    }
}

/// Fails with InvalidAuthority unless the signer holds the position's token. Delegates are not supported.
pub fn check_holder(held: &TokenAccount, signer: Account) -> Result {
    if held.owner == *signer.address() {
        Ok(())
    } else {
        Err(INVALID_AUTHORITY.into())
    }
}

/// Leaves the account without lamports and discriminator, so that the runtime removes it.
#[inline(never)]
fn erase(account: Account, receiver: Account) -> Result {
    let sum = receiver.lamports().checked_add(account.lamports()).ok_or(ProgramError::ARITHMETIC_OVERFLOW)?;
    receiver.set_lamports(sum);
    account.set_lamports(0);
    memory::fill(&mut account.data_mut()?, 0);
    Ok(())
}
