import { accountsToServe, byKey, type ServingDeps } from '#marketplaces/accounts/accounts.ts';
import { SideBySide } from '#marketplaces/accounts/side-by-side.ts';
import { readBackDue, sendDue } from '#orders/actions/outbox.ts';
import type { AccountDeps } from '#orders/intake/account-orders.ts';
import { fetchHinted } from '#orders/intake/fetch-hinted.ts';
import { deleteHints, hintedChannels } from '#orders/intake/hints.ts';
import { pollOrders } from '#orders/intake/poll-orders.ts';
import { alarmDue } from '#orders/intake/due-alarm.ts';
import { erasePersons } from '#orders/persons/erase-persons.ts';
import { hasArrived } from '#platform/clock.ts';
import { WorkLoops } from '#platform/work-loops.ts';

/** Interval of the check whether an account is due to be polled. */
const POLL_MS = 2000;
const HOUSEKEEPING_MS = 60_000;
/** How long fast accounts wait for a slow one. */
const PATIENCE_MS = 1000;

/** Runs the loops of orders, each on its own: reads changes at marketplaces, sends actions, reads back unknown results. */
export class OrderWorker {
  private readonly deps: AccountDeps & ServingDeps;
  private readonly loops: WorkLoops;
  private readonly sends = new SideBySide(PATIENCE_MS);
  private readonly reads = new SideBySide(PATIENCE_MS);
  private readonly polls = new SideBySide(PATIENCE_MS);
  private housekeepingAt = 0;
  private pollAt = 0;

  constructor(deps: AccountDeps & ServingDeps) {
    this.deps = deps;
    const { database, clock, log } = deps;
    this.loops = new WorkLoops({ database, clock, log, failure: 'order work failed' });
  }

  start(): void {
    this.loops.start([
      () => this.read(),
      () => sendDue(this.deps, this.sends),
      () => readBackDue(this.deps, this.reads),
      () => this.housekeeping(),
    ]);
  }

  async close(): Promise<void> {
    await this.loops.close();
    await Promise.all([this.sends.close(), this.reads.close(), this.polls.close()]);
  }

  /** Reads orders; only if a hint is due, or every few seconds. */
  private async read(): Promise<number> {
    const { database, clock, open, log } = this.deps;
    const now = clock.now();
    const isPolling = hasArrived(this.pollAt, now.getTime(), POLL_MS);
    const hinted = await database.system((trx) => hintedChannels(trx, now));
    if (!isPolling && hinted.size === 0) return 0;
    if (isPolling) this.pollAt = now.getTime() + POLL_MS;
    const accounts = (await accountsToServe(this.deps)).filter(
      ({ company, id }) => isPolling || hinted.has(`${company}/${id}`),
    );
    return this.polls.turn(byKey(accounts), async (account) => {
      const { company, id } = account;
      try {
        const isHinted = hinted.has(`${company}/${id}`);
        const port = (await open(account))?.orders;
        if (port === undefined) {
          // Messages may name orders of a marketplace that is used for prices only.
          if (isHinted) await database.company(company, (trx) => deleteHints(trx, company, id));
          return 0;
        }
        const fetched = isHinted ? await fetchHinted(this.deps, account, port) : 0;
        return fetched + (isPolling ? await pollOrders(this.deps, account, port) : 0);
      } catch (error) {
        log.error({ err: error, company, account: id }, 'orders of an account could not be read');
        return 0;
      }
    });
  }

  private async housekeeping(): Promise<number> {
    const now = this.deps.clock.now().getTime();
    if (!hasArrived(this.housekeepingAt, now, HOUSEKEEPING_MS)) return 0;
    this.housekeepingAt = now + HOUSEKEEPING_MS;
    await alarmDue(this.deps);
    await erasePersons(this.deps);
    return 0;
  }
}
