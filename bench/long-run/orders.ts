import type { Database } from '#platform/db/database.ts';
import { isSettled, reportOf } from '../../test/stages/orders/order-chaos-report.ts';
import type { Firm } from './firms.ts';

/** Returns counts of what was sent, sent twice, or sent outside its bounds, over all sandboxes. */
export const sentTwice = (firms: readonly Firm[]): string[] => counted(firms).map(([name, sum]) => `${name} ${sum}`);

/** Returns those counts that are errors. */
export const twiceFaults = (firms: readonly Firm[]): string[] =>
  counted(firms).flatMap(([name, sum]) => (name === 'prices' || sum === 0 ? [] : `${name} ${sum}`));

function counted(firms: readonly Firm[]): [name: string, sum: number][] {
  const names = ['prices', 'repeated', 'outside', 'shippedTwice', 'cancelledTwice', 'refundedTwice'] as const;
  return names.map((name) => [name, firms.reduce((sum, { sales }) => sum + (sales?.sandbox.counters[name] ?? 0), 0)]);
}

/** Makes every merchant repeat what was not answered. */
export async function repeatWishes(firms: readonly Firm[]): Promise<void> {
  for (const { sales } of firms) await sales?.merchant.repeat();
}

/** Returns the actions on orders that are still in progress, in words; '' if none. */
export async function openActions(database: Database, firms: readonly Firm[]): Promise<string> {
  const left: string[] = [];
  for (const { sales } of firms)
    if (sales !== undefined) left.push(await isSettled(database, sales.company, new Date()));
  return left.filter((one) => one !== '').join('; ');
}

/** Compares both sides of every order. `ran`: the program's output, and its number of kills. */
export async function orderFaults(
  database: Database,
  firms: readonly Firm[],
  ran: { kills: number; output: string },
  say: (line: string) => void,
): Promise<string[]> {
  const found: string[] = [];
  for (const { name, sales } of firms) {
    if (sales === undefined) continue;
    const { answers } = sales.merchant;
    const orders = await reportOf(database, sales.company, sales.sandbox, { ...ran, answers });
    const { lost, differences, persons, actions, unclear } = orders;
    const waiting = sales.merchant.waiting.length;
    say(
      `${name}: ${JSON.stringify({ orders: orders.orders, shipments: orders.shipments, actions, unclear, waiting })}`,
    );
    for (const [what, list] of Object.entries({ lost, differences, persons }))
      if (list.length > 0) found.push(`${name}: ${what} ${list.slice(0, 5).join(', ')}`);
    if (waiting > 0) found.push(`${name}: ${waiting} Wünsche des Händlers blieben ohne Antwort`);
  }
  return found;
}
