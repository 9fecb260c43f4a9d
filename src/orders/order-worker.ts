import { setTimeout as wait } from 'node:timers/promises';
import { activeAccounts } from '#marketplaces/accounts/accounts.ts';
import { readBackDue, sendDue } from '#orders/actions/outbox.ts';
import type { AccountDeps } from '#orders/intake/account-orders.ts';
import { fetchHinted } from '#orders/intake/fetch-hinted.ts';
import { pollOrders } from '#orders/intake/poll-orders.ts';
import { alarmDue } from '#orders/intake/due-alarm.ts';
import { erasePersons } from '#orders/persons/erase-persons.ts';

const IDLE_MS = 250;
const HOUSEKEEPING_MS = 60_000;

/** Runs the orders: reads what changed at marketplaces, sends what we did, reads back what nobody knows. Each goes on by itself. */
export class OrderWorker {
  private readonly deps: AccountDeps;
  private readonly stop = new AbortController();
  private housekeepingAt = 0;
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

  /** A marketplace that takes its time holds up no other. */
  private async read(): Promise<number> {
    const { database, open, log } = this.deps;
    const accounts = await database.system(activeAccounts);
    const counts = await Promise.all(
      accounts.map(async (account) => {
        try {
          const port = (await open(account))?.orders;
          if (port === undefined) return 0;
          return (await fetchHinted(this.deps, account, port)) + (await pollOrders(this.deps, account, port));
        } catch (error) {
          log.error(
            { err: error, company: account.company, account: account.id },
            'orders of an account could not be read',
          );
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
