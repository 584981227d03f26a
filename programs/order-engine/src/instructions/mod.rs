mod fill;

pub use fill::fill;
