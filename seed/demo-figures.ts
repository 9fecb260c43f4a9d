import { insertRows } from '#platform/db/insert-rows.ts';
import type { Trx } from '#platform/db/database.ts';
import { seeded } from './random.ts';

const HOUR = 60 * 60_000;
const DAY = 24 * HOUR;
const DAYS = 30;

type Place = { company: string; masterid: string; marketplace: string; seller: string; offers: number; now: Date };

/**
 * Inserts what the repricer's dashboard shows of the 30 days before the demo began: messages by day, and the rank of our offers
 * each hour.
 */
export async function seedFigures(
  trx: Trx,
  { company, masterid: master, marketplace, seller, offers, now }: Place,
): Promise<void> {
  const random = seeded(77);
  const hours = DAYS * 24;
  const first = Math.floor(now.getTime() / HOUR) * HOUR - hours * HOUR;
  const ranks = Array.from({ length: hours }, (_, hour) => {
    // The BuyBox share rises slowly, falls a little at night, and for two days in the middle a competitor undercuts everything.
    const sale = hour > hours * 0.45 && hour < hours * 0.52 ? 0.14 : 0;
    const share =
      0.38 + (hour / hours) * 0.2 + 0.03 * Math.sin((hour / 24) * 2 * Math.PI) - sale + random.next() * 0.02;
    const at = (part: number) => Math.max(0, Math.round(offers * part));
    return {
      company,
      master,
      seller,
      hour: new Date(first + hour * HOUR).toISOString(),
      rank_1: at(share * 0.9),
      rank_2: at((1 - share) * 0.45),
      rank_3: at((1 - share) * 0.25),
      box: at(share),
      observed: offers,
      observed_box: at(share),
    };
  });
  await insertRows(trx, 'rank_history', ranks)
    .onConflict((conflict) => conflict.doNothing())
    .execute();
  const kinds: readonly (readonly [kind: string, perDay: number])[] = [
    ['COMPETE_LOWEST', 420],
    ['COMPETE_BUYBOX', 180],
    ['OWN_BUYBOX_HOLD', 310],
    ['BELOW_MIN_TO_MIN', 60],
    ['CAPPED_AT_MAX', 24],
    ['NO_COMPETITION', 12],
    ['held:TOO_SOON', 35],
    ['held:TARGET_IMPLAUSIBLE', 4],
    ['sent:live', 480],
    ['sent:invalid', 3],
  ];
  const counters = Array.from({ length: DAYS }, (_, ago) => new Date(now.getTime() - (ago + 1) * DAY)).flatMap((day) =>
    kinds.map(([kind, perDay]) => ({
      company,
      master,
      marketplace,
      day: day.toISOString().slice(0, 10),
      kind,
      n: Math.round(perDay * (0.7 + random.next() * 0.6)),
    })),
  );
  await insertRows(trx, 'repricer_counters', counters)
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}
