import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createDatabase, postgresPrograms, startPostgres } from '../test/servers/postgres.ts';
import { orderChaos } from '../test/stages/orders/order-chaos.ts';
import type { OrderChaosReport } from '../test/stages/orders/order-chaos-report.ts';

/** Runs a simulated week of orders, with settings from the command's options. Returns whether all invariants held. */
export async function orderWeek(option: (name: string, usual: number) => number): Promise<boolean> {
  const folder = mkdtempSync(join(tmpdir(), 'kontor-chaos-'));
  const programs = process.env['KONTOR_BENCH_EMBEDDED'] === '1' ? undefined : postgresPrograms();
  const postgres = programs === undefined ? undefined : await startPostgres(programs);
  const started = performance.now();
  try {
    const report = await orderChaos({
      folder,
      ...(postgres === undefined ? {} : { databaseUrl: await createDatabase(postgres.url, 'chaos') }),
      orders: option('count', 1000),
      days: option('days', 7),
      kills: option('kills', 12),
      lifeSeconds: option('life', 8),
      speed: option('speed', 30),
      bad: option('bad', 0.05),
      log: (line) => console.log(`${Math.round((performance.now() - started) / 1000)} s  ${line}`),
    });
    console.log(JSON.stringify(report, undefined, 2));
    const broken = brokenBy(report);
    console.log(broken.length === 0 ? 'Alle Zusicherungen halten.' : `VERLETZT: ${broken.join(', ')}`);
    return broken.length === 0;
  } finally {
    await postgres?.stop();
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Returns the violated counts: each must be 0. */
export const brokenBy = (report: OrderChaosReport): string[] => [
  ...(['shippedTwice', 'cancelledTwice', 'refundedTwice', 'personsSent', 'unresolved'] as const).filter(
    (name) => report[name] > 0,
  ),
  ...(['lost', 'different', 'swallowed', 'differences', 'persons'] as const).filter((name) => report[name].length > 0),
];
