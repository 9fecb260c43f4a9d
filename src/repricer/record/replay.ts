import type { CatalogueRef } from '#catalogue/catalogue-ref.ts';
import type { MaterialisedFieldSource } from '#catalogue/materialised-fields.ts';
import type { Clock } from '#platform/clock.ts';
import type { Database } from '#platform/db/database.ts';
import type { DuckDb } from '#platform/duckdb/duckdb.ts';
import type { Ids } from '#platform/ids.ts';
import type { Log } from '#platform/telemetry/log.ts';
import { decisionReasons, type DecisionReason } from '#shared/repricer/decision.ts';
import { moneyText } from '#shared/values/money-text.ts';
import { stopEverybody, notifyTripped, trip } from '#repricer/control/breakers.ts';
import { fieldsOfRules, runningRules, type RunningRule } from '#repricer/decide/decide-listing.ts';
import { decidedByOthers, outcomeOf, samplesOfOthers, type Outcome, type Sample } from './replay-samples.ts';
import { fieldsNow, type ItemFields } from '#repricer/model/item-fields.ts';
import { limitsNow, versionOf } from '#repricer/model/pricing-inputs-version.ts';
import { evaluatePrice, type PricingInput } from '#repricer/decide/evaluate-price.ts';
import { loadRepricerRules } from '#repricer/rules/rule-store.ts';

/**
 * The release canary: both great disasters of this trade came with an update of a program. Before a version decides its first
 * price, it recomputes recent decisions of other versions; if more than `share` differ, a breaker holds the catalogue until a
 * person has checked.
 */
export const REPLAY = { share: 0.01, samples: 10_000, least: 100 } as const;

type Deps = {
  database: Database;
  duckdb: DuckDb;
  fields: MaterialisedFieldSource;
  clock: Clock;
  ids: Ids;
  log: Log;
  program: string;
};
type Difference = { item: string; was: Outcome | undefined; is: Outcome | undefined };

/** Replays every catalogue whose last decisions were made by other versions. Must complete before the first decision. */
export async function replayDecisions(deps: Deps, signal: AbortSignal): Promise<void> {
  const { database, program, log } = deps;
  const catalogues = await database.system((trx) => decidedByOthers(trx, program));
  const limit = Math.max(REPLAY.least, Math.floor(REPLAY.samples / Math.max(1, catalogues.length)));
  for (const ref of catalogues) {
    if (signal.aborted) return;
    const again = () => compare(deps, ref, limit, signal);
    const found = await again()
      .catch(again)
      .catch((error: unknown) => {
        log.error({ err: error, ...ref, program }, 'prices of other versions could not be replayed');
        return undefined;
      });
    if (found === undefined) {
      // Only this catalogue is held: waiting for it would stop the prices of every other one.
      await hold(deps, ref, failedText(program));
      continue;
    }
    const { compared, differences } = found;
    log.info({ ...ref, program, compared, different: differences.length }, 'prices of other versions replayed');
    if (differences.length > compared * REPLAY.share) await hold(deps, ref, detailsOf(program, found));
  }
}

type Compared = { compared: number; differences: readonly Difference[] };

async function compare(deps: Deps, ref: CatalogueRef, limit: number, signal: AbortSignal): Promise<Compared> {
  const { database, program } = deps;
  const samples = await database.company(ref.company, (trx) => samplesOfOthers(trx, ref, program, limit));
  const differences: Difference[] = [];
  for (const [revision, some] of Map.groupBy(samples, (sample) => sample.revision)) {
    const { rules } = await database.company(ref.company, (trx) => loadRepricerRules(trx, ref, revision));
    const running = runningRules(rules);
    const current = await fieldsOfReplaySamples(deps, ref, { running, samples: some, signal });
    differences.push(...some.flatMap((sample) => differenceOf(sample, running, current) ?? []));
  }
  return { compared: samples.length, differences };
}

/**
 * Computes with this version's compiler the fields of samples decided under limits that are still current; of older ones only the
 * recorded fields are known. If they cannot be computed, every price is held anyway.
 */
async function fieldsOfReplaySamples(
  deps: Deps,
  ref: CatalogueRef,
  { running, samples, signal }: { running: readonly RunningRule[]; samples: readonly Sample[]; signal: AbortSignal },
): Promise<{ version: string; known: ItemFields } | undefined> {
  const version = versionOf(await deps.database.company(ref.company, (trx) => limitsNow(trx, ref)));
  const items = samples.filter(({ basis }) => basis?.version === version).map(({ item }) => item);
  if (items.length === 0) return undefined;
  const names = fieldsOfRules(running.map(({ rule }) => rule));
  const known = await fieldsNow(deps, ref, { items, names, signal }).catch(() => undefined);
  return known && { version, known };
}

function differenceOf(
  { item, basis, outcome }: Sample,
  running: readonly RunningRule[],
  current: Awaited<ReturnType<typeof fieldsOfReplaySamples>>,
): Difference | undefined {
  // An unreadable sample was stored in another form: it cannot be compared, so it counts as different.
  if (basis === undefined || outcome === undefined) return { item, was: outcome, is: undefined };
  const now =
    current?.version !== basis.version || basis.without === 'HOLD_FIELDS_FAILED'
      ? basis
      : {
          ...basis,
          fields: current.known.fields.get(item) ?? {},
          without: current.known.excluded.has(item) ? ('HOLD_ITEM_EXCLUDED' as const) : null,
        };
  const is = outcomeNow(running, now);
  return is !== undefined && sameOutcome(outcome, is) ? undefined : { item, was: outcome, is };
}

/** Returns the outcome under this version; undefined if no price can be decided, or this version throws on the recorded input. */
function outcomeNow(running: readonly RunningRule[], basis: PricingInput): Outcome | undefined {
  try {
    const priced = evaluatePrice(running, basis);
    return priced && outcomeOf(priced);
  } catch {
    return undefined;
  }
}

const sameOutcome = (one: Outcome, other: Outcome) =>
  one.rule === other.rule && one.price === other.price && one.reason === other.reason && one.verdict === other.verdict;

async function hold({ database, ids, clock, log, program }: Deps, ref: CatalogueRef, details: string): Promise<void> {
  const now = clock.now();
  log.error({ ...ref, program }, details);
  await database.company(ref.company, async (trx) => {
    const made = await trip(trx, ids, ref, [['release', details]], now);
    await notifyTripped(trx, ref, made);
  });
  await database.system((trx) => stopEverybody(trx, now));
}

const failedText = (program: string): string =>
  `Die neue Programmversion (${program}) konnte frühere Preisentscheidungen dieses Katalogs nicht nachrechnen.`;

function detailsOf(program: string, { compared, differences }: Compared): string {
  const [first] = differences;
  const example = first
    ? ` Zum Beispiel Artikel ${first.item}: bisher ${words(first.was)}, jetzt ${words(first.is)}.`
    : '';
  return `Die neue Programmversion (${program}) rechnet anders: ${differences.length} von ${compared} nachgerechneten Preisentscheidungen fielen nicht mehr so aus wie vorher.${example}`;
}

function words(outcome: Outcome | undefined): string {
  if (outcome === undefined) return 'nicht mehr nachzurechnen';
  const reason = isReason(outcome.reason) ? decisionReasons[outcome.reason] : outcome.reason;
  return `${outcome.price === null ? 'kein Preis' : moneyText(outcome.price)} (${reason})`;
}

const isReason = (text: string): text is DecisionReason => Object.hasOwn(decisionReasons, text);
