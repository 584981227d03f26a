/** What one WebSocket may send within one window of time. A thousand subscriptions send about a tenth of it. */
const MAX_MESSAGES = 50_000;
const MAX_BYTES = 64 * 1024 * 1024;
/** Messages that belong to no subscription and no request: some come for a moment after a subscription was ended. */
const MAX_STRAYS = 10_000;

/** Counts what a WebSocket sends. Each count returns null, or what was too much. */
export class MessageMeter {
  #messages = 0;
  #bytes = 0;
  #strays = 0;

  /** Begins a new window. */
  reset(): void {
    this.#messages = 0;
    this.#bytes = 0;
    this.#strays = 0;
  }

  message(bytes: number): string | null {
    this.#bytes += bytes;
    if (++this.#messages > MAX_MESSAGES) return `more than ${MAX_MESSAGES} messages`;
    return this.#bytes > MAX_BYTES ? `more than ${MAX_BYTES} bytes` : null;
  }

  stray(): string | null {
    return ++this.#strays > MAX_STRAYS ? `more than ${MAX_STRAYS} messages that nobody asked for` : null;
  }
}
