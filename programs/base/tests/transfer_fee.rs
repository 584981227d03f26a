//! The transfer fee of Token-2022, and extensions in a mint's data.

use sluice_program::token::{account_size, has_extension, Extension, TransferFee, TransferFeeConfig};

fn fee(bps: u16, maximum: u64) -> TransferFee {
    TransferFee { epoch: 0, maximum, bps }
}

/// A mint's data with these extensions.
fn mint(extensions: &[(u16, &[u8])]) -> Vec<u8> {
    let mut data = vec![0; 165];
    data.push(1);
    for (kind, body) in extensions {
        data.extend(kind.to_le_bytes());
        data.extend((body.len() as u16).to_le_bytes());
        data.extend(*body);
    }
    data
}

fn fee_config(older: TransferFee, newer: TransferFee) -> Vec<u8> {
    let mut body = vec![0; 72];
    for TransferFee { epoch, maximum, bps } in [older, newer] {
        body.extend(epoch.to_le_bytes());
        body.extend(maximum.to_le_bytes());
        body.extend(bps.to_le_bytes());
    }
    body
}

#[test]
fn rounds_the_fee_up_and_caps_it() {
    assert_eq!(fee(100, u64::MAX).fee(1), Some(1));
    assert_eq!(fee(100, u64::MAX).fee(10_000), Some(100));
    assert_eq!(fee(100, u64::MAX).fee(10_001), Some(101));
    assert_eq!(fee(100, 50).fee(10_000), Some(50));
    assert_eq!(fee(10_000, u64::MAX).fee(u64::MAX), Some(u64::MAX));
    assert_eq!(fee(0, 50).fee(u64::MAX), Some(0));
}

#[test]
fn gross_amounts_are_the_least_that_deliver_the_net() {
    for bps in [1, 30, 333, 5_000, 9_999] {
        for maximum in [0, 1, 7, 100, u64::MAX] {
            let fee = fee(bps, maximum);
            for net in (0..2_000).chain([123_456_789, 1 << 40]) {
                let gross = fee.gross(net).unwrap();
                assert!(gross - fee.fee(gross).unwrap() >= net, "{bps} bps, max {maximum}, net {net}");
                if gross > 0 {
                    let less = gross - 1;
                    assert!(less - fee.fee(less).unwrap() < net, "{bps} bps, max {maximum}, net {net}");
                }
            }
        }
    }
}

#[test]
fn gross_amounts_beyond_u64_are_refused() {
    assert_eq!(fee(5_000, u64::MAX).gross(u64::MAX), None);
    assert_eq!(fee(5_000, 10).gross(u64::MAX - 10), Some(u64::MAX));
    assert_eq!(fee(10_000, 10).gross(5), Some(15));
    assert_eq!(fee(10_001, 10).gross(5), None);
}

#[test]
fn takes_the_schedule_of_the_epoch() {
    let older = TransferFee { epoch: 3, maximum: 10, bps: 1 };
    let newer = TransferFee { epoch: 5, maximum: 20, bps: 2 };
    let body = fee_config(older, newer);
    let config = TransferFeeConfig::find(&mint(&[(18, &[0; 64]), (1, &body)])).unwrap().unwrap();
    assert_eq!(config.at(4).bps, 1);
    assert_eq!(config.at(5).maximum, 20);
    assert!(TransferFeeConfig::find(&mint(&[(18, &[0; 64])])).unwrap().is_none());
    assert!(TransferFeeConfig::find(&mint(&[(1, &body[..100])])).is_err());
}

#[test]
fn lengths_that_lie_end_the_extensions() {
    let mut data = mint(&[(18, &[0; 64])]);
    data.extend([14, 0, 255, 255, 1]);
    assert!(has_extension(&data, Extension::MetadataPointer));
    assert!(!has_extension(&data, Extension::TransferHook));
    assert!(!has_extension(&[0; 82], Extension::TransferHook));
}

#[test]
fn account_sizes_follow_from_the_mint() {
    assert_eq!(account_size(&[0; 82], false), 165);
    assert_eq!(account_size(&[0; 82], true), 170);
    assert_eq!(account_size(&mint(&[(1, &[0; 108])]), true), 165 + 1 + 12 + 4);
    assert_eq!(account_size(&mint(&[(18, &[0; 64])]), false), 165);
    assert_eq!(account_size(&mint(&[(9, &[])]), false), 165 + 1 + 4 + 4);
}
