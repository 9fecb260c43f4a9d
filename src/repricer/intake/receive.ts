import { setTimeout as wait } from 'node:timers/promises';
import { accountsToServe, type Account, type ServingDeps } from '#marketplaces/accounts/accounts.ts';
import { MarketplaceError, type Mailbox, type Received } from '#marketplaces/port.ts';
import { hasArrived } from '#platform/clock.ts';
import { KontorError } from '#platform/errors.ts';
import type { Log } from '#platform/telemetry/log.ts';
import { addNotification } from '#notifications/notifications.ts';
import { takeMessages, type IntakeDeps } from './messages.ts';
import type { SubmitDeps } from '#repricer/outbox/submit.ts';

type ReceiveDeps = IntakeDeps & ServingDeps & Pick<SubmitDeps, 'open'> & { log: Log };

/** How long one request waits for the first message of a quiet mailbox, so that a price follows at once. */
const WAIT_SECONDS = 10;
/** How many requests read a full mailbox at once. */
const CONCURRENT_REQUESTS = 16;
const FULL = 10;
/**
 * A failing mailbox is paused for as long as it has failed, within these limits; people are notified of failures that last or
 * need them.
 */
const PAUSE_MS = { first: 1000, most: 30_000 };
const LASTS_MS = 5 * 60_000;
/**
 * A mailbox overdue by this much was not tried at all: the machine slept, or its clock was set forward. Earlier failures may have
 * passed.
 */
const SLEPT_MS = 10 * 60_000;
/** How long the list of accounts is used before it is read again. */
const ACCOUNTS_CACHED_MS = 5000;
/** Pause between two requests: a mailbox that answers at once is not polled in a busy loop. */
const AGAIN_MS = 250;

/**
 * Receives messages from the mailboxes of accounts, each on its own: a waiting one holds up no other. Messages are acknowledged
 * only after they are stored; a repeated one counts once.
 */
export class Receiver {
  private readonly deps: ReceiveDeps;
  private readonly stop = new AbortController();
  private readonly busy = new Map<string, Promise<void>>();
  private readonly pausedUntil = new Map<string, number>();
  private readonly failingSince = new Map<string, number>();
  private lookAt = 0;
  private accounts: Account[] = [];

  constructor(deps: ReceiveDeps) {
    this.deps = deps;
  }

  /** Starts to receive for accounts that are not being received yet. */
  async turn(): Promise<void> {
    const now = this.deps.clock.now().getTime();
    if (hasArrived(this.lookAt, now, ACCOUNTS_CACHED_MS)) {
      this.lookAt = now + ACCOUNTS_CACHED_MS;
      this.accounts = await accountsToServe(this.deps);
    }
    for (const account of this.accounts) {
      const key = `${account.company}/${account.id}`;
      if (this.busy.has(key) || this.isPaused(key)) continue;
      this.busy.set(
        key,
        this.keepReceiving(key).finally(() => this.busy.delete(key)),
      );
    }
  }

  private isPaused(key: string): boolean {
    return !hasArrived(this.pausedUntil.get(key) ?? 0, this.deps.clock.now().getTime(), PAUSE_MS.most);
  }

  /** Sends one request after the other while the account exists and nothing fails. */
  private async keepReceiving(key: string): Promise<void> {
    while (!this.stop.signal.aborted && !this.isPaused(key)) {
      const account = this.accounts.find(({ company, id }) => `${company}/${id}` === key);
      if (account === undefined) return;
      await this.receive(account, key);
      await wait(AGAIN_MS, undefined, { signal: this.stop.signal, ref: false }).catch(() => {});
    }
  }

  async close(): Promise<void> {
    this.stop.abort();
    await Promise.all(this.busy.values());
  }

  private async receive(account: Account, key: string): Promise<void> {
    try {
      const mailbox = (await this.deps.open(account))?.messages;
      if (mailbox === undefined) {
        this.pausedUntil.set(key, this.deps.clock.now().getTime() + ACCOUNTS_CACHED_MS);
        return;
      }
      await receiveAll(this.deps, account, mailbox, this.stop.signal);
      this.failingSince.delete(key);
    } catch (error) {
      if (this.stop.signal.aborted) return;
      const now = this.deps.clock.now().getTime();
      const slept = now - (this.pausedUntil.get(key) ?? now) >= SLEPT_MS;
      const since = (slept ? undefined : this.failingSince.get(key)) ?? now;
      this.failingSince.set(key, since);
      this.pausedUntil.set(key, now + Math.min(Math.max(now - since, PAUSE_MS.first), PAUSE_MS.most));
      this.deps.log.warn({ err: error, account: account.id }, 'messages could not be received');
      const passes = error instanceof MarketplaceError && error.kind === 'retryable' && now - since < LASTS_MS;
      if (passes) return;
      // If the notification cannot be written now, the next failure writes it.
      await this.notify(account, error).catch((failed: unknown) =>
        this.deps.log.error({ err: failed }, 'the notification about failed messages could not be written'),
      );
    }
  }

  /** Notifies people once a day per account: polling still finds new offers, only later. */
  private async notify({ company, id, name }: Account, error: unknown): Promise<void> {
    const day = this.deps.clock.now().toISOString().slice(0, 10);
    // Other errors describe internals in the words of a library.
    const message =
      error instanceof MarketplaceError || error instanceof KontorError
        ? error.message
        : 'Kontor konnte sie nicht verarbeiten.';
    await this.deps.database.company(company, (trx) =>
      addNotification(trx, company, {
        id: `messages-${id}-${day}`,
        event: 'failed',
        title: `Fehlgeschlagen: Mitteilungen des Marktplatzes für „${name}“`,
        text: `${message} Kontor versucht es weiter. Bis dahin fragt es alle 30 Minuten selbst nach Angeboten; Preise folgen später, der Verkaufsalarm ruht.`,
        path: '/einstellungen/kanaele',
      }),
    );
  }
}

/** Receives until the mailbox is empty. */
async function receiveAll(deps: ReceiveDeps, account: Account, mailbox: Mailbox, signal: AbortSignal): Promise<void> {
  let received = await mailbox.receive(WAIT_SECONDS, signal);
  while (received.length > 0) {
    const { future } = await takeMessages(
      deps,
      account.company,
      received.map(({ message }) => message),
    );
    if (future > 0) await tellSlowClock(deps, account, future);
    await mailbox.acknowledge(received.map(({ receipt }) => receipt));
    if (received.length < FULL) break;
    const more = await Promise.all(
      Array.from({ length: CONCURRENT_REQUESTS }, (): Promise<Received[]> => mailbox.receive(0, signal)),
    );
    received = more.flat();
  }
}

/**
 * Notifies people once a day per account. A marketplace reports nothing from the future: our own clock is slow, and these
 * messages are dropped.
 */
async function tellSlowClock(
  { database, clock, log }: ReceiveDeps,
  { company, id, name }: Account,
  future: number,
): Promise<void> {
  log.warn({ account: id, future }, 'messages dated in the future were dropped');
  const day = clock.now().toISOString().slice(0, 10);
  await database.company(company, (trx) =>
    addNotification(trx, company, {
      id: `clock-${id}-${day}`,
      event: 'failed',
      title: `Verworfen: Mitteilungen des Marktplatzes für „${name}“`,
      text: 'Sie tragen eine Zeit, die auf dem Rechner, auf dem Kontor läuft, noch nicht ist: seine Uhr geht mehr als 5 Minuten nach. Solange fragt Kontor nur alle 30 Minuten nach Angeboten, und der Verkaufsalarm ruht. Bitte stellen Sie die Uhr des Rechners.',
      path: '/einstellungen/kanaele',
    }),
  );
}
