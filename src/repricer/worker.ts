import { setTimeout as wait } from 'node:timers/promises';
import { sql } from 'kysely';
import type { Log } from '#platform/log.ts';
import { versionText } from './limits-version.ts';
import { enqueue } from './queue.ts';
import { repriceDue, type RepriceParts } from './reprice.ts';
import { forgetMessages } from './offers.ts';
import { sweepOffers } from './sweep.ts';
import { readBackDue, submitDue, type SubmitParts } from './submit.ts';

const idleMs = 250;
const sweepMs = 30_000;

/**
 * Runs the repricer: decides what waits; sends and reads back; asks for offers and looks whether rules or catalogues have changed.
 * Each goes on by itself: a marketplace that takes its time to show offers holds up no price.
 */
export class RepricerWorker {
  private readonly parts: RepriceParts & SubmitParts & { log: Log };
  private readonly stop = new AbortController();
  private readonly seen = new Map<string, string>();
  private sweepAt = 0;
  private loops: Promise<unknown> = Promise.resolve();

  constructor(parts: RepriceParts & SubmitParts & { log: Log }) {
    this.parts = parts;
  }

  start(): void {
    this.loops = Promise.all([
      this.repeat(() => this.look()),
      this.repeat(() => repriceDue(this.parts)),
      this.repeat(async () => (await submitDue(this.parts)) + (await readBackDue(this.parts))),
    ]);
  }

  async close(): Promise<void> {
    this.stop.abort();
    await this.loops;
  }

  /** Does its turns for as long as there is something to do, and looks again after a while. */
  private async repeat(turn: () => Promise<number>): Promise<void> {
    while (!this.stop.signal.aborted) {
      const done = await turn().catch((error: unknown) => {
        this.parts.log.error({ err: error }, 'repricing failed');
        return 0;
      });
      if (done === 0) await wait(idleMs, undefined, { signal: this.stop.signal, ref: false }).catch(() => {});
    }
  }

  /** What changed here, and what marketplaces show. */
  private async look(): Promise<number> {
    const now = this.parts.clock.now().getTime();
    if (now >= this.sweepAt) {
      this.sweepAt = now + sweepMs;
      await this.noticeChanges();
      await this.parts.database.system((trx) => forgetMessages(trx, this.parts.clock.now()));
    }
    return sweepOffers(this.parts);
  }

  /**
   * A new snapshot, new rules or mappings concern every item; offers alone would tell only those that they are about. So does an
   * attempt at fields that could not be computed: it begins when an item asks for them.
   */
  private async noticeChanges(): Promise<void> {
    const { database, clock } = this.parts;
    type Row = { company: string; master: string; version: string };
    const { rows } = await database.system((trx) =>
      sql<Row>`select m.company, m.id as master, ${versionText} as version
        from masters m where exists (select 1 from listings l where l.company = m.company and l.master = m.id)`.execute(
        trx,
      ),
    );
    for (const { company, master, version } of rows) {
      const known = this.seen.get(`${company}/${master}`);
      this.seen.set(`${company}/${master}`, version);
      if (known === version && !this.parts.fields.mayTryAgain({ company, masterid: master })) continue;
      await database.company(company, (trx) =>
        enqueue(trx, { company, masterid: master }, { cause: 'catalogue', now: clock.now() }),
      );
    }
  }
}
