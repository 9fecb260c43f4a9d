import { setTimeout as wait } from 'node:timers/promises';
import type { Browser } from 'playwright-core';
import { api } from '#shared/http/api.ts';
import { systemClock } from '#platform/clock.ts';
import { admin } from '../kontor-process.ts';
import { busyAnswers, catalogues, type Firm, type Sales, SIZES, SOLD } from './firms.ts';
import type { Journal } from './journal.ts';
import type { Stage } from './stage.ts';

export type Pace = { catalogue: number; feed: number; save: number; orders: number; screen: number };
/** Seconds between two requests, over all companies. */
export const mild: Pace = { catalogue: 5, feed: 1, save: 1, orders: 3, screen: 15 };

/** The load of all companies, each kind at its own pace, until `stop`. */
export class Load {
  pulls = 0;
  screens = 0;
  bought = 0;
  readonly faults: string[] = [];
  private readonly stage: Stage;
  private readonly firms: readonly Firm[];
  private readonly journal: Journal;
  private readonly loops: Promise<void>[] = [];
  private stopped = false;
  private paused = false;
  private busy = 0;

  constructor(stage: Stage, firms: readonly Firm[], journal: Journal) {
    this.stage = stage;
    this.firms = firms;
    this.journal = journal;
  }

  /** Number of operations that leave data behind. */
  get work(): number {
    return this.journal.uploads + this.journal.exports + this.journal.saves + this.bought + this.pulls;
  }

  start(browser: Browser, pace: Pace, slower: number): void {
    const loop = (seconds: number, step: (turn: number, firm: Firm) => Promise<void>) =>
      this.loops.push(this.repeat(seconds * slower, step));
    loop(pace.catalogue, (turn, firm) => this.catalogue(turn, firm));
    loop(pace.feed, (_turn, firm) => this.pull(firm));
    loop(pace.save, (turn, firm) => this.journal.save(firm, Math.floor(turn / this.firms.length)));
    loop(pace.orders, (turn) => this.orders(turn));
    loop(pace.screen, (turn) => this.screen(browser, turn));
  }

  async stop(): Promise<void> {
    this.stopped = true;
    await Promise.all(this.loops);
  }

  /** Pauses the load: what was acknowledged can only be checked while nothing is saved. */
  async quiet<T>(work: () => Promise<T>): Promise<T> {
    this.paused = true;
    try {
      while (this.busy > 0) await wait(20);
      return await work();
    } finally {
      this.paused = false;
    }
  }

  /** Repeats a step; failures during a disturbance do not count. */
  private async repeat(seconds: number, step: (turn: number, firm: Firm) => Promise<void>): Promise<void> {
    for (let turn = 0; !this.stopped;) {
      const broken = this.stage.watch();
      const firm = this.firms[turn % this.firms.length];
      if (this.stage.answers && firm !== undefined && !this.paused) {
        this.busy++;
        try {
          await step(turn, firm);
        } catch (error) {
          if (/ -> 503/.test(String(error))) busyAnswers.count++;
          else if (!broken()) this.faults.push(`${new Date().toISOString()} ${firm.name}: ${messageOf(error)}`);
        } finally {
          this.busy--;
          turn++;
        }
      }
      await wait(seconds * 1000);
    }
  }

  private async catalogue(turn: number, firm: Firm): Promise<void> {
    const { client, masterid } = firm;
    const round = Math.floor(turn / this.firms.length) + 1;
    const runid = await client.upload(masterid, catalogues[round % 2] ?? '');
    this.journal.took(firm, runid, 'Upload');
    // The previous catalogue has been imported by now.
    const before = this.firms[(turn + this.firms.length - 1) % this.firms.length];
    if (before === undefined) return;
    const started = await before.client.ask(api.runExport, { id: before.exportid });
    this.journal.took(before, started.runid, 'Export');
  }

  private async pull({ client, name, pullPath }: Firm): Promise<void> {
    const answer = await client.raw(pullPath);
    const text = await answer.text();
    if (!answer.ok) throw new Error(`Feed -> ${answer.status}`);
    const lines = text.split('\n').filter((line) => line !== '');
    for (const line of [lines[0], lines.at(-1)]) JSON.parse(line ?? '');
    if (!SIZES.some((size) => size === lines.length)) throw new Error(`${name}: Feed mit ${lines.length} Zeilen`);
    this.pulls++;
  }

  private async orders(turn: number): Promise<void> {
    const sellers = this.firms.flatMap(({ sales }) => sales ?? []);
    const sales: Sales | undefined = sellers[turn % sellers.length];
    if (sales === undefined) return;
    const lines = [{ sku: `S${turn % SOLD}`, quantity: 1 + (turn % 3) }];
    sales.sandbox.book.buy({ lines, at: systemClock.now().getTime(), cancelAt: null });
    this.bought++;
    // Never throws: it repeats what was not answered, with the same key.
    await sales.merchant.turn();
  }

  private async screen(browser: Browser, turn: number): Promise<void> {
    const { url } = this.stage;
    const firm = this.firms[0];
    if (firm?.sales === undefined) return;
    const paths = [
      '/',
      `/master/${firm.masterid}/artikel`,
      `/exports/${firm.exportid}`,
      `/repricer/${firm.sales.masterid}/dashboard?tab=artikel`,
      '/bestellungen',
      `/master/${firm.masterid}/regeln`,
    ];
    const context = browser.contexts()[0] ?? (await browser.newContext());
    if ((await context.cookies()).length === 0)
      await context.request.post(`${url}/api/session`, { data: admin, headers: { 'x-kontor': '1' } });
    const page = await context.newPage();
    try {
      const answer = await page.goto(`${url}${paths[turn % paths.length]}`, { timeout: 60_000 });
      if (answer?.ok() !== true) throw new Error(`${paths[turn % paths.length]} -> ${answer?.status()}`);
      await page.locator('main h1').first().waitFor({ timeout: 60_000 });
      // Some pages stay open for a while and listen, as users leave them.
      await page.waitForTimeout(5000);
      this.screens++;
    } finally {
      await page.close();
    }
  }
}

/** Returns an error's message with its cause: only there Node says why a call was aborted. */
const messageOf = (error: unknown): string =>
  `${String(error)}${error instanceof Error && error.cause instanceof Error ? ` (${error.cause.message})` : ''}`.slice(
    0,
    300,
  );
