//! Swaps 0.1 SOL for USDC. Start Sluice with `npm start`, then run
//! `cargo run --manifest-path examples/rust/order/Cargo.toml`.

use base64::{engine::general_purpose::STANDARD, Engine};
use ed25519_dalek::{Signer, SigningKey};
use serde_json::{json, Value};
use std::{env, error::Error, fs};

type Result<T> = std::result::Result<T, Box<dyn Error>>;

fn main() -> Result<()> {
    let swap = setting("SLUICE_URL", "http://127.0.0.1:8787") + "/swap/v2";
    // A Solana keypair file: 32 secret bytes, then the 32 bytes of the address.
    let wallet = fs::read_to_string(setting("SLUICE_WALLET", ".sluice/demo-wallet.json"))?;
    let key =
        SigningKey::from_keypair_bytes(&serde_json::from_str::<Vec<u8>>(&wallet)?[..].try_into()?)?;
    let taker = bs58::encode(key.verifying_key().as_bytes()).into_string();

    let order = read(
        minreq::get(format!("{swap}/order"))
            .with_param("inputMint", "So11111111111111111111111111111111111111112")
            .with_param("outputMint", "EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v")
            .with_param("amount", "100000000")
            .with_param("taker", &taker),
    )?;
    let Some(transaction) = order["transaction"].as_str() else {
        return Err(order["error"].to_string().into());
    };
    let mut transaction = STANDARD.decode(transaction)?;
    sign(&mut transaction, &key)?;
    let body = json!({
        "requestId": order["requestId"],
        "signedTransaction": STANDARD.encode(transaction),
    });
    let result = read(
        minreq::post(format!("{swap}/execute"))
            .with_header("content-type", "application/json")
            .with_body(body.to_string()),
    )?;
    if result["status"] != "Success" {
        return Err(format!("{}: {}", result["code"], result["error"]).into());
    }
    let atoms: f64 = result["totalOutputAmount"]
        .as_str()
        .unwrap_or_default()
        .parse()?;
    let signature = result["signature"].as_str().unwrap_or_default();
    println!("0.1 SOL became {} USDC in {signature}", atoms / 1e6);
    Ok(())
}

/// Puts the signature into its place: the order of the signatures is that of the first accounts.
fn sign(transaction: &mut [u8], key: &SigningKey) -> Result<()> {
    let signatures = usize::from(transaction[0]); // A compact number; a transaction never has 128 signatures.
    let (head, message) = transaction.split_at_mut(1 + 64 * signatures);
    // The message begins with its version (128), three counts and the number of accounts.
    let mut accounts = message[5..].chunks_exact(32).take(signatures);
    let index = accounts
        .position(|account| account == key.verifying_key().as_bytes())
        .ok_or("the taker is not among the signers")?;
    head[1 + 64 * index..][..64].copy_from_slice(&key.sign(message).to_bytes());
    Ok(())
}

fn read(request: minreq::Request) -> Result<Value> {
    let response = request.with_timeout(60).send()?;
    let text = response.as_str()?;
    if response.status_code != 200 {
        return Err(format!("answered {}: {text}", response.status_code).into());
    }
    Ok(serde_json::from_str(text)?)
}

fn setting(name: &str, otherwise: &str) -> String {
    env::var(name).unwrap_or_else(|_| otherwise.to_string())
}
