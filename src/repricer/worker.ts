import { setTimeout as wait } from 'node:timers/promises';
import { sql } from 'kysely';
import type { Log } from '#platform/log.ts';
import { enqueue } from './queue.ts';
import { repriceDue, type RepriceParts } from './reprice.ts';
import { forgetMessages } from './offers.ts';
import { sweepOffers } from './sweep.ts';
import { readBackDue, submitDue, type SubmitParts } from './submit.ts';

const idleMs = 500;
const sweepMs = 30_000;

/** Runs the repricer: decides what waits, sends, reads back; looks now and then whether rules or catalogues have changed. */
export class RepricerWorker {
  private readonly parts: RepriceParts & SubmitParts & { log: Log };
  private readonly stop = new AbortController();
  private readonly seen = new Map<string, string>();
  private loop: Promise<void> = Promise.resolve();

  constructor(parts: RepriceParts & SubmitParts & { log: Log }) {
    this.parts = parts;
  }

  start(): void {
    this.loop = this.run();
  }

  async close(): Promise<void> {
    this.stop.abort();
    await this.loop;
  }

  private async run(): Promise<void> {
    let sweepAt = 0;
    while (!this.stop.signal.aborted) {
      const now = this.parts.clock.now().getTime();
      const sweep = now >= sweepAt;
      if (sweep) sweepAt = now + sweepMs;
      const busy = await this.turn(sweep).catch((error: unknown) => {
        this.parts.log.error({ err: error }, 'repricing failed');
        return false;
      });
      if (!busy) await wait(idleMs, undefined, { signal: this.stop.signal, ref: false }).catch(() => {});
    }
  }

  private async turn(sweep: boolean): Promise<boolean> {
    if (sweep) {
      await this.noticeChanges();
      await this.parts.database.system((trx) => forgetMessages(trx, this.parts.clock.now()));
    }
    const looked = await sweepOffers(this.parts);
    const decided = await repriceDue(this.parts);
    const sent = await submitDue(this.parts);
    const read = await readBackDue(this.parts);
    return looked + decided + sent + read > 0;
  }

  /** A new snapshot or new rules concern every item; offers alone would tell only those that they are about. */
  private async noticeChanges(): Promise<void> {
    const { database, clock } = this.parts;
    type Row = { company: string; master: string; version: string };
    const { rows } = await database.system((trx) =>
      sql<Row>`select m.company, m.id as master, concat(m.live_snapshot, ':', (select max(d.revision) from documents d
          where d.company = m.company and d.subject = 'repricer' and d.scope = 'master:' || m.id)) as version
        from masters m where exists (select 1 from listings l where l.company = m.company and l.master = m.id)`.execute(
        trx,
      ),
    );
    for (const { company, master, version } of rows) {
      const known = this.seen.get(`${company}/${master}`);
      this.seen.set(`${company}/${master}`, version);
      if (known === version) continue;
      await database.company(company, (trx) =>
        enqueue(trx, { company, masterid: master }, { cause: 'catalogue', now: clock.now() }),
      );
    }
  }
}
