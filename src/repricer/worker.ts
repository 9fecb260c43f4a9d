import { setTimeout as wait } from 'node:timers/promises';
import { SideBySide } from '#marketplaces/accounts/side-by-side.ts';
import { hasArrived } from '#platform/clock.ts';
import type { Vault } from '#platform/crypto/vault.ts';
import { extendHashChain } from '#repricer/record/audit-hash-chain.ts';
import { recordRanks } from '#repricer/dashboard/numbers.ts';
import { Previews } from '#repricer/outbox/preview.ts';
import { BreakerBudgets } from '#repricer/control/breaker-budgets.ts';
import { CatalogueChanges } from '#repricer/queue/catalogue-changes.ts';
import { repriceDue, type RepriceDeps } from '#repricer/decide/reprice.ts';
import { deleteMessages } from '#repricer/intake/offers.ts';
import type { IntakeDeps } from '#repricer/intake/messages.ts';
import { Receiver } from '#repricer/intake/receive.ts';
import { replayDecisions } from '#repricer/record/replay.ts';
import { deleteSales } from '#repricer/sales/sales.ts';
import { pollOffers, PollingPlans } from '#repricer/intake/offer-polling.ts';
import { readBackDue, submitDue, type SubmitDeps } from '#repricer/outbox/submit.ts';
import type { OwnProcess } from '#platform/processes/own-process.ts';
import type { Metrics } from '#platform/telemetry/metrics.ts';
import { WorkLoops } from '#platform/work-loops.ts';

const sweepMs = 30_000;
const sealMs = 60_000;
const REPLAY_AGAIN_MS = 5000;
/** How long prices and offers of fast accounts wait for those of a slow one. */
const PATIENCE_MS = 1000;

export type WorkerDeps = Omit<RepriceDeps, 'budgets'> &
  SubmitDeps &
  Pick<IntakeDeps, 'onOrders' | 'onActions'> & {
    vault: Vault;
    metrics: Metrics;
    ownProcess: Pick<OwnProcess, 'workers' | 'takes'>;
  };

/**
 * Runs the repricer's loops: decides due prices; sends and reads back; requests offers and checks whether rules or catalogues
 * have changed. Each runs on its own: a marketplace that is slow to show offers delays no price.
 */
export class RepricerWorker {
  private readonly deps: WorkerDeps & RepriceDeps;
  private readonly receiver: Receiver;
  private readonly plans = new PollingPlans();
  private readonly sends = new SideBySide(PATIENCE_MS);
  private readonly reads = new SideBySide(PATIENCE_MS);
  private readonly polls = new SideBySide(PATIENCE_MS);
  private readonly loops: WorkLoops;
  private readonly changes: CatalogueChanges;
  private sweepAt = 0;
  private sealAt = 0;
  private recorded = '';

  constructor(deps: WorkerDeps) {
    const verdicts = deps.metrics.counter(
      'kontor_price_verdicts_total',
      'Decided prices, by what the gate said of them and why it held them.',
      ['verdict', 'held'],
    );
    this.deps = {
      verdicts,
      previews: new Previews(),
      budgets: new BreakerBudgets(deps.database.embedded ? undefined : () => deps.ownProcess.workers),
      ...deps,
    };
    this.receiver = new Receiver(this.deps);
    this.changes = new CatalogueChanges(this.deps);
    const { database, clock, log } = deps;
    this.loops = new WorkLoops({ database, clock, log, failure: 'repricing failed' });
  }

  start(): void {
    this.loops.start(
      [
        () => this.poll(),
        () => repriceDue(this.deps),
        () => this.receiver.turn().then(() => 0),
        async () => (await submitDue(this.deps, this.sends)) + (await readBackDue(this.deps, this.reads)),
      ],
      this.rehearsed(),
    );
  }

  async close(): Promise<void> {
    // Ends the waiting for mailboxes, then the work on their messages.
    const ended = this.loops.close();
    await this.receiver.close();
    await ended;
    await Promise.all([this.sends.close(), this.reads.close(), this.polls.close()]);
  }

  /** Blocks until this version of the program has shown that it decides as others did; no price is decided or sent before. */
  private async rehearsed(): Promise<void> {
    while (!this.loops.signal.aborted) {
      try {
        return await replayDecisions(this.deps, this.loops.signal);
      } catch (error) {
        this.deps.log.error({ err: error }, 'replaying earlier price decisions failed');
        await wait(REPLAY_AGAIN_MS, undefined, { signal: this.loops.signal, ref: false }).catch(() => {});
      }
    }
  }

  /** Checks what changed here and requests offers from marketplaces. */
  private async poll(): Promise<number> {
    const now = this.deps.clock.now().getTime();
    if (hasArrived(this.sweepAt, now, sweepMs)) {
      this.sweepAt = now + sweepMs;
      await this.changes.look();
      await this.deps.database.system(async (trx) => {
        await deleteMessages(trx, this.deps.clock.now());
        await deleteSales(trx, this.deps.clock.now());
      });
      await this.recordHour();
    }
    if (hasArrived(this.sealAt, now, sealMs)) {
      this.sealAt = now + sealMs;
      await extendHashChain(this.deps).catch((error: unknown) =>
        this.deps.log.warn({ err: error }, 'the hash chain could not be extended; it is retried'),
      );
    }
    return pollOffers({ ...this.deps, plans: this.plans }, this.polls);
  }

  private async recordHour(): Promise<void> {
    const now = this.deps.clock.now();
    const hour = now.toISOString().slice(0, 13);
    if (hour === this.recorded) return;
    await this.deps.database.system((trx) => recordRanks(trx, now));
    this.recorded = hour;
  }
}
