import { setTimeout as wait } from 'node:timers/promises';
import type { Vault } from '#platform/crypto/vault.ts';
import { extendHashChain } from '#repricer/record/audit-hash-chain.ts';
import { fieldsOfRules, runningRules } from '#repricer/decide/decide-listing.ts';
import { recordRanks } from '#repricer/dashboard/numbers.ts';
import { basisOf, limitsOfAll, versionOf, type Limits } from '#repricer/model/pricing-inputs-version.ts';
import type { Place } from '#repricer/model/on-master.ts';
import { Previews } from '#repricer/outbox/preview.ts';
import { BreakerBudgets } from '#repricer/control/breaker-budgets.ts';
import { enqueue } from '#repricer/queue/queue.ts';
import { repriceDue, type RepriceDeps } from '#repricer/decide/reprice.ts';
import { forgetMessages } from '#repricer/intake/offers.ts';
import type { IntakeDeps } from '#repricer/intake/messages.ts';
import { Receiver } from '#repricer/intake/receive.ts';
import { replayDecisions } from '#repricer/record/replay.ts';
import { loadRepricerRules } from '#repricer/rules/rule-store.ts';
import { forgetSales } from '#repricer/sales/sales.ts';
import { pollOffers, Sweeps } from '#repricer/intake/offer-polling.ts';
import { readBackDue, submitDue, type SubmitDeps } from '#repricer/outbox/submit.ts';
import type { OwnProcess } from '#platform/processes/own-process.ts';
import type { Metrics } from '#platform/telemetry/metrics.ts';
import { WorkLoops } from '#platform/work-loops.ts';

const sweepMs = 30_000;
const sealMs = 60_000;
const REHEARSE_AGAIN_MS = 5000;

export type WorkerDeps = Omit<RepriceDeps, 'budgets'> &
  SubmitDeps &
  Pick<IntakeDeps, 'onOrders' | 'onActions'> & {
    vault: Vault;
    metrics: Metrics;
    ownProcess: Pick<OwnProcess, 'workers' | 'takes'>;
  };

/**
 * Runs the repricer: decides what waits; sends and reads back; asks for offers and looks whether rules or catalogues have changed.
 * Each goes on by itself: a marketplace that takes its time to show offers holds up no price.
 */
export class RepricerWorker {
  private readonly deps: WorkerDeps & RepriceDeps;
  private readonly receiver: Receiver;
  private readonly sweeps = new Sweeps();
  private readonly loops: WorkLoops;
  private readonly seen = new Map<string, Seen>();
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
    const { database, clock, log } = deps;
    this.loops = new WorkLoops({ database, clock, log, failure: 'repricing failed' });
  }

  start(): void {
    this.loops.start(
      [
        () => this.look(),
        () => repriceDue(this.deps),
        () => this.receiver.turn().then(() => 0),
        async () => (await submitDue(this.deps)) + (await readBackDue(this.deps)),
      ],
      this.rehearsed(),
    );
  }

  async close(): Promise<void> {
    // Ends what waits for a mailbox, then what is done with its messages.
    const ended = this.loops.close();
    await this.receiver.close();
    await ended;
  }

  /** No price is decided or sent before this version of the program has shown that it decides as others did. */
  private async rehearsed(): Promise<void> {
    while (!this.loops.signal.aborted) {
      try {
        return await replayDecisions(this.deps, this.loops.signal);
      } catch (error) {
        this.deps.log.error({ err: error }, 'rehearsing prices failed');
        await wait(REHEARSE_AGAIN_MS, undefined, { signal: this.loops.signal, ref: false }).catch(() => {});
      }
    }
  }

  /** What changed here, and what marketplaces show. */
  private async look(): Promise<number> {
    const now = this.deps.clock.now().getTime();
    if (now >= this.sweepAt) {
      this.sweepAt = now + sweepMs;
      await this.noticeChanges();
      await this.deps.database.system(async (trx) => {
        await forgetMessages(trx, this.deps.clock.now());
        await forgetSales(trx, this.deps.clock.now());
      });
      await this.recordHour();
    }
    if (now >= this.sealAt) {
      this.sealAt = now + sealMs;
      await extendHashChain(this.deps).catch((error: unknown) =>
        this.deps.log.warn({ err: error }, 'decisions are sealed later'),
      );
    }
    return pollOffers({ ...this.deps, sweeps: this.sweeps });
  }

  private async recordHour(): Promise<void> {
    const now = this.deps.clock.now();
    const hour = now.toISOString().slice(0, 13);
    if (hour === this.recorded) return;
    await this.deps.database.system((trx) => recordRanks(trx, now));
    this.recorded = hour;
  }

  /**
   * A new snapshot, new rules or mappings concern every item; offers alone would tell only those that they are about. So does an
   * attempt at fields that could not be computed: it begins when an item asks for them.
   */
  private async noticeChanges(): Promise<void> {
    const { database, clock, fields, log } = this.deps;
    for (const { ref, limits } of await database.system(limitsOfAll)) {
      const { company, masterid } = ref;
      const before = this.seen.get(`${company}/${masterid}`);
      const again = fields.mayTryAgain(ref);
      if (before !== undefined && versionOf(before.limits) === versionOf(limits) && !again) continue;
      try {
        const values = await this.valuesAt(ref, limits);
        if (before === undefined || again || !unaffected(before, { limits, values }))
          await database.company(company, (trx) => enqueue(trx, ref, { cause: 'catalogue', now: clock.now() }));
        // Last, so that after a failure the change is noticed again at the next check.
        this.seen.set(`${company}/${masterid}`, { limits, values });
      } catch (error) {
        // Changes of other catalogues are noticed all the same.
        log.error({ err: error, ...ref }, 'changes of a catalogue could not be looked at');
      }
    }
  }

  /** Identifies the values of the fields that the rules read: equal while they are; undefined where they cannot be read. */
  private async valuesAt(ref: Place, limits: Limits): Promise<string | undefined> {
    const { database, fields } = this.deps;
    const basis = basisOf(limits);
    if (basis === undefined) return undefined;
    const { rules } = await database.company(ref.company, (trx) => loadRepricerRules(trx, ref, limits.repricer));
    const names = fieldsOfRules(runningRules(rules).map(({ rule }) => rule));
    return fields.identity(ref, basis, names).catch(() => undefined);
  }
}

/** All that prices of a catalogue are decided on, but for offers and switches. */
type Seen = { limits: Limits; values: string | undefined };

/**
 * One save of a master's rule or mapping that changes no value: only what waits to be sent is decided anew, when its turn comes.
 * After several saves some prices may have been decided under the ones between.
 */
function unaffected(before: Seen, now: Seen): boolean {
  const saves = now.limits.rules - before.limits.rules + (now.limits.mappings - before.limits.mappings);
  const same = before.limits.snapshot === now.limits.snapshot && before.limits.repricer === now.limits.repricer;
  return same && saves === 1 && now.values !== undefined && now.values === before.values;
}
