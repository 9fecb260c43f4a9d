import { setTimeout as wait } from 'node:timers/promises';
import { activeAccounts } from '#marketplaces/accounts/accounts.ts';
import { readBackDue, sendDue } from '#orders/actions/outbox.ts';
import type { AccountDeps } from '#orders/intake/account-orders.ts';
import { fetchHinted } from '#orders/intake/fetch-hinted.ts';
import { forgetHints, hintedChannels } from '#orders/intake/hints.ts';
import { pollOrders } from '#orders/intake/poll-orders.ts';
import { alarmDue } from '#orders/intake/due-alarm.ts';
import { erasePersons } from '#orders/persons/erase-persons.ts';

const IDLE_MS = 250;
/** How often it is looked whether an account is to be polled. */
const POLL_MS = 2000;
const HOUSEKEEPING_MS = 60_000;

/** Runs the orders: reads what changed at marketplaces, sends what we did, reads back what nobody knows. Each goes on by itself. */
export class OrderWorker {
  private readonly deps: AccountDeps;
  private readonly stop = new AbortController();
  private housekeepingAt = 0;
  private pollAt = 0;
  private loops: Promise<unknown> = Promise.resolve();

  constructor(deps: AccountDeps) {
    this.deps = deps;
  }

  start(): void {
    this.loops = Promise.all([
      this.repeat(() => this.read()),
      this.repeat(() => sendDue(this.deps)),
      this.repeat(() => readBackDue(this.deps)),
      this.repeat(() => this.housekeeping()),
    ]);
  }

  async close(): Promise<void> {
    this.stop.abort();
    await this.loops;
  }

  private async repeat(turn: () => Promise<number>): Promise<void> {
    while (!this.stop.signal.aborted) {
      const done = await turn().catch((error: unknown) => {
        this.deps.log.error({ err: error }, 'order work failed');
        return 0;
      });
      if (done === 0) await wait(IDLE_MS, undefined, { signal: this.stop.signal, ref: false }).catch(() => {});
    }
  }

  /** A marketplace that takes its time holds up no other. Accounts are looked through only when a hint is due, or every few seconds. */
  private async read(): Promise<number> {
    const { database, clock, open, log } = this.deps;
    const now = clock.now();
    const isPolling = now.getTime() >= this.pollAt;
    const hinted = await database.system((trx) => hintedChannels(trx, now));
    if (!isPolling && hinted.size === 0) return 0;
    if (isPolling) this.pollAt = now.getTime() + POLL_MS;
    const accounts = await database.system(activeAccounts);
    const counts = await Promise.all(
      accounts.map(async (account) => {
        const { company, id } = account;
        try {
          const isHinted = hinted.has(`${company}/${id}`);
          const port = isPolling || isHinted ? (await open(account))?.orders : undefined;
          if (port === undefined) {
            // Messages may name orders of a marketplace that only prices.
            if (isHinted) await database.company(company, (trx) => forgetHints(trx, company, id));
            return 0;
          }
          const fetched = isHinted ? await fetchHinted(this.deps, account, port) : 0;
          return fetched + (isPolling ? await pollOrders(this.deps, account, port) : 0);
        } catch (error) {
          log.error({ err: error, company, account: id }, 'orders of an account could not be read');
          return 0;
        }
      }),
    );
    return counts.reduce((sum, count) => sum + count, 0);
  }

  private async housekeeping(): Promise<number> {
    const now = this.deps.clock.now().getTime();
    if (now < this.housekeepingAt) return 0;
    this.housekeepingAt = now + HOUSEKEEPING_MS;
    await alarmDue(this.deps);
    await erasePersons(this.deps);
    return 0;
  }
}
