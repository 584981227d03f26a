// Swaps 0.1 SOL for USDC. Start Sluice with `npm start`, then run `go run examples/go/order/main.go`.
package main

import (
	"bytes"
	"crypto/ed25519"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"io"
	"log"
	"math/big"
	"net/http"
	"net/url"
	"os"
	"strconv"
)

const alphabet = "123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz"

var swap = setting("SLUICE_URL", "http://127.0.0.1:8787") + "/swap/v2"

type order struct{ Transaction, RequestID, Error string }

type result struct {
	Status, Error, Signature, TotalOutputAmount string
	Code                                        int
}

func main() {
	log.SetFlags(0)
	key, err := readKey(setting("SLUICE_WALLET", ".sluice/demo-wallet.json"))
	check(err)
	query := url.Values{
		"inputMint":  {"So11111111111111111111111111111111111111112"},
		"outputMint": {"EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v"},
		"amount":     {"100000000"},
		"taker":      {base58(key.Public().(ed25519.PublicKey))},
	}
	var ordered order
	check(read(http.Get(swap + "/order?" + query.Encode()))(&ordered))
	if ordered.Transaction == "" {
		log.Fatal(ordered.Error)
	}
	transaction, err := base64.StdEncoding.DecodeString(ordered.Transaction)
	check(err)
	check(sign(transaction, key))
	body, err := json.Marshal(map[string]string{
		"requestId":         ordered.RequestID,
		"signedTransaction": base64.StdEncoding.EncodeToString(transaction),
	})
	check(err)
	var executed result
	check(read(http.Post(swap+"/execute", "application/json", bytes.NewReader(body)))(&executed))
	if executed.Status != "Success" {
		log.Fatalf("%d: %s", executed.Code, executed.Error)
	}
	atoms, err := strconv.ParseFloat(executed.TotalOutputAmount, 64)
	check(err)
	fmt.Printf("0.1 SOL became %g USDC in %s\n", atoms/1e6, executed.Signature)
}

// sign puts the signature into its place: the order of the signatures is that of the first accounts.
func sign(transaction []byte, key ed25519.PrivateKey) error {
	signatures := int(transaction[0]) // A compact number; a transaction never has 128 signatures.
	message := transaction[1+64*signatures:]
	address := []byte(key.Public().(ed25519.PublicKey))
	for index := 0; index < signatures; index++ {
		// The message begins with its version (128), three counts and the number of accounts.
		if bytes.Equal(message[5+32*index:][:32], address) {
			copy(transaction[1+64*index:], ed25519.Sign(key, message))
			return nil
		}
	}
	return fmt.Errorf("%s is not among the %d signers", base58(address), signatures)
}

// readKey reads a Solana keypair file: 32 secret bytes, then the 32 bytes of the address, as Go has them too.
func readKey(file string) (ed25519.PrivateKey, error) {
	text, err := os.ReadFile(file)
	if err != nil {
		return nil, err
	}
	var numbers []int
	if err := json.Unmarshal(text, &numbers); err != nil {
		return nil, err
	}
	key := make([]byte, 0, ed25519.PrivateKeySize)
	for _, number := range numbers {
		key = append(key, byte(number))
	}
	if len(key) != ed25519.PrivateKeySize {
		return nil, fmt.Errorf("%s has %d bytes, not %d", file, len(key), ed25519.PrivateKeySize)
	}
	return key, nil
}

func base58(data []byte) string {
	number, base, digit := new(big.Int).SetBytes(data), big.NewInt(58), new(big.Int)
	text := ""
	for number.Sign() > 0 {
		number.DivMod(number, base, digit)
		text = alphabet[digit.Int64():digit.Int64()+1] + text
	}
	for index := 0; index < len(data) && data[index] == 0; index++ {
		text = "1" + text
	}
	return text
}

// read returns a function that reads the answer, or returns why there is none.
func read(response *http.Response, err error) func(any) error {
	return func(into any) error {
		if err != nil {
			return err
		}
		defer response.Body.Close()
		text, err := io.ReadAll(response.Body)
		if err != nil {
			return err
		}
		if response.StatusCode != http.StatusOK {
			return fmt.Errorf("%s answered %s: %s", response.Request.URL.Path, response.Status, text)
		}
		return json.Unmarshal(text, into)
	}
}

func setting(name, otherwise string) string {
	if value := os.Getenv(name); value != "" {
		return value
	}
	return otherwise
}

func check(err error) {
	if err != nil {
		log.Fatal(err)
	}
}
