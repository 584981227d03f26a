//! The lists of the administration: auths, guardians, and the classes of protocols.

use crate::error::{INVALID_PARAMS, MAX_USER_CLASSES_REACHED};
use crate::keys::PROGRAM;
use sluice_program::bytes::{Reader, Writer};
use sluice_program::heap::List;
use sluice_program::layout::Field;
use sluice_program::members::Members;
use sluice_program::{layout, Account, Address, Result};

const MAX_CLASSES: usize = 100;

layout! {
    /// A protocol with its class.
    #[derive(Clone, Copy, PartialEq, Eq)]
    pub struct UserClass {
        pub user: Address,
        pub class: u8,
    }
}

layout! {
    /// The lists. Members are in the order in which they were added.
    pub struct AuthList = "AuthorizationList" {
        pub auths: Members<10>,
        pub guardians: Members<10>,
        pub classes: List<UserClass> as Classes,
    }
}

/// A vector in borsh of at most [`MAX_CLASSES`] classes.
enum Classes {}

impl Field<List<UserClass>> for Classes {
    const LEN: usize = 4 + MAX_CLASSES * UserClass::LEN;

    fn read(from: &mut Reader) -> Option<List<UserClass>> {
        let mut classes = List::with_capacity(MAX_CLASSES).ok()?;
        for _ in 0..from.u32()? {
            classes.push(UserClass::read(from)?).ok()?;
        }
        Some(classes)
    }

    fn write(classes: &List<UserClass>, to: &mut Writer) -> Result {
        to.u32(classes.len() as u32)?;
        for class in classes.iter() {
            UserClass::write(class, to)?;
        }
        Ok(())
    }
}

impl AuthList {
    /// Reads the lists. Fails with an error of Anchor's unless the account is the program's.
    pub fn load(account: Account) -> Result<Self> {
        layout::load(account, &PROGRAM, "auth_list")
    }

    /// Writes the lists.
    pub fn store(&self, account: Account) -> Result {
        layout::store(self, account)
    }

    /// Returns lists in which `authority` is the only auth and the only guardian.
    pub fn of(authority: &Address) -> Result<Self> {
        Ok(Self {
            auths: Members::of(authority)?,
            guardians: Members::of(authority)?,
            classes: List::with_capacity(MAX_CLASSES)?,
        })
    }

    /// Returns the class of a protocol, or None if it has none.
    pub fn class_of(&self, user: &Address) -> Option<u8> {
        self.classes.iter().find(|each| each.user == *user).map(|each| each.class)
    }
}

/// Sets the class of `user`. Fails with InvalidParams for the zero address and for a class that does not exist.
pub fn set_class(classes: &mut List<UserClass>, user: &Address, class: u8) -> Result {
    if *user == Address::ZERO || class > 1 {
        return Err(INVALID_PARAMS.into());
    }
    let found = classes.iter().position(|each| each.user == *user);
    match found {
        Some(at) => {
            classes.as_mut_slice()[at].class = class;
            Ok(())
        }
        None => classes.push(UserClass { user: *user, class }).map_err(|_| MAX_USER_CLASSES_REACHED.into()),
    }
}
