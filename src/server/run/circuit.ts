import { setTimeout as sleep } from 'node:timers/promises';

export type CircuitOptions<Connection> = {
  /** Resolves once the other side has answered; calls `lose` when the connection drops. */
  connect: (lose: (error: unknown) => void) => Promise<Connection>;
  /** Interval between reconnects. */
  retryMs: number;
  /** Called once when the connection is lost, and once when it is restored. */
  onLost: (error: unknown) => void;
  onFound: () => void;
};

/** Circuit breaker: after a failure, calls fail at once until a reconnect in the background succeeds. */
export class Circuit<Connection extends { destroy(): void }> {
  readonly #options: CircuitOptions<Connection>;
  readonly #closing = new AbortController();
  #connection: Connection | null = null;

  constructor(options: CircuitOptions<Connection>) {
    this.#options = options;
  }

  /** Resolves once the first attempt to connect has succeeded or failed. */
  async open(): Promise<void> {
    try {
      await this.#connect();
    } catch (error) {
      this.#options.onLost(error);
      void this.#look();
    }
  }

  /** Calls the other side; rejects at once while it is lost. */
  async ask<Answer>(question: (connection: Connection) => Promise<Answer>): Promise<Answer> {
    const connection = this.#connection;
    if (connection === null) throw new Error('it did not answer a moment ago and is not asked now');
    try {
      return await question(connection);
    } catch (error) {
      this.#lose(connection, error);
      throw error;
    }
  }

  close(): void {
    this.#closing.abort();
    this.#connection?.destroy();
    this.#connection = null;
  }

  async #connect(): Promise<void> {
    let connection: Connection | null = null;
    connection = await this.#options.connect((error) => {
      if (connection) this.#lose(connection, error);
    });
    if (this.#closing.signal.aborted) connection.destroy();
    else this.#connection = connection;
  }

  #lose(connection: Connection, error: unknown): void {
    // All pending calls fail together; only the first reports it.
    if (this.#connection !== connection) return;
    this.#connection = null;
    connection.destroy();
    this.#options.onLost(error);
    void this.#look();
  }

  async #look(): Promise<void> {
    const { signal } = this.#closing;
    while (this.#connection === null) {
      await sleep(this.#options.retryMs, null, { signal }).catch(() => {});
      if (signal.aborted) return;
      await this.#connect().catch(() => {});
    }
    this.#options.onFound();
  }
}
